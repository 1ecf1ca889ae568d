// How many of several GPUs worklists of shortest paths take, by their plans: the GPUs are those of
// tests/fake_gpu, and no search runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithm/sssp/planning.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

class SsspRanks : public ::testing::Test {
 protected:
  const testing::scoped_variable peers_{"GOSSAMER_TEST_PEERS", "on"};

  /// `longest`: 0, not known.
  static graph_shape shape(std::int64_t vertices, std::int64_t degree, std::int64_t longest) {
    graph_shape g;
    g.longest_row = longest;
    g.vertices = vertices;
    g.arcs = degree * vertices;
    g.symmetric = true;
    return g;
  }
  /// Those on whose GPUs the plan has bytes. By default memory is no reason for more than one.
  static int ranks(const graph_shape& g, const std::string& engine,
                   rank_use use = rank_use::automatic, const char* spec = "cuda:0-1",
                   std::int64_t memory = std::int64_t{1} << 40) {
    const machine m = machine::open(spec);
    sssp_options options;
    options.engine = engine;
    options.use = use;
    options.memory = memory;
    std::set<int> used;
    for (const auto& e : sssp_search::plan(m, g, 4, options).entries)
      if (e.kind == memory_kind::device) used.insert(e.rank);
    return static_cast<int>(used.size());
  }
};

constexpr std::int64_t many = 100'000'000;

TEST_F(SsspRanks, OneForSmallGraphs) {
  for (const char* engine : {"async", "host"}) {
    EXPECT_EQ(ranks(shape(many / 13, 34, 0), engine), 1);
    EXPECT_EQ(ranks(shape(many / 13, 36, 0), engine), 2);
    EXPECT_EQ(ranks(shape(1'000'000, 30, 0), engine, rank_use::all), 2);
    // Who has ranks share a GPU has asked for them by name.
    EXPECT_EQ(ranks(shape(1'000'000, 30, 0), engine, rank_use::automatic, "cuda:0*2"), 2);
  }
}

TEST_F(SsspRanks, OneForNetworksOfAnySize) {
  for (const char* engine : {"async", "host"}) {
    EXPECT_EQ(ranks(shape(many, 3, 4), engine), 1);
    EXPECT_EQ(ranks(shape(many, 3, 4), engine, rank_use::all), 2);
    // As many arcs in the mean, but with hubs, or who knows.
    EXPECT_EQ(ranks(shape(many, 3, 1000), engine), 2);
    EXPECT_EQ(ranks(shape(many, 3, 0), engine), 2);
  }
}

TEST_F(SsspRanks, AllMakesAutoAsyncAndHostWhereKernelsTakeTurns) {
  const auto engine = [](const char* spec, rank_use use) {
    return sssp_detail::auto_engine(machine::open(spec), use, false).name;
  };
  EXPECT_EQ(engine("cuda:0-1", rank_use::automatic), "sync");
  EXPECT_EQ(engine("cuda:0-1", rank_use::all), "async");
  EXPECT_EQ(engine("cuda:0", rank_use::all), "sync");
  EXPECT_EQ(engine("cuda:0*2", rank_use::all), "host");
  EXPECT_EQ(engine("cpu:2x1", rank_use::all), "sync");
}

TEST_F(SsspRanks, AutoTakesAllForManyArcsThatLeadToHubs) {
  const auto shares = [](const graph_shape& g) {
    sssp_options options;
    options.memory = std::int64_t{1} << 40;
    const memory_plan plan = sssp_search::plan(machine::open("cuda:0-1"), g, 4, options);
    return std::ranges::any_of(plan.entries, [](const memory_plan::entry& e) {
      return e.purpose == "columns" && e.rank == 1;
    });
  };
  EXPECT_TRUE(shares(shape(many / 13, 36, 10'000)));
  EXPECT_FALSE(shares(shape(many / 13, 36, 40)));
  EXPECT_FALSE(shares(shape(many / 13, 34, 10'000)));
  EXPECT_FALSE(shares(shape(many / 13, 36, 0)));  // who knows
  EXPECT_FALSE(shares(shape(many, 3, 4)));
  graph_shape directed = shape(many / 13, 36, 10'000);
  directed.symmetric = false;
  EXPECT_FALSE(shares(directed));
  EXPECT_EQ(sssp_detail::auto_engine(machine::open("cuda:0-1"), rank_use::automatic, true).name,
            "async");
}

TEST_F(SsspRanks, AllWhereOneLacksMemory) {
  const graph_shape g = shape(many, 3, 4);
  sssp_options options;
  options.engine = "host";
  options.spill = spilling::none;
  const machine one = machine::open("cuda:0");
  const std::int64_t needs = sssp_search::plan(one, g, 4, options).of(0);
  EXPECT_EQ(ranks(g, "host", rank_use::automatic, "cuda:0-1", needs), 1);
  EXPECT_EQ(ranks(g, "host", rank_use::automatic, "cuda:0-1", needs - 1), 2);
}

}  // namespace
}  // namespace gossamer
