// Engine, bytes by rank and purpose, and arenas of components.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/engine_choice.hpp"
#include "gossamer/algorithm/connected_components.hpp"

namespace gossamer::components_detail {

/// Labels that engine sync fetches from another rank in one get.
inline constexpr std::int64_t fetched = 65536;

/// `asked` as users name engines; the measurements that auto goes by are in
/// docs/design/components.md.
algorithm_detail::engine_choice choose_engine(const machine& m, const std::string& asked);

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t arcs;
  int id_width;
  bool symmetric;
  std::vector<std::int64_t> first;     ///< row ranges
  std::vector<std::int64_t> own_arcs;  ///< of each
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;

  [[nodiscard]] std::int64_t vertices() const { return first.back(); }
};
problem problem_of(const machine& m, const graph& g);
problem problem_of(const machine& m, const graph_shape& g);

memory_plan make_plan(const machine& m, const problem& p, const components_options& options);

/// Of a run; `engine`: sync or async.
std::vector<arena_plan> make_arenas(const machine& m, const problem& p, const std::string& engine);

}  // namespace gossamer::components_detail
