// What PageRank takes on a machine, by engine and kind of rank: the plan, and the arenas of a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/placement/ordered_rows.hpp"

namespace gossamer::pagerank_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  bool symmetric = false;
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  vertex_ranges ranges = {};  ///< engine sync: which rows each rank pulls
  planned_rows rows = {};     ///< engines async and host, as the next
  memory_plan placing = {};
  bool laid_by_host = false;  ///< engine sync on GPUs: rows are not built there
};

/// The options have the engine's name, here and below.
problem problem_of(const machine& m, const graph& g, const pagerank_options& o);
/// Of a graph that is not there yet.
problem problem_of(const machine& m, const graph_shape& g, const pagerank_options& o);
/// Engine sync: how rows are shared out, and whose arcs evenly.
place_options ranges_of(const machine& m, const pagerank_options& o);
balanced balanced_by(const machine& m);

/// Rows of the longest of [ranks + 1] ranges.
std::int64_t longest_range(std::span<const std::int64_t> first);
/// Whether ranges begin elsewhere than blocks as long as the longest one would, one a rank.
bool is_padded(std::span<const std::int64_t> first);

/// What it takes.
algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const pagerank_options& o);

}  // namespace gossamer::pagerank_detail
