// Shortest paths by a worklist that host threads drive, on GPUs, with CPU ranks beside them, too:
// distances equal Dijkstra's on two hundred small graphs by either route, with segments of a few
// messages so that links are full; on larger graphs of every kind that rounds treat differently;
// through pinned memory; what is counted and planned.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/io.hpp"
#include "on_machine.hpp"
#include "real_data.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/host_driven/routes.hpp"
#include "unit/algorithm/planned_memory.hpp"
#include "unit/algorithm/sssp/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_sssp::expect_right, testing_sssp::hub_and_path, testing_sssp::weighted;

const auto& routes = testing_routes::routes;

sssp_options by(const std::string& route, std::int64_t packet = 0) {
  return testing_routes::by<sssp_options>(route, packet);
}

class SsspByHosts : public testing_machines::OnMachine {};

TEST_P(SsspByHosts, AgreesWithDijkstraOnTwoHundredGraphs) {
  testing_routes::on_two_hundred_graphs([&](const graph& g, int number, const std::string& route) {
    sssp_options options = by(route, number % 2 == 0 ? 16 : 0);
    options.parents = number % 5 == 0;
    if (number % 3 == 1) options.delta = 1 + number % 40;
    sssp_search search(*machine_, g, options);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2})
      ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source)));
  });
}

std::vector<graph> larger_graphs() {
  graph directed =
      from_arcs<vertex64>("sparse, directed", 20000, random_arcs(20000, 60000, 5), false);
  set_weights<double>(directed, 100);
  graph zeros = undirected("sparse, zeros", 20000, random_arcs(20000, 80000, 5));
  set_weights<std::int32_t>(zeros, 0);
  return {weighted("kron:13"),
          weighted("road:120"),
          weighted("uniform:13:2"),
          hub_and_path<std::int32_t>(40000, 39999, 255),
          hub_and_path<float>(40000, 17, 1000000),
          directed,
          zeros};
}

TEST_P(SsspByHosts, LargerGraphs) {
  for (const graph& g : larger_graphs())
    for (const auto& route : routes)
      for (const std::int64_t packet : {std::int64_t{0}, std::int64_t{4096}}) {
        SCOPED_TRACE(g.name + " " + route + " " + std::to_string(packet));
        sssp_search search(*machine_, g, by(route, packet));
        for (const std::int64_t source : {g.vertices() / 2, std::int64_t{1}})
          ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source)));
      }
}

TEST_P(SsspByHosts, Partitions) {
  for (const graph& g : larger_graphs())
    for (const auto& route : routes)
      for (const int number : {3, 9}) {  // a part is empty; one has everything
        SCOPED_TRACE(g.name + " " + route);
        sssp_options options = by(route, 4096);
        options.parents = true;
        options.partition = "file";
        options.part_of = drawn_parts(g, machine_->size(), number);
        sssp_search search(*machine_, g, options);
        for (const std::int64_t source : {g.vertices() / 2, std::int64_t{1}}) {
          const auto result = search.run(source);
          ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
          EXPECT_EQ(result.ranks_used, machine_->size());
        }
      }
}

/// A star and its mirror on the other side: a million messages at once.
TEST_P(SsspByHosts, FullLinksHoldMessagesBack) {
  const std::int64_t n = std::int64_t{1} << 20;
  graph g = two_stars(n);
  set_weights<std::int32_t>(g, 255);
  for (const auto& route : routes) {
    SCOPED_TRACE(route);
    const auto result = sssp(*machine_, g, n / 2, by(route, 8192));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
    if (machine_->size() > 1) {
      EXPECT_GT(result.work->sent, 1 << 18);
      EXPECT_GE(result.work->parcels, result.work->sent / 1024);
    }
  }
}

TEST_P(SsspByHosts, Counts) {
  for (const char* name : {"kron:13", "road:120"})
    for (const auto& route : routes) {
      SCOPED_TRACE(std::string(name) + " " + route);
      const graph g = weighted(name);
      const auto result = sssp(*machine_, g, g.vertices() / 2, by(route));
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      EXPECT_EQ(result.engine, "host");
      EXPECT_EQ(result.ranks_used, machine_->size());
      EXPECT_GT(result.milliseconds, 0);
      ASSERT_TRUE(result.work);
      const worklist_counters& w = *result.work;
      EXPECT_EQ(w.items - w.repeated, result.reached);
      EXPECT_GE(w.arcs, w.items);
      EXPECT_GE(w.deferred, 1);
      EXPECT_GE(w.windows, 1);
      EXPECT_GE(w.rounds, w.windows);
      EXPECT_LE(w.useless, w.sent);
      EXPECT_EQ(w.bytes, w.sent * 8);
      EXPECT_LE(w.parcels, w.sent);
      EXPECT_EQ(w.sent > 0, machine_->size() > 1);
    }
}

/// From one vertex a window to all in one.
TEST_P(SsspByHosts, WindowsOfAnyWidth) {
  for (const char* name : {"kron:12", "road:200"}) {
    const graph g = weighted(name);
    for (const double delta : {4.0, 100.0, 10000.0, 1e30}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(delta));
      sssp_options options = by("direct");
      options.delta = delta;
      ASSERT_NO_FATAL_FAILURE(expect_right(g, sssp(*machine_, g, g.vertices() / 2, options)));
    }
  }
}

TEST_P(SsspByHosts, TakesWhatIsPlannedAndNothingInRuns) {
  const graph g = weighted("kron:14");
  for (const auto& route : {"direct", "ring", "direct, hash"}) {
    const bool parted = route == std::string("direct, hash");
    sssp_options options = by(parted ? "direct" : route);
    if (parted) options.partition = "hash";
    expect_planned<sssp_search>(*machine_, g, options, [](sssp_search& search) { search.run(1); });
  }
}

TEST_P(SsspByHosts, NewYork) {
  const auto file = data_file("USA-road-d.NY.gr.xz");
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const graph g = read_graph(file.path);
  for (const auto& route : routes) {
    SCOPED_TRACE(route);
    const auto result = sssp(*machine_, g, g.names.index(1, g.vertices()), by(route));
    const auto& d = std::get<shared_array<std::uint32_t>>(result.distances.get());
    EXPECT_EQ(std::accumulate(d.begin(), d.end(), std::uint64_t{0}), 186686642878U);
    EXPECT_EQ(*std::max_element(d.begin(), d.end()), 1440081U);
    EXPECT_EQ(result.reached, g.vertices());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, SsspByHosts,
    ::testing::ValuesIn(testing_machines::gpu_specs({"cuda:0", "cuda:0*3", "cuda:0-1",
                                                     "cpu:1x2+cuda:0", "cuda:0*2+cpu:2x1"})),
    testing_machines::spec_name<std::string>);

TEST(SsspByHostsPaths, MessagesThroughPinnedMemory) {
  testing_routes::without_peers([](machine& m, const std::string& route) {
    for (const char* name : {"kron:12", "road:100"}) {
      const graph g = weighted(name);
      const auto result = sssp(m, g, draw_sources(g, 1, 1).front(), by(route, 512));
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      EXPECT_GT(result.work->sent, 0);
    }
  });
}

}  // namespace
}  // namespace gossamer
