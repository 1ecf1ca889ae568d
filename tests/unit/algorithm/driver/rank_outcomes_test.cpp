// One rank's phases add up to its time, where the longest of each phase would not.
#include "algorithm/driver/rank_outcomes.hpp"

#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"

namespace gossamer::algorithm_detail {
namespace {

struct outcome {
  double seconds, exchange, agree;
};

TEST(SlowestRank, ShowsOneRanksPhases) {
  // One waits in the exchange, the other where they agree.
  const std::vector<outcome> outcomes{{9.5, 8, 0.5}, {10, 1, 7}, {10, 2, 2}};
  const outcome& slowest = slowest_rank(outcomes);
  EXPECT_EQ(&slowest, &outcomes[1]);
  EXPECT_EQ(rest_of(slowest.seconds, {slowest.exchange, slowest.agree}), 2);
  EXPECT_EQ(&slowest_rank(outcomes, &outcome::exchange), &outcomes[0]);
  EXPECT_EQ(rest_of(1, {0.5, 0.75}), 0);
}

template <class Result>
void expect_whole(const char* what, const Result& result) {
  double sum = 0;
  for (const auto& [name, seconds] : result.phases) sum += seconds;
  EXPECT_NEAR(sum * 1e3, result.milliseconds, 1e-6 * result.milliseconds) << what;
}

TEST(SlowestRank, PhasesOfResultsAddUp) {
  // More ranks than many hosts have free cores: they wait in different phases.
  machine m = machine::open("cpu:5x1");
  generate_options weights;
  weights.weights = true;
  const graph g = generate(parse_generator("kron:11"), weights);
  expect_whole("bfs", bfs(m, g, 1));
  expect_whole("sssp", sssp(m, g, 1));
  for (const char* engine : {"sync", "async"}) {
    pagerank_options ranking;
    ranking.engine = engine;
    expect_whole("pagerank", pagerank(m, g, ranking));
  }
  components_options flood;
  flood.engine = "async";
  expect_whole("components", components(m, g, flood));
}

}  // namespace
}  // namespace gossamer::algorithm_detail
