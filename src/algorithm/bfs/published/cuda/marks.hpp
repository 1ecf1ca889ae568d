// The kernels of paper B's search as functions. Of level_view they see rows, parents and depths,
// ownership, counters and report; `next` is the frontier, which merge_marks writes over.
//
// A mark is a parent by its local index at the rank that found it. Own vertices are marked in
// `parents`, which merge_marks turns into placed ids.
#pragma once

#include <cstdint>

#include "algorithm/bfs/cuda/launch.hpp"

namespace gossamer::bfs_detail::cuda {

/// Where peers' vertices are marked.
struct outgoing_marks {
  std::int32_t* parents;
  const std::int64_t* first;  ///< [ranks] where each peer's begin
};

template <class Id>
void enter_frontier(const launch_site& on, const level_view<Id>& v, std::int64_t source);
/// n >= 1 vertices of the frontier.
template <class Id>
void mark_neighbours(const launch_site& on, const level_view<Id>& v, std::int64_t n,
                     const outgoing_marks& to);
/// rows >= 1. Reports the next frontier's vertices, and the arcs looked at since the last report.
template <class Id>
void merge_marks(const launch_site& on, const level_view<Id>& v, const std::int32_t* inbox);

}  // namespace gossamer::bfs_detail::cuda
