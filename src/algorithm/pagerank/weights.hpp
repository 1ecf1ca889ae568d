// What a walk follows: the sum of each vertex's out-weights, and the share that each in-arc has.
#pragma once

#include <cstdint>
#include <stop_token>

#include "gossamer/graph/csr.hpp"

namespace gossamer::pagerank_detail {

/// usage_error for a graph without weights.
void require_weights(const graph& g);

/// Sum of out-weights of every vertex, 1 an arc unless `weighted`. usage_error without weights,
/// input_error naming the arc with one that is negative or not finite, or the vertex whose sum is
/// infinite.
shared_array<double> out_weights(const graph& g, bool weighted, const std::stop_token& stop = {});

/// Weight k of `in` over the out-weight of its source, for every in-arc.
template <class Value>
shared_array<Value> shares(const graph& in, const shared_array<double>& out_weight);

}  // namespace gossamer::pagerank_detail
