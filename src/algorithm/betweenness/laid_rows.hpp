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
/// What a run asks of rows.
struct row_uses {
  bool edges = false;  ///< arcs have scores, and keep their order
  std::int64_t searches = 0;
};
/// Of this graph; whether arcs are parallel is looked up once.
row_steps steps_of(const graph& g, const row_uses& uses);
/// Of a graph that is not there yet, at most.
row_steps possible_steps(bool symmetric, const row_uses& uses);

/// Bytes that rows take, and their making.
std::int64_t laying_out_bytes(const graph_sizes& g, const row_steps& steps);

struct laid_rows {
  graph out;                             ///< the caller's arrays where nothing had to be done
  shared_array<std::int64_t> vertex_of;  ///< [n] of each row; empty: its own number
  shared_array<std::int64_t> row_of;     ///< [n] the other way
};

/// Rows, and those of arcs in, which are the same of a symmetric graph; where an earlier call left
/// them, or made. Seconds: what making them took, or 0.
struct found_rows {
  std::shared_ptr<const laid_rows> rows;
  std::shared_ptr<const graph> reversed;  ///< null where `rows` are symmetric
  double laying_out = 0, reversing = 0;

  [[nodiscard]] const graph& in() const { return reversed ? *reversed : rows->out; }
};
found_rows lay_out(const graph& g, const row_uses& uses, const std::stop_token& stop);

}  // namespace gossamer::betweenness_detail
