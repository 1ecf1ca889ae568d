// What BFS says of its messages: whatever is sent adds up. published_test.cpp has paper B's
// formulas.
#include <gtest/gtest.h>

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
