// Renumbered graphs against the arcs of the graph they were made from.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/graph/renumber.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

std::vector<std::int64_t> shuffled(std::int64_t n, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

TEST(Renumber, KeepsArcsWeightsAndNames) {
  for (const auto& s : test::samples()) {
    SCOPED_TRACE(s.name);
    const graph g = test::build_sample(s);
    const auto order = shuffled(g.vertices(), 7);
    const graph moved = renumbered(g, order);
    ASSERT_NO_THROW(moved.validate());
    EXPECT_EQ(moved.symmetric, g.symmetric);
    EXPECT_EQ(moved.id_width(), g.id_width());
    for (std::int64_t i = 0; i < g.vertices(); ++i)
      ASSERT_EQ(moved.names.name(i), g.names.name(order[static_cast<std::size_t>(i)]));
    auto arcs = test::stored_arcs(moved);
    for (auto& [u, v, w] : arcs) {
      u = order[static_cast<std::size_t>(u)];
      v = order[static_cast<std::size_t>(v)];
    }
    auto want = test::stored_arcs(g);
    std::sort(arcs.begin(), arcs.end());
    std::sort(want.begin(), want.end());
    ASSERT_EQ(arcs, want);
    EXPECT_GE(renumber_bytes(graph_sizes::of(g)), csr_bytes(graph_sizes::of(moved)));
  }
}

TEST(Renumber, RefusesWhatIsNoOrder) {
  const graph g = test::build_sample(test::samples().front());
  auto order = shuffled(g.vertices(), 1);
  ASSERT_GE(order.size(), 2U);
  const auto refused = [&] { renumbered(g, order); };
  order[0] = order[1];
  EXPECT_THROW(refused(), usage_error);
  order[0] = g.vertices();
  EXPECT_THROW(refused(), usage_error);
  order.pop_back();
  EXPECT_THROW(refused(), usage_error);
}

TEST(Renumber, Stops) {
  std::stop_source stop;
  stop.request_stop();
  const graph g = test::build_sample(test::samples().front());
  EXPECT_THROW(renumbered(g, shuffled(g.vertices(), 1), 0, stop.get_token()), cancelled_error);
}

}  // namespace
}  // namespace gossamer
