// Passes too short for a team, and conjugate gradient on a team.
#include "algorithm/driver/threads_worth.hpp"

#include <gtest/gtest.h>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/graph/matrices.hpp"
#include "unit/algorithm/cg/right_sides.hpp"

namespace gossamer {
namespace {

using algorithm_detail::arcs_worth_a_team, algorithm_detail::threads_worth;
using testing_algorithms::right_side;

TEST(ThreadsWorth, CountsWhatOneThreadIsSpared) {
  EXPECT_EQ(threads_worth(2 * arcs_worth_a_team, 2), 2);
  EXPECT_EQ(threads_worth(2 * arcs_worth_a_team - 2, 2), 1);
  EXPECT_EQ(threads_worth(arcs_worth_a_team + arcs_worth_a_team / 8, 64), 64);
  EXPECT_EQ(threads_worth(arcs_worth_a_team, 64), 1);
  EXPECT_EQ(threads_worth(100 * arcs_worth_a_team, 1), 1);
  EXPECT_EQ(threads_worth(0, 64), 1);
}

TEST(ThreadsWorth, TeamsSolveWhatOneThreadSolves) {
  const graph g = generate_matrix("poisson:420x420");
  ASSERT_EQ(threads_worth(g.arcs(), 3), 3);
  auto one = machine::open("cpu:1x1"), team = machine::open("cpu:1x3");
  cg_options options;
  options.exactly = 10;
  const auto b = right_side(g.vertices());
  const auto alone = cg_solver(one, g, options).solve(b);
  const auto shared = cg_solver(team, g, options).solve(b);
  ASSERT_EQ(shared.iterations, 10);
  for (std::size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(alone.x[i], shared.x[i], 1e-9) << i;
}

}  // namespace
}  // namespace gossamer
