// The deterministic pass over arrivals: each vertex offers itself to those neighbours that lie one
// level below it, and keeps its place where its id in the caller's numbering is the smallest. The
// search has left one such parent with every row that it reached.
#pragma once

#include <atomic>
#include <cstdint>

#include "algorithm/bfs/vector_queue/steps.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::bfs_detail {

/// `depths`, `parents`: of this rank's rows; `all_depths`: by placed id; `vertex_of`: caller's
/// vertex by placed id, nullptr when they are the same.
template <class Id>
void smallest_parents_by_columns(const column_slice<Id>& of, const std::int32_t* depths,
                                 const std::int32_t* all_depths, const Id* vertex_of, int threads,
                                 Id* parents) {
  const auto name = [vertex_of](Id u) { return vertex_of == nullptr ? u : vertex_of[u]; };
  // Rows are shared by threads, which read nothing else of each other's.
  const auto offer = [&](Id& parent, Id u) {
    const std::atomic_ref<Id> held(parent);
    Id now = held.load(std::memory_order_relaxed);
    while (name(u) < name(now) && !held.compare_exchange_weak(now, u, std::memory_order_relaxed)) {
    }
  };
  for_pieces({threads}, of.vertices, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      if (all_depths[u] < 0) continue;
      for (edge_offset a = of.offsets[u]; a < of.offsets[u + 1]; ++a)
        if (depths[of.ends[a]] == all_depths[u] + 1) offer(parents[of.ends[a]], static_cast<Id>(u));
    }
  });
}

}  // namespace gossamer::bfs_detail
