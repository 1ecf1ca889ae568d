// What BFS says of its messages: paper B's formulas hold exactly for engine `published`, on real
// and on modelled ranks, and whatever is sent adds up.
#include <gtest/gtest.h>

#include "spec_name.hpp"
#include "unit/algorithm/message_accounts.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

bfs_result run(const std::string& spec, const graph& g, const std::string& engine) {
  auto m = machine::open(spec);
  bfs_options options;
  options.engine = engine;
  return bfs(m, g, 1, options);
}

class Published : public ::testing::TestWithParam<std::string> {};

TEST_P(Published, MessagesHavePaperBsBytes) {
  const int ranks = machine::open(GetParam()).size();
  expect_published_account(run(GetParam(), dense(), "published"), ranks);
  expect_published_account(run(GetParam(), dense<vertex64>(), "published"), ranks);
}

TEST_P(Published, FindsWhatTheSerialSearchFinds) {
  for (const graph& g : {dense(), undirected("sparse", 700, random_arcs(700, 500, 9)),
                         undirected("lone", 3, {{0, 2}}),
                         undirected<vertex64>("wide", 900, random_arcs(900, 3000, 6))}) {
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
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:4x1",
                                           "sim:peach2,ranks=2", "sim:peach2,ranks=8",
                                           "sim:hapacs-ib,ranks=4"),
                         testing_machines::spec_name<std::string>);

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
