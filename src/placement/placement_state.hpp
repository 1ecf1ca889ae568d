// What a placed graph holds, and the steps that make it. Private to the layer.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <numeric>
#include <ranges>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "placement/layout.hpp"

namespace gossamer {

namespace placement_detail {

/// Slices and tables of one id width. Buffers are empty where the caller's arrays are shared.
template <class Id>
struct typed_slices {
  shared_array<Id> placed_of, vertex_of;  ///< empty when the permutation is the identity
  std::vector<graph_slice<Id>> slices;
  std::vector<column_slice<Id>> column_slices;  ///< in place of them, if placed by columns
  std::vector<const Id*> vertex_of_at;          ///< vertex_of in each rank's native memory
  std::vector<buffer<edge_offset>> offsets;
  std::vector<buffer<Id>> columns;
};

/// 4 or 8: the graph's own width unless padding makes placed ids leave 31 bits.
inline int placed_width(const division& d, const graph_shape& g) {
  if (g.id_width == 8) return 8;
  const std::int64_t padded = g.vertices + 64 * static_cast<std::int64_t>(d.shares.size());
  return padded > std::numeric_limits<vertex32>::max() ? 8 : 4;
}

/// Bytes of an ownership's tables in device memory.
inline std::int64_t ownership_bytes(const ownership_sizes& o) {
  return o.blocks() * 12 + std::int64_t{8} * (o.ranks() + 1);
}

/// Adds what the slices and tables of a placement take, and spills what `plan`'s limits do not hold
/// if it may; `rows` and `arcs`: how sure the numbers of a rank's rows and arcs are.
void plan_slices(memory_plan& plan, const machine& m, const graph_shape& g, const division& d,
                 const place_options& how, certainty rows, certainty arcs);

}  // namespace placement_detail

struct placed_graph::state {
  graph source;  ///< of a graph made on the ranks: its facts alone
  std::int64_t vertices = 0, arcs = 0;
  bool whole = true;                            ///< `source` has the graph's arrays
  std::uint64_t made_of = 0;                    ///< digest of what it was made of, unless whole
  std::vector<buffer<std::int64_t>> list_ends;  ///< by rank, of graphs made on the ranks
  graph reversed;                               ///< directed graphs with in-adjacency
  machine* on = nullptr;
  ownership owners;
  std::vector<std::int64_t> bounds;
  std::vector<ownership_view> owners_at;
  std::vector<buffer<std::byte>> owner_tables;
  memory_plan plan;
  bool identity = true, in_adjacency = false, by_columns = false;
  std::variant<placement_detail::typed_slices<vertex32>, placement_detail::typed_slices<vertex64>>
      typed;
  double seconds = 0;
  int uploads = 0;
};

namespace placement_detail {

/// [ranks + 1] of ranks that own ranges; `vertices`: of ids that are the caller's, else -1.
std::vector<std::int64_t> bounds_of(const ownership_sizes& owners, std::int64_t vertices);

/// Pages for the columns of `rows` rows of ids `width` bytes wide, `on_device` of them on the GPU:
/// those where most rows begin. A search looks at a row's first columns, seldom at the rest, and of
/// long rows least. Pages with about as many stay in order, so that there are few runs of them.
/// `begin_of(row)`: its first column, [rows + 1].
template <class Begin>
spread_pages hottest_pages(std::int64_t rows, std::int64_t width, std::int64_t on_device,
                           const Begin& begin_of) {
  const auto a_page = static_cast<std::int64_t>(spread_pages::bytes) / width;
  const std::int64_t pages = (begin_of(rows) + a_page - 1) / a_page;
  const auto numbers = std::views::iota(std::int64_t{0}, rows + 1);
  std::vector<int> heat;
  std::int64_t before = 0;
  for (std::int64_t p = 1; p <= pages; ++p) {
    const std::int64_t row =
        *std::ranges::lower_bound(numbers, std::min(p * a_page, begin_of(rows)), {}, begin_of);
    heat.push_back(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(row - before))));
    before = row;
  }
  std::vector<std::int64_t> order(heat.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return heat[static_cast<std::size_t>(a)] > heat[static_cast<std::size_t>(b)];
  });
  spread_pages where{std::vector<bool>(heat.size())};
  for (std::int64_t i = 0; i < std::min(on_device, pages); ++i)
    where.on_device[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  return where;
}

/// Copies the ownership tables to each rank's memory.
void place_owners(placed_graph::state& s);

}  // namespace placement_detail

}  // namespace gossamer
