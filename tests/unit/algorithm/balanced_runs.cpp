// Balance as bfs, components and pagerank ask for it (sssp: sssp_properties.cpp): results are those
// of ranks that give nothing away, on 200 small graphs and where all work starts with one rank;
// what they gave is counted; what the option cannot mean is refused. How it is given is tested in
// tests/unit/dataflow/balance.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components_checks.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/message_of.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_components::expect_right;

constexpr const char* policies[] = {"steal", "move"};
constexpr const char* all_policies[] = {"none", "steal", "move"};

/// Four graphs beside each other, of as many vertices and arcs: what starts in the first is work of
/// the first ranks alone, unless they give it away. Weighted.
graph four_apart() {
  constexpr std::int64_t each = 4000;
  arc_list edges;
  for (std::int64_t part = 0; part < 4; ++part)
    for (const auto& [u, v] : random_arcs(each, 5 * each, 7))
      edges.emplace_back(part * each + u, part * each + v);
  graph g = undirected("four apart", 4 * each, edges);
  set_weights<std::int32_t>(g, 9);
  return g;
}

bfs_result search(machine& m, const graph& g, const std::string& balance,
                  const std::string& partition) {
  bfs_options options;
  options.engine = "async";
  options.balance = balance;
  place_options placing;
  placing.partition = partition;
  if (partition == "hash") placing.renumber = "degree";
  return bfs_search(std::make_shared<const placed_graph>(place(m, g, placing)), options).run(0);
}

components_result label(machine& m, const graph& g, const std::string& balance) {
  components_options options;
  options.engine = "async";
  options.balance = balance;
  return components(m, g, options);
}

pagerank_options precise(const std::string& balance, bool weighted) {
  pagerank_options options;
  options.engine = "async";
  options.balance = balance;
  options.weighted = weighted;
  options.precision = 64;
  options.tolerance = 1e-11;  // a residual that is lost or counted twice is more than that
  return options;
}

void expect_reached(const graph& g, const bfs_result& found) {
  const auto want = serial_bfs(g, 0);
  const auto parents = found.parents();
  const auto depths = found.depths();
  ASSERT_TRUE(std::equal(depths.begin(), depths.end(), want.depths.begin(), want.depths.end()));
  const auto verdict = verify_bfs(g, 0, parents.span(), depths.span());
  ASSERT_TRUE(verdict.ok) << verdict.reason;
  EXPECT_EQ(found.work->items - found.work->repeated, want.reached);
}

void expect_fixed_point(const graph& g, const pagerank_result& found, const pagerank_options& o,
                        std::span<const double> jumps = {}) {
  const auto& ranks = std::get<shared_array<double>>(found.ranks);
  const auto verdict = verify_pagerank(g, ranks.span(), o, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
  EXPECT_LE(found.change, o.tolerance);
}

/// Whether work was given away, as the policy does.
std::int64_t given(const worklist_counters& work, const std::string& balance) {
  EXPECT_EQ(balance == "steal" ? work.moved : work.stolen, 0);
  return balance == "steal" ? work.stolen : work.moved;
}

class Balanced : public testing_machines::OnMachine {};

TEST_P(Balanced, ResultsAreTheSameOnTwoHundredGraphs) {
  const int step = machine_->size() == 3 ? 1 : 8;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    for (const std::string balance : all_policies) {
      SCOPED_TRACE(g.name + ", " + balance);
      ASSERT_NO_FATAL_FAILURE(expect_reached(g, search(*machine_, g, balance, "auto")));
      ASSERT_NO_FATAL_FAILURE(expect_reached(g, search(*machine_, g, balance, "hash")));
      ASSERT_NO_FATAL_FAILURE(expect_right(g, label(*machine_, g, balance)));
      const auto o = precise(balance, false);
      ASSERT_NO_FATAL_FAILURE(expect_fixed_point(g, pagerank(*machine_, g, o), o));
    }
  }
}

TEST_P(Balanced, WorkOfOneRankIsShared) {
  const graph g = four_apart();
  std::vector<double> jumps(static_cast<std::size_t>(g.vertices()));
  std::fill_n(jumps.begin(), 1000, 1.0);
  for (const std::string balance : policies) {
    SCOPED_TRACE(balance);
    std::int64_t shared = 0;
    const auto found = search(*machine_, g, balance, "ranges");
    ASSERT_NO_FATAL_FAILURE(expect_reached(g, found));
    shared += given(*found.work, balance);
    const auto labels = label(*machine_, g, balance);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, labels));
    shared += given(*labels.work, balance);
    for (const bool weighted : {false, true}) {
      const auto o = precise(balance, weighted);
      pagerank_solver solver(*machine_, g, o);
      for (int again = 0; again < 2; ++again) {  // values have come home
        const auto ranked = solver.run(jumps);
        ASSERT_NO_FATAL_FAILURE(expect_fixed_point(g, ranked, o, jumps));
        shared += given(*ranked.work, balance);
      }
    }
    if (machine_->size() == 1) {
      EXPECT_EQ(shared, 0);
    } else {
      EXPECT_GT(shared, 0);
    }
  }
}

// In virtual time every run is the same: each of the three has given something away.
TEST(BalancedSim, EachOfThemGivesWorkAway) {
  machine m = machine::open("sim:peach2,ranks=4");
  const graph g = four_apart();
  std::vector<double> jumps(static_cast<std::size_t>(g.vertices()));
  std::fill_n(jumps.begin(), 1000, 1.0);
  for (const std::string balance : policies) {
    SCOPED_TRACE(balance);
    EXPECT_GT(given(*search(m, g, balance, "ranges").work, balance), 0);
    EXPECT_GT(given(*label(m, g, balance).work, balance), 0);
    EXPECT_GT(given(*pagerank(m, g, precise(balance, true), jumps).work, balance), 0);
  }
}

TEST_P(Balanced, BlocksThatMoveArePlanned) {
  const graph g = four_apart();
  const auto host = [](const memory_plan& plan) {
    std::int64_t bytes = 0;
    for (const auto& e : plan.entries) bytes += e.bytes;
    return bytes;
  };
  const auto of_bfs = [&](const std::string& balance) {
    bfs_options o;
    o.engine = "async";
    o.balance = balance;
    return host(bfs_search::plan(place(*machine_, g), o));
  };
  const auto of_components = [&](const std::string& balance) {
    components_options o;
    o.engine = "async";
    o.balance = balance;
    return host(components_search::plan(*machine_, g, o));
  };
  const auto of_pagerank = [&](const std::string& balance) {
    return host(pagerank_solver::plan(*machine_, g, precise(balance, true)));
  };
  // Room for arcs of others, and offsets of all rows on each rank.
  const std::int64_t offsets = machine_->size() * g.vertices() * 8;
  const auto more = [&](std::int64_t arc) {
    return machine_->size() == 1 ? 0 : offsets + g.arcs() * arc;
  };
  EXPECT_GE(of_bfs("move") - of_bfs("none"), more(4));
  EXPECT_GE(of_components("move") - of_components("none"), more(4));
  EXPECT_GE(of_pagerank("move") - of_pagerank("none"), more(4 + 4));
  EXPECT_EQ(of_bfs("steal"), of_bfs("none"));
  EXPECT_EQ(of_pagerank("steal"), of_pagerank("none"));
}

TEST(BalancedErrors, OtherNamesAndEnginesAreRefused) {
  machine m = machine::open("cpu:2x1");
  const graph g = undirected("path", 3, {{0, 1}, {1, 2}});
  const auto bfs_says = [&](const std::string& engine, const std::string& balance) {
    bfs_options o;
    o.engine = engine;
    o.balance = balance;
    return message_of<usage_error>([&] { bfs(m, g, 0, o); });
  };
  const auto components_say = [&](const std::string& engine, const std::string& balance) {
    components_options o;
    o.engine = engine;
    o.balance = balance;
    return message_of<usage_error>([&] { components(m, g, o); });
  };
  const auto pagerank_says = [&](const std::string& engine, const std::string& balance) {
    pagerank_options o;
    o.engine = engine;
    o.balance = balance;
    return message_of<usage_error>([&] { pagerank(m, g, o); });
  };
  const std::string names = ": there is no balance 'push': none, steal and move are";
  EXPECT_EQ(bfs_says("async", "push"), "bfs" + names);
  EXPECT_EQ(components_say("async", "push"), "components" + names);
  EXPECT_EQ(pagerank_says("async", "push"), "pagerank" + names);
  const std::string sync = ": balance 'steal' is of engine 'async', and this is 'sync'";
  EXPECT_EQ(bfs_says("auto", "steal"), "bfs" + sync);
  EXPECT_EQ(components_say("auto", "steal"), "components" + sync);
  EXPECT_EQ(pagerank_says("auto", "steal"), "pagerank" + sync);
}

INSTANTIATE_TEST_SUITE_P(Machines, Balanced, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
