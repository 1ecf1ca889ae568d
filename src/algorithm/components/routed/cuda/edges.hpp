// Kernels of engine routed as functions: labels of the whole graph, hooked along edges that come in
// segments or lie there. What merges and compresses is in passes.hpp.
#pragma once

#include <cstdint>

#include "algorithm/components/sync/cuda/passes.hpp"
#include "algorithm/components/sync/hook.hpp"

namespace gossamer::components_detail::cuda {

/// labels[v] := v.
template <class Id>
void own_labels(const launch_site& on, vertex_span of, Id* labels);
/// Joins the ends of each edge.
template <class Id>
void hook_edges(const launch_site& on, const edge<Id>* edges, std::int64_t count, Id* labels);

}  // namespace gossamer::components_detail::cuda
