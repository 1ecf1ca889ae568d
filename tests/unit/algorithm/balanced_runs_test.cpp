// Balance as bfs, components and pagerank ask for it (sssp: sssp/properties_test.cpp). Results are
// those of ranks that give nothing away, on 200 small graphs and where all work starts with one
// rank. What they gave is counted; what the option cannot mean is refused. How it is given is
// tested in tests/unit/dataflow/stealing_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_components::expect_right;

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
  const auto& ranks = std::get<shared_array<double>>(found.ranks.get());
  const auto verdict = verify_pagerank(g, ranks.span(), o, jumps);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
  EXPECT_LE(found.change, o.tolerance);
}

class Balanced : public testing_machines::OnMachine {};

TEST_P(Balanced, ResultsAreTheSameOnTwoHundredGraphs) {
  const int step = machine_->size() == 3 ? 1 : 8;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    for (const std::string balance : {"none", "steal"}) {
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
  const auto found = search(*machine_, g, "steal", "ranges");
  ASSERT_NO_FATAL_FAILURE(expect_reached(g, found));
  const auto labels = label(*machine_, g, "steal");
  ASSERT_NO_FATAL_FAILURE(expect_right(g, labels));
  std::int64_t stolen = found.work->stolen + labels.work->stolen;
  for (const bool weighted : {false, true}) {
    const auto o = precise("steal", weighted);
    pagerank_solver solver(*machine_, g, o);
    for (int again = 0; again < 2; ++again) {
      const auto ranked = solver.run(jumps);
      ASSERT_NO_FATAL_FAILURE(expect_fixed_point(g, ranked, o, jumps));
      stolen += ranked.work->stolen;
    }
  }
  EXPECT_EQ(stolen > 0, machine_->size() > 1);
}

// In virtual time every run is the same: each of the three has given something away.
TEST(BalancedSim, EachOfThemGivesWorkAway) {
  machine m = machine::open("sim:peach2,ranks=4");
  const graph g = four_apart();
  std::vector<double> jumps(static_cast<std::size_t>(g.vertices()));
  std::fill_n(jumps.begin(), 1000, 1.0);
  EXPECT_GT(search(m, g, "steal", "ranges").work->stolen, 0);
  EXPECT_GT(label(m, g, "steal").work->stolen, 0);
  EXPECT_GT(pagerank(m, g, precise("steal", true), jumps).work->stolen, 0);
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
  const std::string names = ": unknown balance 'push' (there are none, steal)";
  EXPECT_EQ(bfs_says("async", "push"), "bfs" + names);
  EXPECT_EQ(components_say("async", "push"), "components" + names);
  EXPECT_EQ(pagerank_says("async", "push"), "pagerank" + names);
  const std::string sync = ": balance 'steal' is of engines 'async' and 'host', and this is 'sync'";
  EXPECT_EQ(bfs_says("auto", "steal"), "bfs" + sync);
  EXPECT_EQ(components_say("auto", "steal"), "components" + sync);
  EXPECT_EQ(pagerank_says("auto", "steal"), "pagerank" + sync);
}

INSTANTIATE_TEST_SUITE_P(Machines, Balanced, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
