// Engine published, paper B's search, on small graphs and every kind of machine: depths, counts,
// what it says it sent, which are paper B's formulas, and what it takes.
//
// The same source makes the CPU test, with GOSSAMER_TEST_GPU the one for GPUs, and with
// GOSSAMER_TEST_STAND_INS one on GPUs that are not there (tests/fake_gpu).
#include <gtest/gtest.h>

#include "on_machine.hpp"
#include "unit/algorithm/bfs/checks.hpp"
#include "unit/algorithm/message_accounts.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_bfs::expect_right;

std::vector<std::string> specs() {
#ifdef GOSSAMER_TEST_STAND_INS
  return {"cuda:0", "cuda:0*3", "cuda:1*2"};
#else
  auto all = testing_machines::machine_specs();
#ifdef GOSSAMER_TEST_GPU
  for (const char* more : {"cuda:0*2", "cuda:0*4"}) all.push_back(more);
#else
  for (const char* more :
       {"cpu:4x1", "sim:peach2,ranks=2", "sim:peach2,ranks=8", "sim:hapacs-ib,ranks=4"})
    all.push_back(more);
#endif
  return all;
#endif
}

class Published : public testing_machines::OnMachine {
 protected:
  bfs_result search(const graph& g, std::int64_t source, const place_options& placing = {}) {
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    return bfs_search(placed, options()).run(source);
  }
  static bfs_options options() {
    bfs_options options;
    options.engine = "published";
    return options;
  }
};

TEST_P(Published, FindsWhatTheSerialSearchFinds) {
  testing_bfs::on_shapes([&](const graph& g, std::int64_t source, const reference& want,
                             const place_options& placing, bool) {
    ASSERT_NO_FATAL_FAILURE(expect_right(g, search(g, source, placing), want, false));
  });
}

TEST_P(Published, MessagesHavePaperBsBytes) {
  const int ranks = machine_->size();
  if (dense().vertices() / 64 % ranks != 0) GTEST_SKIP() << "ranks own unequal shares";
  expect_published_account(search(dense(), 1), ranks);
  expect_published_account(search(dense<vertex64>(), 1), ranks);
}

TEST_P(Published, RunsFromManySourcesWithRanksThatOwnNothing) {
  const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
  for (const bool all_on_one : {false, true}) {
    const auto placing = all_on_one ? testing_bfs::all_on_the_first(g) : place_options();
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    bfs_search search(placed, options());
    for (const std::int64_t source : {0, 17, 899, 0})
      ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source), serial_bfs(g, source), false));
  }
}

TEST_P(Published, NeedsNoInArcs) {
  const graph g = from_arcs("directed", 2000, random_arcs(2000, 30000, 9), false);
  place_options placing;
  placing.both_directions = false;
  ASSERT_NO_FATAL_FAILURE(expect_right(g, search(g, 3, placing), serial_bfs(g, 3), false));
}

TEST_P(Published, RowsOfManyArcsAreShared) {
  // Rows for blocks and for warps, beside those that a scan shares out.
  const std::int64_t n = 20000;
  arc_list edges;
  for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(0, v);
  for (std::int64_t v = 2; v < 900; ++v) edges.emplace_back(1, v);
  for (std::int64_t v = 3; v < 90; ++v) edges.emplace_back(2, v);
  for (auto e : random_arcs(n, n, 8)) edges.push_back(e);
  const graph g = undirected("hub", n, edges);
  for (const std::int64_t source : {std::int64_t{0}, n - 1})
    ASSERT_NO_FATAL_FAILURE(expect_right(g, search(g, source), serial_bfs(g, source), false));
}

TEST_P(Published, IsPlannedAlikeBeforeAndAfter) {
  const graph g = undirected("dense", 6400, random_arcs(6400, 20000, 3));
  const auto placed = place(*machine_, g);
  EXPECT_EQ(bfs_search::plan(*machine_, g, {}, options()).total(),
            placed.plan().total() + bfs_search::plan(placed, options()).total());
}

INSTANTIATE_TEST_SUITE_P(Bfs, Published, ::testing::ValuesIn(specs()),
                         testing_machines::spec_name<std::string>);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Published);

}  // namespace
}  // namespace gossamer
