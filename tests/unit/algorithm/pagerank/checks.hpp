// What tests of PageRank on CPUs and on GPUs share.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace gossamer::testing_pagerank
