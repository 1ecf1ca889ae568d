// What tests of searches by several engines share: all that a serial search says of a result.
#pragma once

#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::testing_bfs {

using namespace testing_graphs;

/// Counts, frontiers and depths, parents if they are `deterministic`; and the verifier agrees.
inline void expect_right(const graph& g, const bfs_result& found, const reference& want,
                         bool deterministic) {
  ASSERT_EQ(found.levels, want.levels);
  ASSERT_EQ(found.reached, want.reached);
  ASSERT_EQ(found.arcs_of_reached, want.arcs);
  std::vector<std::int64_t> frontiers;
  for (const bfs_level& level : found.per_level)
    frontiers.insert(frontiers.end(), static_cast<std::size_t>(level.levels), level.frontier);
  ASSERT_EQ(frontiers, want.frontiers);
  const auto depths = found.depths();
  const auto parents = found.parents();
  ASSERT_EQ(depths.size(), want.depths.size());
  for (std::size_t v = 0; v < depths.size(); ++v) {
    ASSERT_EQ(depths[v], want.depths[v]) << "vertex " << v;
    if (deterministic) {
      ASSERT_EQ(parents[v], want.smallest_parents[v]) << "vertex " << v;
    }
  }
  const auto verdict = verify_bfs(g, found.source, parents.span(), depths.span(), 0, {},
                                  deterministic ? parent_rule::smallest : parent_rule::any);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

/// check(graph, source, a serial search from it, placing, deterministic) on each shape: ranges of
/// vertices, then hashed ones by degree with the smallest parents.
template <class Check>
void on_shapes(const Check& check) {
  for (const graph& g : shapes()) {
    const std::int64_t source = g.vertices() / 2;
    const auto want = serial_bfs(g, source);
    for (const bool hashed : {false, true}) {
      place_options placing;
      placing.partition = hashed ? "hash" : "auto";
      if (hashed) placing.renumber = "degree";
      SCOPED_TRACE(g.name + ", " + placing.partition);
      ASSERT_NO_FATAL_FAILURE(check(g, source, want, placing, hashed));
    }
  }
}

/// A placement on which all ranks but the first own nothing.
inline place_options all_on_the_first(const graph& g) {
  place_options placing;
  placing.partition = "file";
  placing.part_of.assign(static_cast<std::size_t>(g.vertices()), 0);
  return placing;
}

}  // namespace gossamer::testing_bfs
