// Which engine and ranks components takes, its bytes by rank and purpose, and its arenas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/driver/chosen_ranks.hpp"
#include "algorithm/driver/engine_choice.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

using algorithm_detail::memory_layout;

/// Of several GPUs one alone, unless rows are short: with long ones the sample leaves next to
/// nothing to hook, and labels of all vertices would have to be merged. H200: kron:22 takes 0.16 ms
/// on one, where merging the labels of two takes 0.06.
algorithm_detail::chosen_ranks choose_ranks(const machine& all, rank_use use, std::int64_t vertices,
                                            std::int64_t arcs);
/// The measurements that auto goes by are in docs/design/components.md.
algorithm_detail::engine_choice auto_engine(const machine& m);

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices, arcs;
  int id_width;
  bool symmetric;
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  planned_rows rows = {};
  memory_plan placing = {};                ///< nothing where no rank owns rows: engine routed
  std::vector<std::int64_t> in_arcs = {};  ///< [ranks] of engine async, of directed graphs
  std::vector<std::int64_t> edges = {};    ///< [ranks] of engine routed, where they are prestaged
};
/// Of engine routed: whether rank 0's host hands out the edges in each run.
inline bool is_streamed(const components_options& options) {
  return options.edges == "streamed";
}
/// `options` has the engine's name, here and below.
problem problem_of(const machine& m, const graph& g, const components_options& options);
problem problem_of(const machine& m, const graph_shape& g, const components_options& options);
/// How an engine whose ranks own rows places a graph.
place_options placement_of(const components_options& options);

/// Of GPUs: whether labels may stay with their owners. Ranks must reach each other's labels, and
/// rows must be of a kind whose ranges may have few arcs to others. If they have, labels stay.
bool may_own_labels(const machine& m, bool symmetric, std::int64_t vertices, std::int64_t arcs);

/// What it takes.
memory_layout layout_of(const machine& m, const problem& p, const components_options& options);

}  // namespace gossamer::components_detail
