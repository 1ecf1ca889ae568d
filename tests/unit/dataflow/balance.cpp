// Balance between ranks: shortest paths equal Dijkstra's while work is stolen and blocks move, on
// graphs whose arcs lie with one rank; what was given away is counted, and nothing happens unasked.
#include <gtest/gtest.h>

#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"
#include "unit/dataflow/shortest_paths.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace testing_paths;

/// Whoever waits gets something.
worklist_options eager(balance_policy policy) {
  worklist_options options;
  options.name = "paths";
  options.delta = 20;
  options.batch = 4;
  options.parcels = {512, 2};
  options.balance.policy = policy;
  options.balance.least = 2;
  options.balance.blocks = 16;
  options.balance.guest_arcs = 1 << 16;
  return options;
}

/// Most arcs at the first of `ranks` equal parts, some of them of hubs, and a thin rest.
graph heavy_first(std::int64_t n, int ranks, std::uint64_t seed) {
  arc_list edges = random_arcs(n / ranks, 12 * n / ranks, seed);
  for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
  for (std::int64_t v = 0; v < n; v += 3) edges.emplace_back(5, v);
  return undirected("heavy", n, edges);
}

/// As many vertices each, whatever their arcs.
placed_graph spread_evenly(machine& m, const graph& g) {
  place_options placing;
  placing.partition = "ranges";
  return place(m, g, placing);
}

class Balance : public testing_machines::OnMachine {
 protected:
  worklist_counters check(const graph& g, const worklist_options& options, std::int64_t source);
};

worklist_counters Balance::check(const graph& g, const worklist_options& options,
                                 std::int64_t source) {
  const placed_graph placed = spread_evenly(*machine_, g);
  const auto want = dijkstra<std::uint32_t>(
      g, source, [](auto u, auto v, auto) { return weight_of<std::uint32_t>(u, v); });
  const auto found = paths_from<std::uint32_t>(placed, source, options);
  EXPECT_EQ(found.distances, want) << g.name << " from " << source;
  const auto reached = std::count_if(want.begin(), want.end(),
                                     [](auto d) { return d < min_plus<std::uint32_t>::far; });
  EXPECT_EQ(found.work.items - found.work.repeated, reached);
  return found.work;
}

TEST_P(Balance, IsRightOnManyGraphsWhateverGoesWhere) {
  const int p = machine_->size();
  for (const auto policy : {balance_policy::steal, balance_policy::move}) {
    worklist_counters all;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const graph g = heavy_first(300 + 211 * static_cast<std::int64_t>(seed), p, seed);
      for (const bool soft : {true, false}) {
        auto options = eager(policy);
        options.soft_priority = soft;
        options.delta = seed % 3 == 0 ? 1000 : 20;
        all.add(check(g, options, static_cast<std::int64_t>(seed * 7)));
      }
    }
    if (p == 1) {
      EXPECT_EQ(all.stolen + all.moved + all.given_bytes, 0);
    } else if (policy == balance_policy::steal) {
      EXPECT_GT(all.stolen, 0);
      EXPECT_EQ(all.moved + all.rerouted, 0);
    } else {
      EXPECT_GT(all.moved, 0);
      EXPECT_GT(all.rerouted, 0);  // items were in flight while their block moved
      EXPECT_EQ(all.stolen, 0);
    }
    EXPECT_EQ(all.given_bytes > 0, p > 1);
  }
}

TEST_P(Balance, IsOffUnlessAskedFor) {
  const auto work = check(heavy_first(1000, machine_->size(), 3), eager(balance_policy::none), 0);
  EXPECT_EQ(work.stolen + work.moved + work.given_bytes + work.rerouted, 0);
}

TEST_P(Balance, BlocksWithoutRoomForTheirArcsStay) {
  auto options = eager(balance_policy::move);
  options.balance.guest_arcs = 0;
  EXPECT_EQ(check(heavy_first(1000, machine_->size(), 4), options, 0).moved, 0);
}

TEST_P(Balance, ARowLongerThanAllPlacesIsShared) {
  // A hub's row has 2,000 arcs; two places hold 120.
  arc_list edges;
  for (std::int64_t v = 1; v < 2000; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(1, v);
  }
  auto options = eager(balance_policy::steal);
  options.balance.least = 1;
  check(undirected("hubs", 2000, edges), options, 3);
}

TEST_P(Balance, ABlockMovesMoreThanOnce) {
  // A wide front that lies with one rank after another; every block that has been given away has
  // new work when the front comes back.
  if (machine_->size() < 3) GTEST_SKIP() << "needs a third rank";
  auto options = eager(balance_policy::move);
  options.balance.blocks = 2;
  options.delta = 5;
  const std::int64_t n = 3000;
  std::int64_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    arc_list edges = random_arcs(n, 4 * n, seed);
    for (std::int64_t v = 0; v < n; ++v) edges.emplace_back(v, (v + n / 3) % n);
    const auto work = check(undirected("fronts", n, edges), options, 1);
    moved = std::max(moved, work.moved);
  }
  // In one run more than there are blocks that can: some have moved again.
  EXPECT_GT(moved, machine_->size() * 2);
}

INSTANTIATE_TEST_SUITE_P(Machines, Balance,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1", "cpu:7x1",
                                           "sim:peach2,ranks=4"),
                         testing_machines::spec_name<std::string>);

TEST(BalanceOptions, HaveToMakeSense) {
  machine m = machine::open("cpu:2x1");
  const graph g = heavy_first(100, 2, 1);
  const placed_graph placed = spread_evenly(m, g);
  const auto refused = [&](auto&& change) -> std::string {
    auto options = eager(balance_policy::move);
    change(options);
    try {
      paths_from<std::uint32_t>(placed, 0, options);
    } catch (const usage_error& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(refused([](auto& o) { o.balance.least = 0; }),
            "paths: balance gives away of one item at least");
  EXPECT_EQ(refused([](auto& o) { o.balance.blocks = 0; }), "paths: balance needs a block a rank");
  EXPECT_EQ(refused([](auto& o) { o.balance.guest_arcs = -1; }),
            "paths: room for arcs of guests cannot be negative");
  EXPECT_EQ(refused([](auto& o) { o.parcels.bytes = 64; }),
            "paths: balance needs parcels of 72 bytes");
  EXPECT_EQ(balance_by_name("paths", "steal"), balance_policy::steal);
  try {
    balance_by_name("paths", "push");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "paths: there is no balance 'push': none, steal and move are");
  }
}

}  // namespace
}  // namespace gossamer
