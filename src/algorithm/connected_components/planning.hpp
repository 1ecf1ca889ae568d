// Engine, bytes by rank and purpose, and arenas of components.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/chosen_ranks.hpp"
#include "algorithm/engine_choice.hpp"
#include "algorithm/vertex_parts.hpp"
#include "gossamer/algorithm/connected_components.hpp"

namespace gossamer::components_detail {

/// Labels that engine sync fetches from another rank in one get.
inline constexpr std::int64_t fetched = 65536;

/// `asked` as users name engines; the measurements that auto goes by are in
/// docs/design/components.md.
/// Of several GPUs one alone, unless rows are short: with long ones the sample leaves next to
/// nothing to hook, and labels of all vertices would have to be merged. H200: kron:22 takes 0.16 ms
/// on one, where merging the labels of two takes 0.06.
algorithm_detail::chosen_ranks choose_ranks(const machine& all, rank_use use, std::int64_t vertices,
                                            std::int64_t arcs);
algorithm_detail::engine_choice choose_engine(const machine& m, const std::string& asked);

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t arcs;
  int id_width;
  bool symmetric;
  std::vector<std::int64_t> first;     ///< row ranges
  std::vector<std::int64_t> own_arcs;  ///< of each GPU's
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  algorithm_detail::vertex_parts parts = {};

  [[nodiscard]] std::int64_t vertices() const { return first.back(); }
};
problem problem_of(const machine& m, const graph& g, algorithm_detail::vertex_parts parts);
problem problem_of(const machine& m, const graph_shape& g, algorithm_detail::vertex_parts parts);

/// Of GPUs: whether ranks could hook into each other's labels, and rows are of a kind whose ranges
/// may have few arcs to others: if they do, labels stay with their owners.
bool may_own_labels(const machine& m, bool symmetric, std::int64_t vertices, std::int64_t arcs);

memory_plan make_plan(const machine& m, const problem& p, const components_options& options);

/// Of a run; `engine`: the one of `options` by its name.
std::vector<arena_plan> make_arenas(const machine& m, const problem& p,
                                    const components_options& options, const std::string& engine);

}  // namespace gossamer::components_detail
