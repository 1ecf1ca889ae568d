// What a search without levels reports: levels are counted from depths, there were none before.
#pragma once

#include <cstdint>
#include <span>

#include "algorithm/bfs/engine.hpp"

namespace gossamer::bfs_detail {

/// Collective. `depths` of the own vertices, -1 = not reached; `arcs` in the rows of those that
/// are.
void report_depths(rank& r, std::span<const std::int32_t> depths, std::int64_t arcs,
                   const worklist_counters& work, traversal& out);

}  // namespace gossamer::bfs_detail
