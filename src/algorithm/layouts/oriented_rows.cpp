// A counting sort by degree, then two passes over the arcs: one counts what rows will have, one
// fills and sorts them. Rows of early names are sorted by a bitmap of all that may be in them.
#include "algorithm/layouts/oriented_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::algorithm_detail {

namespace {

constexpr std::int64_t piece = 1024;          // vertices that a thread takes at a time
constexpr std::int64_t short_degrees = 4096;  // degrees that are counted one by one

/// Columns and weights of one direction's rows, parallel arcs as one.
template <class Id, class Value>
class distinct_row {
 public:
  distinct_row(const csr_view<Id>& rows, const weight_array& weights, std::int64_t v)
      : at_(rows.indices.data() + rows.offsets[v]),
        end_(rows.indices.data() + rows.offsets[v + 1]),
        first_(rows.indices.data()),
        weights_(weights) {}
  [[nodiscard]] bool ended() const { return at_ == end_; }
  [[nodiscard]] Id column() const { return *at_; }
  /// Goes behind the arcs to this column; their smallest weight.
  double take() {
    const Id* const from = at_;
    do ++at_;
    while (at_ != end_ && *at_ == *from);
    if constexpr (std::is_same_v<Value, double>)
      return std::visit(
          [&]<class Weights>(const Weights& w) -> double {
            if constexpr (std::is_same_v<Weights, std::monostate>)
              return 0;
            else
              return static_cast<double>(
                  *std::min_element(w.data() + (from - first_), w.data() + (at_ - first_)));
          },
          weights_);
    return 0;
  }

 private:
  const Id *at_, *end_, *first_;
  const weight_array& weights_;
};

build_options sorting(const graph& g, const std::stop_token& stop) {
  build_options options;
  options.known_symmetric = g.symmetric;
  options.stop = stop;
  return options;
}

/// Neighbours of vertices in the simple undirected graph.
template <class Id, class Value>
class neighbours {
 public:
  neighbours(const graph& g, const std::stop_token& stop, double largest)
      : out_(g.sorted ? g : rebuild(g, sorting(g, stop))),
        in_(g.symmetric ? graph() : out_.transposed(stop)),
        rows_(out_.view<Id>()),
        reversed_(g.symmetric ? csr_view<Id>() : in_.view<Id>()),
        largest_(largest) {}

  [[nodiscard]] std::int64_t degree(std::int64_t v) const {
    const auto length = [v](const csr_view<Id>& of) { return of.offsets[v + 1] - of.offsets[v]; };
    return length(rows_) + (out_.symmetric ? 0 : length(reversed_));
  }

  /// f(u, directions, value) for each, ascending.
  template <class F>
  void each(std::int64_t v, const F& f) const {
    distinct_row<Id, Value> out(rows_, out_.weights, v);
    if (out_.symmetric) {
      while (!out.ended()) {
        const Id u = out.column();
        const double weight = out.take();
        if (u != v) f(u, 1, root(weight));
      }
      return;
    }
    distinct_row<Id, Value> in(reversed_, in_.weights, v);
    while (!out.ended() || !in.ended()) {
      const bool has_out = !out.ended() && (in.ended() || out.column() <= in.column());
      const bool has_in = !in.ended() && (out.ended() || in.column() <= out.column());
      const Id u = has_out ? out.column() : in.column();
      double value = 0;
      if (has_out) value += root(out.take());
      if (has_in) value += root(in.take());
      if (u != v) f(u, has_out + has_in, value);
    }
  }

 private:
  [[nodiscard]] double root(double weight) const {
    // One over the smallest doubles is none.
    return std::is_same_v<Value, double> && largest_ > 0 ? std::cbrt(weight / largest_) : 0;
  }

  const graph out_, in_;
  const csr_view<Id> rows_, reversed_;
  const double largest_;
};

/// Blocks of vertices whose degrees are counted apart.
std::int64_t degree_blocks(std::int64_t n, int threads) {
  return n < (std::int64_t{1} << 16) ? 1 : threads;
}

/// New names by falling degree; of equal degrees in the old order. And the vertex of each name.
template <class Id, class Graph>
void name_by_degree(const Graph& of, std::int64_t n, const cpu_team& team, Id* name, Id* vertex) {
  const std::int64_t blocks = degree_blocks(n, team.threads);
  const auto first = [&](std::int64_t block) { return n * block / blocks; };
  std::vector<std::int64_t> next(static_cast<std::size_t>(blocks * (short_degrees + 1)), 0);
  const auto slot = [&](std::int64_t v) { return std::min(of.degree(v), short_degrees); };
  for_each(team, blocks, [&](std::int64_t b) {
    std::int64_t* const counts = next.data() + b * (short_degrees + 1);
    for (std::int64_t v = first(b); v < first(b + 1); ++v) ++counts[slot(v)];
  });
  std::int64_t at = 0;
  for (std::int64_t degree = short_degrees; degree >= 0; --degree)
    for (std::int64_t b = 0; b < blocks; ++b)
      at += std::exchange(next[static_cast<std::size_t>(b * (short_degrees + 1) + degree)], at);
  for_each(team, blocks, [&](std::int64_t b) {
    std::int64_t* const places = next.data() + b * (short_degrees + 1);
    for (std::int64_t v = first(b); v < first(b + 1); ++v)
      vertex[places[slot(v)]++] = static_cast<Id>(v);
  });
  const std::int64_t longer =
      next[static_cast<std::size_t>((blocks - 1) * (short_degrees + 1) + short_degrees)];
  std::sort(vertex, vertex + longer, [&](Id a, Id b) {
    const std::int64_t x = of.degree(a), y = of.degree(b);
    return x != y ? x > y : a < b;
  });
  for_pieces(team, n, piece * 16, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t v = from; v < to; ++v) name[vertex[v]] = static_cast<Id>(v);
  });
}

/// Sorts columns below `most`.
class column_sorter {
 public:
  template <class Id>
  void sort(std::span<Id> row, std::int64_t most) {
    if (row.size() < 2) return;
    const auto words = static_cast<std::size_t>((most + 63) / 64);
    // A word takes some quarter of what a comparison sort takes for a column.
    if (row.size() < 16 || words > bits_.size() || words > 8 * row.size())
      return std::sort(row.begin(), row.end());
    for (const Id u : row) bits_[static_cast<std::size_t>(u) >> 6] |= std::uint64_t{1} << (u & 63);
    Id* to = row.data();
    for (std::size_t w = 0; w < words; ++w) {
      for (std::uint64_t left = bits_[w]; left != 0; left &= left - 1)
        *to++ = static_cast<Id>(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      bits_[w] = 0;
    }
  }

 private:
  std::array<std::uint64_t, 1024> bits_{};
};

void check(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("triangles: stopped");
}

}  // namespace

template <class Id, class Value>
oriented_rows<Id, Value> orient(const graph& g, double largest, int threads,
                                const std::stop_token& stop) {
  const cpu_team team{threads};
  constexpr bool valued = !std::is_same_v<Value, std::monostate>;
  const std::int64_t n = g.vertices();
  const auto size = static_cast<std::size_t>(n);
  const neighbours<Id, Value> of(g, stop, largest);
  check(stop);
  oriented_rows<Id, Value> made;
  made.name = make_array<Id>(size);
  made.offsets = make_array<edge_offset>(size + 1);
  made.pairs = make_array<std::int64_t>(size);
  auto vertex = make_array<Id>(size);
  Id* const name = made.name.data();
  name_by_degree(of, n, team, name, vertex.data());
  check(stop);
  for_pieces(team, n, piece, [&](std::int64_t first, std::int64_t last) {
    if (stop.stop_requested()) return;
    for (std::int64_t v = first; v < last; ++v) {
      std::int64_t degree = 0, both = 0, before = 0;
      const Id own = name[v];
      of.each(v, [&](Id u, int directions, double) {
        degree += g.symmetric ? 1 : directions;
        both += directions == 2;
        before += name[u] < own;
      });
      made.offsets[static_cast<std::size_t>(own) + 1] = before;
      made.pairs[static_cast<std::size_t>(v)] =
          g.symmetric ? degree * (degree - 1) / 2 : degree * (degree - 1) - 2 * both;
    }
  });
  check(stop);
  made.offsets[0] = 0;
  for (std::size_t v = 0; v < size; ++v) made.offsets[v + 1] += made.offsets[v];
  const auto edges = static_cast<std::size_t>(made.offsets[size]);
  made.columns = make_array<Id>(edges);
  if constexpr (valued) made.values = make_array<Value>(edges);
  for_pieces(team, n, piece / 4, [&](std::int64_t first, std::int64_t last) {
    if (stop.stop_requested()) return;
    column_sorter sorter;
    std::vector<std::pair<Id, Value>> pairs;
    for (std::int64_t own = first; own < last; ++own) {
      Id* const begin = made.columns.data() + made.offsets[own];
      const auto length = static_cast<std::size_t>(made.offsets[own + 1] - made.offsets[own]);
      if constexpr (valued) pairs.clear();
      Id* to = begin;
      of.each(vertex[own], [&](Id u, int directions, double value) {
        if (name[u] >= own) return;
        if constexpr (std::is_same_v<Value, double>)
          pairs.emplace_back(name[u], value);
        else if constexpr (valued)
          pairs.emplace_back(name[u], static_cast<Value>(directions));
        else
          *to++ = name[u];
      });
      if constexpr (valued) {
        std::sort(pairs.begin(), pairs.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < length; ++i) {
          begin[i] = pairs[i].first;
          made.values[static_cast<std::size_t>(made.offsets[own]) + i] = pairs[i].second;
        }
      } else {
        sorter.sort(std::span(begin, length), own);
      }
    }
  });
  check(stop);
  return made;
}

oriented_bytes oriented_rows_bytes(std::int64_t vertices, std::int64_t arcs, int id_width,
                                   int value_width, int weight_width, bool symmetric, int threads) {
  const std::int64_t edges = symmetric ? arcs / 2 : arcs;
  oriented_bytes bytes;
  bytes.kept = vertices * (id_width + 16) + 8 + edges * (id_width + value_width);
  bytes.making = vertices * id_width + degree_blocks(vertices, threads) * (short_degrees + 1) * 8;
  if (symmetric) return bytes;
  bytes.making += (vertices + 1) * 8 + arcs * (id_width + weight_width);
  // Before there are rows, arcs are reversed.
  const graph_sizes reversed{vertices, arcs, id_width, weight_width};
  bytes.making = std::max(bytes.making, rebuild_bytes(reversed, {}) - bytes.kept);
  return bytes;
}

#define GOSSAMER_ORIENT(Id, Value) \
  template oriented_rows<Id, Value> orient(const graph&, double, int, const std::stop_token&);
GOSSAMER_ORIENT(vertex32, std::monostate)
GOSSAMER_ORIENT(vertex32, std::uint8_t)
GOSSAMER_ORIENT(vertex32, double)
GOSSAMER_ORIENT(vertex64, std::monostate)
GOSSAMER_ORIENT(vertex64, std::uint8_t)
GOSSAMER_ORIENT(vertex64, double)
#undef GOSSAMER_ORIENT

}  // namespace gossamer::algorithm_detail
