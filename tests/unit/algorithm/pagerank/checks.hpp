// What tests of PageRank on CPUs and on GPUs share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gossamer/algorithm/pagerank.hpp"

namespace gossamer::testing_pagerank {

inline std::vector<double> as_doubles(const rank_array& ranks) {
  return std::visit([](const auto& x) { return std::vector<double>(x.begin(), x.end()); }, ranks);
}

/// By a worklist of all ranks: a fixed point, and nothing left beyond the bound.
inline void expect_converged(const machine& m, const graph& g, const pagerank_options& options,
                             const std::vector<double>& jumps, const pagerank_result& result) {
  ASSERT_EQ(result.engine, options.engine);
  ASSERT_EQ(result.ranks_used, m.size());
  ASSERT_TRUE(result.work && result.converged);
  EXPECT_LE(result.change, options.tolerance);
  EXPECT_GT(result.milliseconds, 0);
  ASSERT_EQ(result.phases.size(), 1U);
  const auto verdict = verify_pagerank(g, as_doubles(result.ranks), options, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

/// By Groute's rule (`options.residual`): no vertex waits for more. Ranks are a fixed point within
/// what all wait for together.
inline void expect_left_alone(const graph& g, pagerank_options options,
                              const std::vector<double>& jumps, const pagerank_result& result) {
  ASSERT_TRUE(result.work && result.converged);
  EXPECT_LE(result.change, 2 * options.residual / (1 - options.damping - options.residual));
  options.tolerance = std::max(result.change, 1e-13);
  const auto verdict = verify_pagerank(g, as_doubles(result.ranks), options, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

}  // namespace gossamer::testing_pagerank
