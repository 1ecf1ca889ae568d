// Renumbering: rows are copied to their new places, columns translated, and each row sorted.
#include "gossamer/graph/renumber.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/derived.hpp"
#include "graph/parallel.hpp"

namespace gossamer {

namespace {

constexpr const char* renumbering = "renumbering the graph";

/// [n] the new id of each vertex.
template <class Id>
shared_array<Id> new_ids(std::int64_t n, std::span<const std::int64_t> order,
                         detail::stop_watch& watch) {
  require(static_cast<std::int64_t>(order.size()) == n,
          "renumbered: " + std::to_string(order.size()) + " entries for " + std::to_string(n) +
              " vertices");
  shared_array<Id> ids(static_cast<std::size_t>(n));
  std::fill(ids.begin(), ids.end(), Id{-1});
  for (std::int64_t i = 0; i < n; ++i) {
    watch.step();
    const std::int64_t v = order[static_cast<std::size_t>(i)];
    require(v >= 0 && v < n && ids[static_cast<std::size_t>(v)] < 0, [&] {
      return "renumbered: entry " + std::to_string(i) + ", " + std::to_string(v) +
             ", is no vertex or one that was there before";
    });
    ids[static_cast<std::size_t>(v)] = static_cast<Id>(i);
  }
  return ids;
}

/// Rows of a graph being made, sorted one by one. `Weight` is char where there are none.
template <class Id, class Weight>
class row_writer {
 public:
  row_writer(const graph& g, const Id* ids, const Weight* weights, graph& out,
             shared_array<Weight>& to)
      : from_(g.view<Id>()),
        ids_(ids),
        weights_(weights),
        offsets_(out.offsets.data()),
        columns_(std::get<shared_array<Id>>(out.indices).data()),
        to_(to.data()) {}

  void write(std::int64_t row, std::int64_t v,
             std::vector<std::pair<Id, edge_offset>>& space) const {
    const edge_offset begin = from_.offsets[v], end = from_.offsets[v + 1];
    Id* columns = columns_ + offsets_[row];
    if (weights_ == nullptr) {
      for (edge_offset k = begin; k < end; ++k) columns[k - begin] = ids_[from_.indices[k]];
      std::sort(columns, columns + (end - begin));
      return;
    }
    // By (column, place): weights may be anything, even what cannot be compared.
    space.clear();
    for (edge_offset k = begin; k < end; ++k) space.emplace_back(ids_[from_.indices[k]], k);
    std::sort(space.begin(), space.end());
    Weight* weights = to_ + offsets_[row];
    for (const auto& [column, k] : space) {
      *columns++ = column;
      *weights++ = weights_[k];
    }
  }

 private:
  csr_view<Id> from_;
  const Id* ids_;
  const Weight* weights_;
  const edge_offset* offsets_;
  Id* columns_;
  Weight* to_;
};

template <class Id, class Weight>
shared_array<Weight> write_rows(const graph& g, std::span<const std::int64_t> order, const Id* ids,
                                const Weight* weights, int threads, const std::stop_token& stop,
                                graph& out) {
  out.indices = shared_array<Id>(static_cast<std::size_t>(g.arcs()));
  shared_array<Weight> to(weights == nullptr ? 0 : static_cast<std::size_t>(g.arcs()));
  const row_writer<Id, Weight> rows(g, ids, weights, out, to);
  const std::int64_t n = g.vertices();
  std::vector<std::vector<std::pair<Id, edge_offset>>> spaces(static_cast<std::size_t>(threads));
  detail::parallel_blocks(threads, (n + detail::vertex_grain - 1) / detail::vertex_grain,
                          [&](int thread, std::int64_t block) {
                            detail::check_stop(stop, renumbering);
                            const std::int64_t first = block * detail::vertex_grain;
                            for (std::int64_t i = first;
                                 i < std::min(n, first + detail::vertex_grain); ++i)
                              rows.write(i, order[static_cast<std::size_t>(i)],
                                         spaces[static_cast<std::size_t>(thread)]);
                          });
  return to;
}

template <class Id>
void renumber(const graph& g, std::span<const std::int64_t> order, int threads,
              const std::stop_token& stop, graph& out) {
  const std::int64_t n = g.vertices();
  detail::stop_watch watch(stop, renumbering);
  const auto ids = new_ids<Id>(n, order, watch);
  out.offsets = shared_array<edge_offset>(static_cast<std::size_t>(n) + 1);
  out.names.texts = g.names.texts;
  out.names.map = shared_array<std::int64_t>(static_cast<std::size_t>(n));
  out.offsets[0] = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    watch.step();
    const std::int64_t v = order[static_cast<std::size_t>(i)];
    out.offsets[i + 1] = out.offsets[i] + g.degree(v);
    out.names.map[i] = g.names.name(v);
  }
  std::visit(
      [&](const auto& weights) {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          write_rows<Id, char>(g, order, ids.data(), nullptr, threads, stop, out);
        else
          out.weights = write_rows<Id>(g, order, ids.data(), weights.data(), threads, stop, out);
      },
      g.weights);
}

}  // namespace

graph renumbered(const graph& g, std::span<const std::int64_t> order, int threads,
                 const std::stop_token& stop) {
  graph out = detail::derived_from(g);
  out.steps.emplace_back("renumbered");
  threads = g.arcs() < 32768 ? 1 : detail::resolve_threads(threads);
  if (g.id_width() == 4)
    renumber<vertex32>(g, order, threads, stop, out);
  else
    renumber<vertex64>(g, order, threads, stop, out);
  return out;
}

}  // namespace gossamer
