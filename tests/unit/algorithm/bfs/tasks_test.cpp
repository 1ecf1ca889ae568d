// Engine tasks on small graphs and every kind of machine: depths, counts, deterministic parents,
// and what it says of its messages. Also rows longer than all room for messages, and random graphs
// on numbers of ranks that do not divide anything.
#include <gtest/gtest.h>

#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/bfs/checks.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_bfs::expect_right;

bfs_options by_tasks(bool deterministic = false) {
  bfs_options options;
  options.engine = "tasks";
  options.deterministic = deterministic;
  return options;
}

void expect_found(const graph& g, const bfs_result& found, const reference& want,
                  bool deterministic) {
  ASSERT_EQ(found.engine, "tasks");
  ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, deterministic));
  for (const auto& level : found.per_level) ASSERT_FALSE(level.bottom_up);
  EXPECT_FALSE(found.work.has_value());
}

class TaskBfs : public testing_machines::OnMachine {
 protected:
  bfs_result search(const graph& g, std::int64_t source, const bfs_options& options,
                    const place_options& placing = {}) {
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    return bfs_search(placed, options).run(source);
  }
};

TEST_P(TaskBfs, FindsWhatTheSerialSearchFinds) {
  testing_bfs::on_shapes([&](const graph& g, std::int64_t source, const reference& want,
                             const place_options& placing, bool deterministic) {
    expect_found(g, search(g, source, by_tasks(deterministic), placing), want, deterministic);
  });
}

TEST_P(TaskBfs, RunsFromManySourcesWithRanksThatOwnNothing) {
  const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
  const auto placed =
      std::make_shared<const placed_graph>(place(*machine_, g, testing_bfs::all_on_the_first(g)));
  bfs_search search(placed, by_tasks());
  for (std::int64_t source : {0, 17, 899, 0}) {
    const auto found = search.run(source);
    ASSERT_NO_FATAL_FAILURE(expect_found(g, found, serial_bfs(g, source), false));
    EXPECT_EQ(found.messages[1].messages, 0) << "nobody else has a vertex";
  }
}

// Every rank tells of each vertex of another at most once; a row does so for more than there are
// places for.
TEST_P(TaskBfs, OneRowFillsAllRoomForMessages) {
  constexpr std::int64_t n = 60000;
  const graph g = wheel(n);
  const auto found = search(g, n / 2, by_tasks());
  ASSERT_NO_FATAL_FAILURE(expect_found(g, found, serial_bfs(g, n / 2), false));
  // A message takes 16 bytes, a run of them a header of 8.
  const std::int64_t told = found.messages[1].bytes / 16, ranks = machine_->size();
  EXPECT_EQ(told > 0, ranks > 1);
  EXPECT_LE(told, (n + 64) * (ranks - 1));
  EXPECT_GE(told, ranks > 1 ? n - n / ranks - 64 * ranks : 0);
}

TEST_P(TaskBfs, PlansWhatItTakes) {
  const graph g = undirected("dense", 6400, random_arcs(6400, 20000, 3));
  const auto placed = place(*machine_, g);
  const auto before = bfs_search::plan(*machine_, g, {}, by_tasks());
  EXPECT_EQ(before.total(), placed.plan().total() + bfs_search::plan(placed, by_tasks()).total());
}

INSTANTIATE_TEST_SUITE_P(Bfs, TaskBfs, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

TEST(TaskBfsProperties, TwoHundredRandomGraphsOnAnyNumberOfRanks) {
  std::vector<machine> machines;
  for (const char* spec : {"cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1", "cpu:7x1"})
    machines.push_back(machine::open(spec));
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    const std::int64_t source = number % g.vertices();
    const auto want = serial_bfs(g, source);
    // Each graph on one rank and on one number of several; each number gets each kind.
    for (const std::size_t on : {std::size_t{0}, 1 + static_cast<std::size_t>(number / 6) % 4}) {
      SCOPED_TRACE(g.name + " on " + machines[on].spec());
      place_options placing;
      placing.partition = number % 3 == 0 ? "hash" : "auto";
      const bool deterministic = number % 2 == 0;
      const auto placed = std::make_shared<const placed_graph>(place(machines[on], g, placing));
      ASSERT_NO_FATAL_FAILURE(expect_found(
          g, bfs_search(placed, by_tasks(deterministic)).run(source), want, deterministic));
    }
  }
}

TEST(TaskBfsErrors, Options) {
  auto m = machine::open("cpu:2x1");
  bfs_options options = by_tasks();
  const auto text = [&] {
    return message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); });
  };
  options.direction = bfs_direction::bottom_up;
  EXPECT_EQ(text(), "bfs: engine 'tasks' goes top-down only");
  options = by_tasks();
  options.transport = "direct";
  EXPECT_EQ(text(), "bfs: transport 'direct' is of engine 'vector_queue', and this is 'tasks'");
  options = by_tasks();
  options.engine = "task";
  EXPECT_EQ(text(),
            "bfs: unknown engine 'task' (there are auto, sync, single_kernel, async, host, tasks, "
            "published, vector_queue)");
}

}  // namespace
}  // namespace gossamer
