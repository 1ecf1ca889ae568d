// What BFS says of its messages: paper B's formulas hold exactly for engine `published`, on real
// and on modelled ranks, and whatever is sent adds up.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "spec_name.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

/// Vertices divide evenly over 2, 4 and 8 ranks in blocks of 64.
graph dense(std::int64_t n = 4096) {
  return undirected("dense", n, random_arcs(n, 8 * n, 3));
}

bfs_result run(const std::string& spec, const graph& g, const std::string& engine,
               bfs_direction direction = bfs_direction::automatic) {
  auto m = machine::open(spec);
  bfs_options options;
  options.engine = engine;
  options.direction = direction;
  return bfs(m, g, 1, options);
}

class Published : public ::testing::TestWithParam<std::string> {};

TEST_P(Published, MessagesHavePaperBsBytes) {
  const graph g = dense();
  const std::int64_t n = g.vertices();
  const auto result = run(GetParam(), g, "published");
  const std::int64_t p = machine::open(GetParam()).size();
  ASSERT_EQ(result.messages.size(), 3u);
  const auto& flag = result.messages[0];
  const auto& out = result.messages[1];
  const auto& tree = result.messages[2];
  EXPECT_EQ(flag.kind, "flag");
  EXPECT_EQ(out.kind, "out");
  EXPECT_EQ(tree.kind, "tree");
  // Every level: 4 N / p bytes from each to each, and one agreement on 4 bytes.
  const std::int64_t rounds = p > 1 ? result.levels : 0;
  EXPECT_EQ(out.rounds, rounds);
  EXPECT_EQ(out.messages, rounds * p * (p - 1));
  EXPECT_EQ(out.bytes, out.messages * (4 * n / p));
  EXPECT_EQ(flag.rounds, rounds);
  EXPECT_EQ(flag.bytes, 4 * flag.messages);
  // Once, from all but the one who keeps it: 8 N / p bytes.
  EXPECT_EQ(tree.rounds, p > 1 ? 1 : 0);
  EXPECT_EQ(tree.messages, p - 1);
  EXPECT_EQ(tree.bytes, tree.messages * (8 * n / p));
}

TEST_P(Published, FindsWhatTheSerialSearchFinds) {
  for (const graph& g : {dense(), undirected("sparse", 700, random_arcs(700, 500, 9)),
                         undirected("lone", 3, {{0, 2}})}) {
    const auto want = serial_bfs(g, 1);
    const auto result = run(GetParam(), g, "published");
    EXPECT_EQ(result.levels, want.levels) << g.name;
    EXPECT_EQ(result.reached, want.reached);
    EXPECT_EQ(result.arcs_of_reached, want.arcs);
    const auto depths = result.depths();
    for (std::size_t v = 0; v < depths.size(); ++v) ASSERT_EQ(depths[v], want.depths[v]) << v;
    const auto verdict = verify_bfs(g, 1, result.parents().span(), depths.span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Bfs, Published,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:4x1", "sim:peach2,ranks=2",
                                           "sim:peach2,ranks=8", "sim:hapacs-ib,ranks=4"),
                         testing_machines::spec_name<std::string>);

TEST(BfsMessages, CompactFrontiersSendWhatTheyFound) {
  const graph g = dense();
  const auto result = run("sim:peach2,ranks=4", g, "auto", bfs_direction::top_down);
  const auto& out = result.messages[1];
  EXPECT_EQ(out.rounds, result.levels);
  EXPECT_GT(out.bytes, 0);
  EXPECT_EQ(out.bytes % 8, 0);  // a child and its parent
  // A vertex is sent once by each of the three others at most.
  EXPECT_LE(out.bytes, 3 * 8 * g.vertices());
  EXPECT_EQ(result.messages[2].messages, 0);
  EXPECT_EQ(result.messages[0].bytes, 8 * result.messages[0].messages);
}

TEST(BfsMessages, OneRankSendsNothing) {
  for (const auto& m : run("cpu:1x2", dense(), "auto").messages) {
    EXPECT_EQ(m.messages, 0) << m.kind;
    EXPECT_EQ(m.bytes, 0) << m.kind;
  }
}

TEST(BfsMessages, TimesOfAModelledSearchRepeatAndAddUp) {
  const graph g = dense();
  const auto once = run("sim:peach2,ranks=4", g, "published");
  const auto again = run("sim:peach2,ranks=4", g, "published");
  EXPECT_EQ(once.milliseconds, again.milliseconds);
  double sum = 0;
  for (const auto& [name, seconds] : once.phases) sum += seconds;
  EXPECT_NEAR(sum, once.milliseconds * 1e-3, 0.05 * sum);
  EXPECT_EQ(once.phases.back().first, "tree");
  EXPECT_GT(once.messages[1].seconds, 0);
}

}  // namespace
}  // namespace gossamer
