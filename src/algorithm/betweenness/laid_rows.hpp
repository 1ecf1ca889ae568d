// Rows as searches read them: of a simple graph, with hubs in front where that pays, and reversed
// where the graph is directed. Made once for a graph, and kept with it.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::betweenness_detail {

/// What is done to a graph's rows.
struct row_steps {
  bool simplify = false;  ///< they are sorted, and parallel arcs made one
  bool hubs_first = false;
  bool reverse = false;
};
/// Of this graph; whether arcs are parallel is looked up once. Arcs that have scores keep their
/// order.
row_steps steps_of(const graph& g, bool edges);
/// Of a graph that is not there yet, at most.
row_steps possible_steps(bool symmetric, bool edges);

/// Bytes that rows take, and their making.
std::int64_t laying_out_bytes(const graph_sizes& g, const row_steps& steps);

struct laid_rows {
  graph out;                             ///< the caller's arrays where nothing had to be done
  graph in;                              ///< reversed; shares `out` where that is symmetric
  shared_array<std::int64_t> vertex_of;  ///< [n] of each row; empty: its own number
  shared_array<std::int64_t> row_of;     ///< [n] the other way
};

/// Found where an earlier call left it; `seconds`: what making it took, or 0.
std::shared_ptr<const laid_rows> lay_out(const graph& g, bool edges, double& seconds,
                                         const std::stop_token& stop);

}  // namespace gossamer::betweenness_detail
