// Sorting rows in place and the options on graphs that come as CSR.
#include "graph/io/csr_arrays.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <utility>

#include "graph/arc_keys.hpp"

namespace gossamer::io {
namespace {

/// Place i of a row's columns and of its weights, as one thing that std::sort moves: what a row
/// takes to be sorted is nothing, since it may be the whole graph.
template <class Id, class Weight>
struct row_iterator {
  struct value_type {
    Id column;
    Weight weight;
  };
  struct reference {
    Id* column;
    Weight* weight;
    operator value_type() const { return {*column, *weight}; }
    const reference& operator=(const value_type& v) const {
      *column = v.column;
      *weight = v.weight;
      return *this;
    }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): through a value, which is a copy
    const reference& operator=(const reference& other) const { return *this = value_type(other); }
    reference(Id* c, Weight* w) : column(c), weight(w) {}
    reference(const reference&) = default;
    friend void swap(const reference& a, const reference& b) noexcept {
      std::swap(*a.column, *b.column);
      std::swap(*a.weight, *b.weight);
    }
  };
  using difference_type = std::int64_t;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  Id* columns;
  Weight* weights;
  std::int64_t at;

  reference operator*() const { return {columns + at, weights + at}; }
  row_iterator& operator++() { return *this += 1; }
  row_iterator& operator--() { return *this += -1; }
  row_iterator operator++(int) { return {columns, weights, at++}; }
  row_iterator operator--(int) { return {columns, weights, at--}; }
  row_iterator& operator+=(std::int64_t by) {
    at += by;
    return *this;
  }
  row_iterator& operator-=(std::int64_t by) { return *this += -by; }
  friend row_iterator operator+(row_iterator i, std::int64_t by) { return i += by; }
  friend row_iterator operator-(row_iterator i, std::int64_t by) { return i += -by; }
  friend std::int64_t operator-(const row_iterator& a, const row_iterator& b) {
    return a.at - b.at;
  }
  friend auto operator<=>(const row_iterator& a, const row_iterator& b) { return a.at <=> b.at; }
  friend bool operator==(const row_iterator& a, const row_iterator& b) { return a.at == b.at; }
};

/// Sorts each row by column and parallel arcs by weight, as the builder does.
template <class Id>
void sort_rows(const graph& g, detail::stop_watch watch) {
  Id* const columns = std::get<shared_array<Id>>(g.indices).data();
  std::visit(
      [&]<class Weights>(const Weights& weights) {
        for (std::int64_t v = 0; v < g.vertices(); ++v) {
          const std::int64_t first = g.offsets[v], degree = g.degree(v);
          watch.step(degree + 1);
          Id* const row = columns + first;
          if constexpr (std::is_same_v<Weights, std::monostate>) {
            if (!std::is_sorted(row, row + degree)) std::sort(row, row + degree);
          } else {
            using weight = std::decay_t<decltype(weights[0])>;
            using arc = typename row_iterator<Id, weight>::value_type;
            const auto before = [](const arc& a, const arc& b) {
              if (a.column != b.column) return a.column < b.column;
              return detail::ordered_bits(a.weight) < detail::ordered_bits(b.weight);
            };
            const row_iterator<Id, weight> begin{row, weights.data() + first, 0};
            if (!std::is_sorted(begin, begin + degree, before))
              std::sort(begin, begin + degree, before);
          }
        }
      },
      g.weights);
}

}  // namespace

graph finish_csr(graph g, const read_context& context) {
  g.name = context.name;
  if (g.weighted() && g.weight_source == "none") g.weight_source = "file";
  if (g.id_width() == 4)
    sort_rows<vertex32>(g, context.watch());
  else
    sort_rows<vertex64>(g, context.watch());
  g.sorted = true;
  g.symmetric = false;
  return apply_build(std::move(g), context);
}

graph apply_build(graph g, const read_context& context) {
  const build_options& b = context.build;
  if (context.rebuilds()) {
    const std::string source = g.weight_source;
    const vertex_names names = g.names;
    g = rebuild(g, b);
    g.name = context.name;
    g.weight_source = source;
    g.names = names;
  }
  if (!g.symmetric) g.symmetric = is_symmetric(g, b.threads, b.stop);
  return g;
}

}  // namespace gossamer::io
