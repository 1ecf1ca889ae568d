// The pass for smallest parents, of searches that keep parents and depths in the GPU's memory.
#pragma once

#include "algorithm/bfs/cuda/launch.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::bfs_detail::cuda {

/// Collective: depths go to all ranks' `all_depths` first. `parents` and `depths`: of the slice.
template <class Id>
void smallest_parents_of(rank& r, const placed_graph& g, const graph_slice<Id>& slice, Id* parents,
                         std::int32_t* depths, const window<std::int32_t>& all_depths) {
  level_view<Id> v{};
  v.rows = slice.rows;
  v.in_offsets = slice.in_offsets;
  v.in_columns = slice.in_columns;
  v.parents = parents;
  v.depths = depths;
  const std::int32_t* all = depths;
  const int me = r.id(), ranks = r.size();
  if (ranks > 1) {
    const ownership& owners = g.owners();
    const std::int64_t block = std::int64_t{1} << owners.view().block_bits;
    for (int k = 0; k < ranks; ++k)
      for (std::int64_t i = 0; i < slice.rows; i += block)
        r.put(all_depths, (me + k) % ranks, static_cast<std::size_t>(owners.global(me, i)),
              std::span<const std::int32_t>(depths + i, static_cast<std::size_t>(block)));
    r.barrier();
    all = all_depths.local().data();
  }
  const launch_site site{r.stream().native(), g.on()[me].units, ranks > 1};
  if (slice.rows > 0) smallest_parents(site, v, all, g.vertex_of_placed<Id>(me));
  r.synchronize();
}

}  // namespace gossamer::bfs_detail::cuda
