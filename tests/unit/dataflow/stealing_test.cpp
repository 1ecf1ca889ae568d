// Stealing between ranks: shortest paths equal Dijkstra's while rows are stolen, on graphs whose
// arcs lie with one rank; what was given away is counted, and nothing happens unasked.
#include <gtest/gtest.h>

#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"
#include "unit/dataflow/shortest_paths.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace testing_paths;

/// Whoever waits gets something.
worklist_options eager() {
  worklist_options options;
  options.name = "paths";
  options.delta = 20;
  options.batch = 4;
  options.parcels = {512, 2};
  options.steal = true;
  options.least_to_give = 2;
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

class Stealing : public testing_machines::OnMachine {
 protected:
  worklist_counters check(const graph& g, const worklist_options& options, std::int64_t source);
};

worklist_counters Stealing::check(const graph& g, const worklist_options& options,
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

TEST_P(Stealing, IsRightOnManyGraphs) {
  const int p = machine_->size();
  worklist_counters all;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const graph g = heavy_first(300 + 211 * static_cast<std::int64_t>(seed), p, seed);
    for (const bool soft : {true, false}) {
      auto options = eager();
      options.soft_priority = soft;
      options.delta = seed % 3 == 0 ? 1000 : 20;
      all.add(check(g, options, static_cast<std::int64_t>(seed * 7)));
    }
  }
  EXPECT_EQ(all.stolen > 0, p > 1);
  EXPECT_EQ(all.given_bytes > 0, p > 1);
}

TEST_P(Stealing, IsOffUnlessAskedFor) {
  auto options = eager();
  options.steal = false;
  const auto work = check(heavy_first(1000, machine_->size(), 3), options, 0);
  EXPECT_EQ(work.stolen + work.given_bytes, 0);
}

TEST_P(Stealing, ARowLongerThanAllPlacesIsShared) {
  // A hub's row has 2,000 arcs; two places hold 120.
  arc_list edges;
  for (std::int64_t v = 1; v < 2000; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(1, v);
  }
  auto options = eager();
  options.least_to_give = 1;
  check(undirected("hubs", 2000, edges), options, 3);
}

INSTANTIATE_TEST_SUITE_P(Machines, Stealing,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1", "cpu:7x1",
                                           "sim:peach2,ranks=4"),
                         testing_machines::spec_name<std::string>);

TEST(StealingOptions, HaveToMakeSense) {
  machine m = machine::open("cpu:2x1");
  const graph g = heavy_first(100, 2, 1);
  const placed_graph placed = spread_evenly(m, g);
  const auto refused = [&](auto&& change) {
    auto options = eager();
    change(options);
    return message_of<usage_error>([&] { paths_from<std::uint32_t>(placed, 0, options); });
  };
  EXPECT_EQ(refused([](auto& o) { o.least_to_give = 0; }),
            "paths: stealing begins with one item at least");
  EXPECT_EQ(refused([](auto& o) { o.parcels.bytes = 16; }),
            "paths: stealing needs parcels of 20 bytes");
}

}  // namespace
}  // namespace gossamer
