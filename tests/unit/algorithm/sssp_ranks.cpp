// How many of several GPUs worklists of shortest paths take, by their plans: the GPUs are those of
// tests/fake_gpu, and no search runs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "gossamer/algorithm/sssp.hpp"

namespace gossamer {
namespace {

class SsspRanks : public ::testing::Test {
 protected:
  void SetUp() override { setenv("GOSSAMER_TEST_PEERS", "on", 1); }
  void TearDown() override { unsetenv("GOSSAMER_TEST_PEERS"); }

  static graph_shape shape(std::int64_t vertices, std::int64_t degree) {
    graph_shape g;
    g.vertices = vertices;
    g.arcs = degree * vertices;
    g.symmetric = true;
    return g;
  }
  /// Those on whose GPUs the plan has bytes.
  int ranks(const graph_shape& g, const std::string& engine, rank_use use = rank_use::automatic,
            const char* spec = "cuda:0-1") {
    const machine m = machine::open(spec);
    sssp_options options;
    options.engine = engine;
    options.use = use;
    const auto plan = sssp_search::plan(m, g, 4, options);
    std::set<int> used;
    for (const auto& e : plan.entries)
      if (e.kind == memory_kind::device) used.insert(e.rank);
    return static_cast<int>(used.size());
  }
};

TEST_F(SsspRanks, OneForNetworksAndSmallGraphs) {
  for (const char* engine : {"async", "host"}) {
    EXPECT_EQ(ranks(shape(1'000'000, 3), engine), 1);
    EXPECT_EQ(ranks(shape(1'000'000, 30), engine), 1);
    EXPECT_EQ(ranks(shape(10'000'000, 30), engine), 2);
    EXPECT_EQ(ranks(shape(1'000'000, 3), engine, rank_use::all), 2);
    // Who has ranks share a GPU has asked for them by name.
    EXPECT_EQ(ranks(shape(1'000'000, 3), engine, rank_use::automatic, "cuda:0*2"), 2);
  }
}

}  // namespace
}  // namespace gossamer
