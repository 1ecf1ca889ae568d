// What PageRank takes on a machine, by engine and kind of rank: the plan, and the arenas of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/vertex_parts.hpp"
#include "gossamer/algorithm/pagerank.hpp"

namespace gossamer::pagerank_detail {

/// What a plan is made from.
struct problem {
  std::int64_t vertices, arcs;
  int id_width;
  bool symmetric;
  bool skewed;                        ///< or not known not to be; CPUs only
  std::vector<std::int64_t> first;    ///< row ranges
  std::vector<std::int64_t> arcs_of;  ///< [ranks] of these ranges, in-arcs unless async; GPUs only
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  /// Of a GPU's part: which rows it has is known when there is a graph.
  certainty rows_are = certainty::at_most;
  algorithm_detail::vertex_parts parts = {};
};

/// `async`: the engine, here and below.
problem problem_of(const machine& m, const graph& g, bool async,
                   algorithm_detail::vertex_parts parts);
/// Of a graph that is not there yet.
problem problem_of(const machine& m, const graph_shape& g, algorithm_detail::vertex_parts parts);

memory_plan make_plan(const machine& m, const problem& p, const pagerank_options& o, bool async);
/// One a rank; of a graph that is there.
std::vector<arena_plan> make_arenas(const machine& m, const problem& p, const pagerank_options& o,
                                    bool async);

}  // namespace gossamer::pagerank_detail
