// Before the deterministic pass: every rank gets the depths of all vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/ownership.hpp"

namespace gossamer::bfs_detail {

/// Puts this rank's depths (in its native memory, by local index) into all ranks' `all_depths`, by
/// placed id: one put for blocks that are adjacent there. Collective, ends with a barrier.
inline void share_depths(rank& r, const window<std::int32_t>& all_depths,
                         const ownership_view& owners, const std::int32_t* depths,
                         std::int64_t rows) {
  const std::int64_t block = std::int64_t{1} << owners.block_bits;
  std::int64_t end = 0;
  for (std::int64_t at = 0; at < rows; at = end) {
    const std::int64_t placed = owners.global(r.id(), at);
    end = std::min(at + block, rows);
    while (end < rows && owners.global(r.id(), end) == placed + (end - at))
      end = std::min(end + block, rows);
    for (int step = 0; step < r.size(); ++step)
      r.put(all_depths, (r.id() + step) % r.size(), static_cast<std::size_t>(placed),
            std::span(depths + at, static_cast<std::size_t>(end - at)));
  }
  r.barrier();
}

}  // namespace gossamer::bfs_detail
