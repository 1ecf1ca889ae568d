// What tests of shortest paths on CPUs and on GPUs share: Dijkstra's distances, the parents that
// are documented, the verifier, and graphs with weights.
#pragma once

#include <gtest/gtest.h>

#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer::testing_sssp {

using namespace testing_graphs;

inline void expect_right(const graph& g, const sssp_result& result) {
  std::visit(
      [&](const auto& d) {
        using distance = std::remove_reference_t<decltype(d[0])>;
        const auto want = serial_distances<distance>(g, result.source);
        ASSERT_EQ(d.size(), want.size());
        std::int64_t reached = 0;
        for (std::size_t v = 0; v < want.size(); ++v) {
          ASSERT_EQ(d[v], want[v]) << "vertex " << v;
          reached += want[v] < std::numeric_limits<distance>::max();
        }
        ASSERT_EQ(result.reached, reached);
        if (result.parents.empty()) return;
        const auto parents = serial_parents<distance>(g, result.source, want);
        for (std::size_t v = 0; v < parents.size(); ++v)
          ASSERT_EQ(result.parents[v], parents[v]) << "vertex " << v;
      },
      result.distances.get());
  const verification verdict = verify_sssp(g, result.source, result.distances,
                                           result.parents.span(), 0, {}, parent_rule::smallest);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

inline void expect_results_outlive_the_search(machine& m) {
  graph g = undirected("sparse", 4000, random_arcs(4000, 9000, 11));
  set_weights<float>(g, 100);
  std::vector<sssp_result> kept;
  {
    sssp_search search(m, g);
    for (std::int64_t s : {0, 1, 2}) kept.push_back(search.run(s));
  }
  for (const auto& result : kept) ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
}

inline graph weighted(const std::string& name) {
  generate_options weights;
  weights.weights = true;
  return generate(parse_generator(name), weights);
}

/// A middle whose row is cut into many chunks, and a path from it.
template <class Weight>
graph hub_and_path(std::int64_t n, std::int64_t middle, int most) {
  arc_list arcs;
  for (std::int64_t v = 0; v < n; v += 3) arcs.emplace_back(middle, v);
  for (std::int64_t v = 1; v < n; ++v) arcs.emplace_back(v - 1, v);
  graph g = undirected("hub", n, arcs);
  set_weights<Weight>(g, most);
  return g;
}

}  // namespace gossamer::testing_sssp
