// Engine host: one GPU rank's side of a search by a distributed worklist that its host thread
// drives (algorithm/host_worklist/loop.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "algorithm/host_worklist/route.hpp"
#include "algorithm/sssp/worklist_search.hpp"

namespace gossamer::sssp_detail {

inline algorithm_detail::host_list_options host_options(const sssp_options& options, double delta) {
  return {"sssp", algorithm_detail::route_by_name("sssp", options.route), delta,
          static_cast<std::size_t>(options.packet)};
}

/// The links between ranks, from row ranges: segments no larger than all that there can be to send.
inline algorithm_detail::host_list_graph make_host_graph(
    const machine& m, const std::vector<std::int64_t>& first, int distance_bytes,
    const algorithm_detail::host_list_options& options) {
  std::int64_t most = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) most = std::max(most, first[r + 1] - first[r]);
  if (options.route == algorithm_detail::message_route::ring) most = first.back();
  return {m, options, static_cast<std::size_t>(2 * distance_bytes), most};
}

/// As make_gpu_worklist(), links apart. In sssp/cuda, else absent: not_compiled.
template <class Distance>
std::unique_ptr<worklist_search<Distance>> make_host_worklist(
    const weighted_placement& on, int self, const algorithm_detail::host_list_options& options,
    bool short_rows);

/// What that takes of the rank's GPU, in bytes; no windows.
gpu_worklist_bytes host_worklist_bytes_of(const std::vector<std::int64_t>& first, int self,
                                          std::int64_t arcs, int distance_bytes,
                                          algorithm_detail::message_route route);

}  // namespace gossamer::sssp_detail
