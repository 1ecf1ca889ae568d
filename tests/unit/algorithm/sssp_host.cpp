// Shortest paths by a worklist that host threads drive, on GPUs: distances equal Dijkstra's on two
// hundred small graphs by either route, with segments of a few messages so that links are full; on
// larger graphs of every kind that rounds treat differently; through pinned memory; what is counted
// and planned.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/io.hpp"
#include "on_machine.hpp"
#include "real_data.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/message_of.hpp"
#include "unit/algorithm/sssp_checks.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_sssp::expect_right, testing_sssp::hub_and_path, testing_sssp::weighted;

const std::vector<std::string> routes = {"direct", "ring"};

sssp_options by(const std::string& route, std::int64_t packet = 0) {
  sssp_options options;
  options.engine = "host";
  options.use = rank_use::all;
  options.route = route;
  options.packet = packet;
  options.run.deadline = std::chrono::seconds(20);
  return options;
}

class SsspByHosts : public testing_machines::OnMachine {};

TEST_P(SsspByHosts, AgreesWithDijkstraOnTwoHundredGraphs) {
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      sssp_options options = by(route, number % 2 == 0 ? 16 : 0);
      options.parents = number % 5 == 0;
      if (number % 3 == 1) options.delta = 1 + number % 40;
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2})
        ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source)));
    }
  }
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
  arc_list arcs;
  for (std::int64_t v = 1; v < n; ++v) {
    arcs.emplace_back(0, v);
    arcs.emplace_back(n - 1, v - 1);
  }
  graph g = undirected("two stars", n, arcs);
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
  run_options bare;
  bare.arenas = {arena_plan{0, 0}};
  machine_->run([](rank&) {}, bare);  // streams and channels are the machine's
  const graph g = weighted("kron:14");
  for (const auto& route : {"direct", "ring", "direct, hash"}) {
    const bool parted = route == std::string("direct, hash");
    sssp_options options = by(parted ? "direct" : route);
    if (parted) options.partition = "hash";
    std::map<int, std::int64_t> planned, before;
    const auto plan = sssp_search::plan(*machine_, g, options);
    for (const auto& e : plan.entries)
      if (e.kind == memory_kind::device) planned[(*machine_)[e.rank].ordinal] += e.bytes;
    ASSERT_FALSE(planned.empty());
    for (const auto& [gpu, bytes] : planned) before[gpu] = memory_in_use(gpu).now;
    begin_peaks();
    sssp_search search(*machine_, g, options);
    search.run(1);
    for (const auto& [gpu, bytes] : planned)
      EXPECT_LE(memory_in_use(gpu).peak - before[gpu], bytes) << route;
    begin_peaks();
    search.run(2);
    for (const auto& [gpu, bytes] : planned)
      EXPECT_EQ(memory_in_use(gpu).peak, memory_in_use(gpu).now) << route;
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

std::vector<std::string> gpu_specs() {
  if (std::getenv("GOSSAMER_TEST_MACHINES") != nullptr) return testing_machines::machine_specs();
  return {"cuda:0", "cuda:0*3", "cuda:0-1"};
}

INSTANTIATE_TEST_SUITE_P(Machines, SsspByHosts, ::testing::ValuesIn(gpu_specs()),
                         testing_machines::spec_name<std::string>);

TEST(SsspByHostsPaths, MessagesThroughPinnedMemory) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  const testing::scoped_variable off("GOSSAMER_PEER", "off");
  for (const char* spec : {"cuda:0*3", "cuda:0-1"}) {
    if (!testing_machines::lacking(spec).empty()) continue;
    auto m = machine::open(spec);
    for (const char* name : {"kron:12", "road:100"})
      for (const auto& route : routes) {
        const graph g = weighted(name);
        const auto result = sssp(m, g, draw_sources(g, 1, 1).front(), by(route, 512));
        ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
        EXPECT_GT(result.work->sent, 0);
      }
  }
}

}  // namespace
}  // namespace gossamer
