// The deterministic pass of CPU engines: of all in-neighbours one level up, the one whose id in the
// caller's numbering is smallest.
#pragma once

#include <cstdint>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/smallest_parents/share_depths.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::bfs_detail {

/// `depths`: of this rank's rows; `all_depths`: by placed id; `vertex_of`: caller's vertex by
/// placed id, nullptr when they are the same: then the first match of an ascending row is it.
template <class Id>
void smallest_parents_of(const graph_slice<Id>& slice, const std::int32_t* depths,
                         const std::int32_t* all_depths, const Id* vertex_of, bool ascending,
                         int threads, Id* parents) {
  // Directed graphs without in-adjacency have no rows to look through: see driver.cpp.
  const auto look = [&](std::int64_t v) {
    if (depths[v] <= 0) return;
    Id best = -1;
    for (edge_offset e = slice.in_offsets[v]; e < slice.in_offsets[v + 1]; ++e) {
      const Id u = slice.in_columns[e];
      if (all_depths[u] != depths[v] - 1) continue;
      const Id name = vertex_of == nullptr ? u : vertex_of[u];
      const Id least = best < 0 || vertex_of == nullptr ? best : vertex_of[best];
      if (best < 0 || name < least) best = u;
      if (vertex_of == nullptr && ascending) break;
    }
    parents[v] = best;
  };
  for_pieces({threads}, slice.rows, 4096, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t v = first; v < last; ++v) look(v);
  });
}

/// The same of a rank among others. Collective.
template <class Id>
void smallest_parents_of(rank& r, const placed_graph& g, const graph_slice<Id>& slice,
                         result_arrays<Id>& result, int threads,
                         const window<std::int32_t>& all_depths) {
  share_depths(r, all_depths, g.owners().view(), result.depths.data(), slice.rows);
  smallest_parents_of(slice, result.depths.data(), all_depths.local().data(),
                      g.vertex_of_placed<Id>(r.id()), g.sorted(), threads, result.parents.data());
}

}  // namespace gossamer::bfs_detail
