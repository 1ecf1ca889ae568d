// Shortest paths through the worklist's short form: equal to Dijkstra's on many graphs, weights and
// machines, and what soft priorities are worth on a road network.
#include <gtest/gtest.h>

#include <iostream>
#include <numeric>

#include "gossamer/graph/io.hpp"
#include "on_machine.hpp"
#include "real_data.hpp"
#include "unit/algorithm/small_graphs.hpp"
#include "unit/dataflow/shortest_paths.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace testing_paths;

worklist_options options_for(double delta, bool soft = true) {
  worklist_options options;
  options.name = "paths";
  options.delta = delta;
  options.soft_priority = soft;
  return options;
}

std::vector<std::string> specs() {
  return {"cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1", "sim:peach2,ranks=4"};
}

class Paths : public testing_machines::OnMachine {};

template <class W, class Id>
void check(const graph& g, machine& m, const char* partition, const worklist_options& options) {
  place_options placing;
  placing.partition = partition;
  const placed_graph placed = place(m, g, placing);
  const std::int64_t source = g.vertices() / 2;
  const auto want = dijkstra<W>(g, source, [](auto u, auto v, auto) { return weight_of<W>(u, v); });
  const auto found = paths_from<W, Id>(placed, source, options);
  ASSERT_EQ(found.distances, want) << g.name << " on " << m.spec();
  const auto reached =
      std::count_if(want.begin(), want.end(), [](W d) { return d < min_plus<W>::far; });
  ASSERT_EQ(found.work.items - found.work.repeated, reached);
  if (m.size() == 1) {
    ASSERT_EQ(found.work.sent, 0);
  }
}

TEST_P(Paths, AgreeWithDijkstra) {
  for (const graph& g : shapes()) {
    for (const char* partition : {"auto", "hash"}) {
      SCOPED_TRACE(std::string(partition) + " partition");
      if (g.id_width() == 8) {
        ASSERT_NO_FATAL_FAILURE(
            (check<std::uint32_t, vertex64>(g, *machine_, partition, options_for(10))));
        continue;
      }
      ASSERT_NO_FATAL_FAILURE(
          (check<std::uint32_t, vertex32>(g, *machine_, partition, options_for(10))));
      ASSERT_NO_FATAL_FAILURE((check<float, vertex32>(g, *machine_, partition, options_for(0.5))));
      ASSERT_NO_FATAL_FAILURE(
          (check<std::uint32_t, vertex32>(g, *machine_, partition, options_for(10, false))));
    }
  }
}

TEST_P(Paths, FullInboxesOnlyWait) {
  // One place of eight items for each pair, hubs that everybody sends to.
  arc_list edges = random_arcs(600, 4000, 8);
  for (std::int64_t v = 1; v < 600; ++v) edges.emplace_back(0, v);
  const graph g = undirected("crowded", 600, edges);
  auto options = options_for(1000);
  options.parcels = {64, 1};
  options.batch = 7;
  ASSERT_NO_FATAL_FAILURE((check<std::uint32_t, vertex32>(g, *machine_, "hash", options)));
}

TEST_P(Paths, BatchesOfAllThatWaits) {
  // The hub's neighbours are one batch, which leads to nearly all of them again.
  arc_list edges = random_arcs(600, 4000, 8);
  for (std::int64_t v = 1; v < 600; ++v) edges.emplace_back(0, v);
  const graph g = undirected("crowded", 600, edges);
  for (const bool soft : {true, false}) {
    auto options = options_for(1000, soft);
    options.batch = 0;
    ASSERT_NO_FATAL_FAILURE((check<std::uint32_t, vertex32>(g, *machine_, "hash", options)));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Paths, ::testing::ValuesIn(specs()),
                         testing_machines::spec_name<std::string>);

TEST(SoftPriorities, KeepWorkOnARoadNetworkNearItsVertices) {
  const auto file = data_file("USA-road-d.NY.gr.xz");
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const graph g = read_graph(file.path);
  const auto& stored = std::get<shared_array<std::int32_t>>(g.weights);
  const std::vector<std::uint32_t> weights(stored.begin(), stored.end());
  const auto want = dijkstra<std::uint32_t>(
      g, 0, [&](auto, auto, auto e) { return weights[static_cast<std::size_t>(e)]; });
  ASSERT_EQ(std::accumulate(want.begin(), want.end(), std::uint64_t{0}), 186686642878u);
  const double n = static_cast<double>(g.vertices());
  for (const char* spec : {"cpu:1x1", "cpu:2x1"}) {
    machine m = machine::open(spec);
    const placed_graph placed = place(m, g);
    ASSERT_TRUE(placed.identity());
    const auto soft = paths_from<std::uint32_t>(placed, 0, options_for(1000), weights);
    EXPECT_EQ(soft.distances, want) << spec;
    EXPECT_LE(static_cast<double>(soft.work.items), 2.5 * n) << spec;
    std::cout << spec << ": soft priorities " << static_cast<double>(soft.work.items) / n
              << " n in " << soft.work.windows << " windows, ";
    if (m.size() == 1) {  // would take 109 n items, and seconds
      std::cout << "\n";
      continue;
    }
    const auto fifo = paths_from<std::uint32_t>(placed, 0, options_for(1000, false), weights);
    EXPECT_EQ(fifo.distances, want) << spec;
    EXPECT_GT(fifo.work.items, 2 * soft.work.items) << spec;
    std::cout << "first in, first out " << static_cast<double>(fifo.work.items) / n << " n\n";
  }
}

}  // namespace
}  // namespace gossamer
