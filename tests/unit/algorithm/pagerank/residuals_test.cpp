// The operator of pushed residuals on GPUs, on the host: what a residual is worth, and that
// residuals which are worth no work leave ranks within the tolerance, in its unit and with its
// rounding.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "algorithm/pagerank/async/cuda/residuals.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using pagerank_detail::cuda::residuals;

TEST(PagerankResiduals, LevelsAreHalvings) {
  const std::vector<std::uint8_t> least = {0, 3, 40};
  const residuals by{least.data(), nullptr, nullptr};
  EXPECT_EQ(by.level(0, 0.0), 0);
  EXPECT_EQ(by.level(0, std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(by.level(0, std::nextafter(1.0, 0.0)), 0);
  EXPECT_EQ(by.level(0, 1.0), 1);
  EXPECT_EQ(by.level(0, 1.999), 1);
  EXPECT_EQ(by.level(0, 2.0), 2);
  EXPECT_EQ(by.level(1, 7.999), 0);
  EXPECT_EQ(by.level(1, 8.0), 1);
  EXPECT_EQ(by.level(2, std::ldexp(1.0, 40)), 1);
  EXPECT_EQ(by.level(2, std::ldexp(1.0, 141)), 102);
  EXPECT_LT(residuals::priority(2), residuals::priority(1));
}

TEST(PagerankResiduals, OfOthersAreWorthSendingFromAnythingOn) {
  const std::vector<std::uint8_t> least = {residuals::own_least, 0};
  const residuals by{least.data(), nullptr, nullptr, residuals::base_for_own};
  EXPECT_EQ(by.level(0, std::nextafter(1.0, 0.0)), 0);
  EXPECT_EQ(by.level(0, 1.0), 1);
  EXPECT_EQ(by.level(0, 4.0), 3);
  EXPECT_EQ(by.level(1, 0.0), 0);
  EXPECT_EQ(by.level(1, std::ldexp(1.0, -255)), 1);
  EXPECT_GT(by.level(1, 1e-70), 0);
}

/// Pushed by one thread in any order, until nothing is worth work.
std::vector<double> pushed(const graph& g, double damping, double tolerance) {
  const auto n = static_cast<std::size_t>(g.vertices());
  std::vector<std::uint8_t> least(n);
  std::vector<double> share(n), ranks(n), sums(n);
  for (std::size_t v = 0; v < n; ++v) {
    const auto degree = static_cast<std::uint64_t>(g.degree(static_cast<std::int64_t>(v)));
    least[v] = static_cast<std::uint8_t>(std::bit_width(degree + 1) - 1);
    share[v] = degree > 0 ? damping / static_cast<double>(degree) : 0;
    ranks[v] =
        2 * static_cast<double>(g.vertices() + g.arcs()) / tolerance / static_cast<double>(n);
  }
  const residuals by{least.data(), share.data(), ranks.data()};
  const pagerank_detail::cuda::from_jumps start{0, ranks.data()};
  for (std::size_t v = 0; v < n; ++v) sums[v] = start.first(static_cast<std::int32_t>(v));
  for (bool any = true; any;) {
    any = false;
    g.visit([&](const auto& rows) {
      for (std::int64_t v = 0; v < g.vertices(); ++v) {
        double& sum = sums[static_cast<std::size_t>(v)];
        if (by.level(v, sum) == 0) continue;
        any = true;
        const double out = by.leave(v, std::exchange(sum, 0.0));
        for (const auto to : rows.row(v))
          sums[static_cast<std::size_t>(to)] +=
              residuals::propagate(out, arc<std::int64_t, no_weight>{v, 0, {}});
      }
    });
  }
  double total = 0;
  for (const double rank : ranks) total += rank;
  for (double& rank : ranks) rank /= total;
  return ranks;
}

TEST(PagerankResiduals, WhatIsLeftIsWithinTheTolerance) {
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    pagerank_options o;
    o.precision = 64;
    o.tolerance = number % 2 == 0 ? 1e-6 : 1e-12;
    o.damping = number % 3 == 0 ? 0.5 : 0.85;
    const auto verdict = verify_pagerank(g, pushed(g, o.damping, o.tolerance), o);
    ASSERT_TRUE(verdict.ok) << g.name << ": " << verdict.reason;
  }
}

TEST(PagerankResiduals, GoAlongArcsByWeight) {
  EXPECT_EQ(residuals::propagate(3, arc<std::int64_t, double>{0, 1, 0.5}), 1.5);
  EXPECT_EQ(residuals::propagate(3, arc<std::int64_t, no_weight>{0, 1, {}}), 3);
}

}  // namespace
}  // namespace gossamer
