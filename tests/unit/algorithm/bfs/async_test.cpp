// Engine async on small graphs and every kind of machine: depths, counts, deterministic parents,
// what its worklist says of itself, and 200 random graphs on one to five ranks.
#include <gtest/gtest.h>

#include <random>

#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/bfs/checks.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_bfs::expect_right, testing_machines::for_gpus;

/// Engine async takes CPUs or GPUs, not both.
std::vector<std::string> unmixed_machines() {
  auto specs = testing_machines::machine_specs();
  std::erase_if(specs, [](const std::string& s) { return s.find('+') != std::string::npos; });
  return specs;
}

class AsyncBfs : public testing_machines::OnMachine {
 protected:
  bfs_result search(const graph& g, std::int64_t source, bool deterministic = false,
                    const place_options& placing = {}) {
    bfs_options options;
    options.engine = "async";
    options.deterministic = deterministic;
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    return bfs_search(placed, options).run(source);
  }
};

void expect_found(const graph& g, const bfs_result& found, const reference& want,
                  bool deterministic, int ranks) {
  ASSERT_EQ(found.engine, "async");
  ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, deterministic));
  ASSERT_TRUE(found.work.has_value());
  const worklist_counters& work = *found.work;
  EXPECT_EQ(work.items - work.repeated, want.reached);
  EXPECT_GE(work.rounds, 2);
  EXPECT_EQ(work.windows > 0, work.deferred > 0);
  if (!for_gpus) {
    EXPECT_GE(work.windows, 1);
  }
  ASSERT_EQ(found.messages.size(), 3u);
  EXPECT_EQ(found.messages[1].messages, work.parcels);
  EXPECT_EQ(found.messages[1].bytes, work.bytes);
  EXPECT_EQ(found.messages[0].messages, work.rounds * ranks * (ranks - 1));
  EXPECT_GE(work.sent, work.parcels);
  EXPECT_GE(work.sent, work.useless);
  if (ranks == 1) {
    EXPECT_EQ(work.sent + work.filtered + work.useless, 0);
  }
}

TEST_P(AsyncBfs, FindsWhatTheSerialSearchFinds) {
  testing_bfs::on_shapes([&](const graph& g, std::int64_t source, const reference& want,
                             const place_options& placing, bool deterministic) {
    if (for_gpus && g.id_width() == 8) {
      expect_contains(message_of<not_compiled>([&] { search(g, source); }), "ids of 64 bits");
      return;
    }
    expect_found(g, search(g, source, deterministic, placing), want, deterministic,
                 machine_->size());
  });
}

TEST_P(AsyncBfs, RunsFromManySourcesWithRanksThatOwnNothing) {
  const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
  const auto placed =
      std::make_shared<const placed_graph>(place(*machine_, g, testing_bfs::all_on_the_first(g)));
  bfs_options options;
  options.engine = "async";
  bfs_search search(placed, options);
  for (std::int64_t source : {0, 17, 899, 0}) {
    ASSERT_NO_FATAL_FAILURE(
        expect_found(g, search.run(source), serial_bfs(g, source), false, machine_->size()));
  }
}

TEST_P(AsyncBfs, PlansWhatItTakes) {
  const graph g = undirected("dense", 6400, random_arcs(6400, 20000, 3));
  bfs_options options;
  options.engine = "async";
  const auto placed = place(*machine_, g);
  const auto before = bfs_search::plan(*machine_, g, {}, options);
  EXPECT_EQ(before.total(), placed.plan().total() + bfs_search::plan(placed, options).total());
}

INSTANTIATE_TEST_SUITE_P(Bfs, AsyncBfs, ::testing::ValuesIn(unmixed_machines()),
                         testing_machines::spec_name<std::string>);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AsyncBfs);

/// A small graph of one of the kinds that break searches, by number.
graph random_graph(int number) {
  std::mt19937 random(static_cast<std::uint32_t>(number));
  const auto n = static_cast<std::int64_t>(2 + random() % 120);
  const std::string name = "random " + std::to_string(number);
  arc_list edges;
  switch (number % 8) {
    case 0:  // a path
      for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
      break;
    case 1:  // a star
      for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(0, v);
      break;
    case 2:  // mostly isolated vertices
      edges = random_arcs(n, n / 8, random());
      break;
    case 3:  // two components
      for (auto [u, v] : random_arcs(n, 3 * n, random()))
        if ((u < n / 2) == (v < n / 2)) edges.emplace_back(u, v);
      break;
    case 4:  // every edge several times, and loops
      for (auto e : random_arcs(n, n, random()))
        for (int copy = 0; copy < 3; ++copy) edges.push_back(e);
      for (std::int64_t v = 0; v < n; ++v) edges.emplace_back(v, v);
      break;
    case 5:  // directed
      return from_arcs(name, n, random_arcs(n, 2 * n, random()), false);
    case 6:  // a long way round and a short one
      for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
      edges.emplace_back(0, n - 1);
      break;
    default:
      edges = random_arcs(n, 4 * n, random());
  }
  return undirected(name, n, edges);
}

/// On GPUs ranks share one.
TEST(AsyncBfsProperties, TwoHundredRandomGraphsOnOneToFiveRanks) {
  if (for_gpus && cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  std::vector<machine> machines;
  for (int p = 1; p <= 5; ++p)
    machines.push_back(machine::open(for_gpus ? "cuda:0*" + std::to_string(p)
                                              : "cpu:" + std::to_string(p) + "x1"));
  for (int number = 0; number < 200; ++number) {
    const graph g = random_graph(number);
    const std::int64_t source = number % g.vertices();
    const auto want = serial_bfs(g, source);
    // Each graph on one rank and on one number of several; each number gets each kind.
    for (const int p : {1, 2 + (number / 8) % 4}) {
      SCOPED_TRACE(g.name + " on " + std::to_string(p) + " ranks");
      place_options placing;
      placing.partition = number % 3 == 0 ? "hash" : "auto";
      const auto placed = std::make_shared<const placed_graph>(
          place(machines[static_cast<std::size_t>(p - 1)], g, placing));
      bfs_options options;
      options.engine = "async";
      ASSERT_NO_FATAL_FAILURE(
          expect_found(g, bfs_search(placed, options).run(source), want, false, p));
    }
  }
}

TEST(AsyncBfsPaths, MessagesThroughPinnedMemory) {
  if (!for_gpus || cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  const testing::scoped_variable off("GOSSAMER_PEER", "off");
  for (const char* spec : {"cuda:0*3", "cuda:0-1"}) {
    if (testing_machines::gpus_of(spec) > static_cast<int>(cuda_devices().size())) continue;
    auto m = machine::open(spec);
    const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
    const auto placed = std::make_shared<const placed_graph>(place(m, g));
    bfs_options options;
    options.engine = "async";
    ASSERT_NO_FATAL_FAILURE(
        expect_found(g, bfs_search(placed, options).run(7), serial_bfs(g, 7), false, m.size()));
  }
}

}  // namespace
}  // namespace gossamer
