// Shortest paths on two hundred small graphs and some larger ones, on every kind of CPU machine:
// distances equal Dijkstra's, parents those of the order that is documented, and the verifier
// agrees.
#include <gtest/gtest.h>

#include "on_machine.hpp"
#include "unit/algorithm/plan_entries.hpp"
#include "unit/algorithm/sssp/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_machines::OnMachine;
using testing_sssp::expect_right;

/// What the worklist of engine async says of itself.
void expect_counted(const sssp_result& result, int ranks) {
  ASSERT_EQ(result.engine, "async");
  ASSERT_TRUE(result.work.has_value());
  const worklist_counters& work = *result.work;
  EXPECT_EQ(work.items - work.repeated, result.reached);
  EXPECT_EQ(work.arcs, result.relaxations);
  EXPECT_EQ(work.windows, result.rounds);
  EXPECT_GE(work.windows, 1);
  EXPECT_GE(work.rounds, 2 * work.windows);
  EXPECT_GE(work.sent, work.parcels);
  EXPECT_GE(work.sent, work.useless);
  EXPECT_EQ(work.bytes > 0, work.sent > 0);
  if (ranks == 1) {
    EXPECT_EQ(work.sent + work.filtered + work.useless, 0);
  }
}

/// Of every machine and engine.
class SsspEngine : public OnMachine {
 protected:
  void agree_on_many_graphs(const std::string& engine);
};

void SsspEngine::agree_on_many_graphs(const std::string& engine) {
  // Many ranks on few cores: each round changes threads p times, so they get every fourth graph.
  const int step = machine_->size() > 3 ? 4 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    sssp_options options;
    options.parents = true;
    options.engine = engine;
    if (number % 3 == 1) options.delta = 1 + number % 40;
    sssp_search search(*machine_, g, options);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2}) {
      const auto result = search.run(source);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      if (engine == "async") {
        ASSERT_NO_FATAL_FAILURE(expect_counted(result, machine_->size()));
      }
    }
  }
}

class SsspOn : public SsspEngine {};

TEST_P(SsspOn, AgreesWithDijkstraOnTwoHundredGraphs) {
  agree_on_many_graphs("sync");
}
TEST_P(SsspOn, AgreesWithDijkstraOnTwoHundredGraphsAsync) {
  agree_on_many_graphs("async");
}

// What ranks give each other is seen in tests/unit/dataflow/stealing_test.cpp; here, that a search
// may ask for it.
TEST_P(SsspOn, BalancedSearchesAgreeWithDijkstra) {
  for (int number = 0; number < 200; number += 20) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    sssp_options options;
    options.engine = "async";
    options.balance = "steal";
    const auto result = sssp(*machine_, g, 0, options);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
    EXPECT_EQ(result.work->items - result.work->repeated, result.reached);
  }
}

TEST_P(SsspOn, AgreesWithDijkstraOnTwoHundredGraphsByTasks) {
  agree_on_many_graphs("tasks");
}

// Paths, where a few entries wait, between stars that open into more of them.
TEST_P(SsspOn, FewEntriesAndManyInTurns) {
  if (machine_->size() > 3) GTEST_SKIP() << "every bucket costs ranks on few cores a switch";
  arc_list edges;
  std::int64_t last = 0;
  for (const int arms : {2, 5, 6, 9, 40, 3}) {
    for (int i = 0; i < 70; ++i, ++last) edges.emplace_back(last, last + 1);
    const std::int64_t centre = last;
    for (int i = 0; i < arms; ++i, ++last) {
      edges.emplace_back(centre, last + 1);
      if (i % 2 == 0) edges.emplace_back(last + 1, last + 2);
    }
  }
  graph g = undirected("stars on a path", last + 2, edges);
  for (const bool integers : {true, false}) {
    integers ? set_weights<std::int32_t>(g, 200) : set_weights<double>(g, 200);
    for (const double delta : {1.0, 50.0, 1e5}) {
      sssp_options options;
      options.delta = delta;
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {std::int64_t{0}, last / 2, last})
        ASSERT_NO_FATAL_FAILURE(expect_right(g, search.run(source)));
    }
  }
}

// Buckets of one distance and one of all; a row of more neighbours than there is room to tell of.
TEST_P(SsspOn, TasksShareBucketsOfAnyWidth) {
  constexpr std::int64_t n = 30000;
  graph g = wheel(n);
  set_weights<std::int32_t>(g, 255);
  sssp_options options;
  options.engine = "tasks";
  options.parents = true;
  for (const double delta : {1.0, 1e6}) {
    options.delta = delta;
    sssp_search search(*machine_, g, options);
    for (const std::int64_t source : {n / 2, n - 1}) {
      const auto result = search.run(source);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      EXPECT_EQ(result.engine, "tasks");
      EXPECT_FALSE(result.work.has_value());
      EXPECT_GE(result.relaxations, g.arcs());
      EXPECT_EQ(result.rounds == 1, delta > 1);
      EXPECT_EQ(result.phases.size(), machine_->size() > 1 ? 4U : 2U);
    }
  }
}

TEST_P(SsspOn, TasksPlanWhatTheyTake) {
  const graph g = many_graphs(8);
  sssp_options options;
  options.engine = "tasks";
  const auto plan = sssp_search::plan(*machine_, g, options);
  EXPECT_EQ(entries_for(plan, "known distances and messages"), machine_->size());
  EXPECT_EQ(entries_for(plan, "neighbours found"), machine_->size());
  EXPECT_EQ(entries_for(plan, "inbox"), 0);
}

TEST_P(SsspOn, ThreadsAndRanksShareALargeBucket) {
  const graph g = testing_sssp::weighted("kron:12");
  sssp_options options;
  options.parents = true;
  for (const double delta : {4.0, 10000.0}) {
    options.delta = delta;
    sssp_search search(*machine_, g, options);
    const auto result = search.run(g.degree(5) > 0 ? 5 : 6);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
    EXPECT_EQ(result.delta, delta);
    EXPECT_GE(result.relaxations, g.arcs() / 2);
    EXPECT_GE(result.rounds, 1);
    EXPECT_EQ(result.phases.size(), machine_->size() > 1 ? 4U : 2U);
  }
}

TEST_P(SsspOn, AsyncStartsWithWindowsOfAnyWidth) {
  const graph g = testing_sssp::weighted("kron:12");
  sssp_options options;
  options.engine = "async";
  // The narrowest makes more buckets than engine sync takes.
  for (const double delta : {0.001, 4.0, 1e6}) {
    options.delta = delta;
    sssp_search search(*machine_, g, options);
    for (int again = 0; again < 2; ++again) {
      const auto result = search.run(g.degree(5) > 0 ? 5 : 6);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, result));
      ASSERT_NO_FATAL_FAILURE(expect_counted(result, machine_->size()));
      EXPECT_EQ(result.delta, delta);
      EXPECT_GE(result.relaxations, g.arcs() / 2);
      EXPECT_EQ(result.phases.size(), machine_->size() > 1 ? 3U : 1U);
    }
  }
}

TEST_P(SsspOn, AsyncPlansWhatItTakes) {
  const graph g = undirected("dense", 6400, random_arcs(6400, 20000, 3));
  sssp_options options;
  options.engine = "async";
  const auto plan = sssp_search::plan(*machine_, g, options);
  EXPECT_GT(entries_for(plan, "known distances and worklists"), 0);
  EXPECT_EQ(entries_for(plan, "inbox") > 0, machine_->size() > 1);
  EXPECT_EQ(entries_for(plan, "buckets"), 0);
}

TEST_P(SsspOn, ResultsOutliveTheSearch) {
  testing_sssp::expect_results_outlive_the_search(*machine_);
}

INSTANTIATE_TEST_SUITE_P(Machines, SsspOn, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
