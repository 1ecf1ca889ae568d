// A directed graph's arcs reversed: made once, they stay with the graph.
#pragma once

#include <memory>
#include <stop_token>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// Without weights; null of a symmetric graph. `seconds`: what reversing took, 0 where they were
/// there.
std::shared_ptr<const graph> reversed_arcs(const graph& g, const std::stop_token& stop,
                                           double& seconds);

}  // namespace gossamer::algorithm_detail
