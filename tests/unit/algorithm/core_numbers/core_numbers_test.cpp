// Core numbers on two hundred small graphs and on larger ones of every family, on every kind of CPU
// machine or, with GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not
// there: they equal those by definition, and the verifier agrees; stops, plans and errors.
#include "gossamer/algorithm/core_numbers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "algorithm/layouts/simple_degrees.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_cores.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class CoreNumbersOn : public testing_machines::OnMachine {};

shared_array<std::int32_t> numbers_of(const core_numbers_result& result) {
  return std::get<0>(result.numbers.get());
}

void expect_right(machine& m, const graph& g) {
  const std::vector<std::int32_t> right = cores_by_definition(g);
  const auto result = core_numbers(m, g);
  const auto found = numbers_of(result);
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t v = 0; v < right.size(); ++v) ASSERT_EQ(found[v], right[v]) << v;
  const std::set<std::int32_t> levels(right.begin(), right.end());
  EXPECT_EQ(result.degeneracy, levels.empty() ? 0 : *levels.rbegin());
  EXPECT_EQ(result.rounds, std::ssize(levels));
  const auto checked = verify_core_numbers(g, result.numbers);
  EXPECT_TRUE(checked.ok) << checked.reason;
}

TEST_P(CoreNumbersOn, OfTwoHundredGraphsAreThoseByDefinition) {
  int step = machine_->size() > 3 ? 4 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 10;
#endif
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  }
}

TEST_P(CoreNumbersOn, OfDenseGraphsAreThoseByDefinition) {
  const auto edges = random_arcs(150, 4000, 5);
  for (const graph& g : {undirected("dense", 150, edges), from_arcs("directed", 150, edges, false),
                         undirected<vertex64>("wide", 150, edges), wheel(500), two_stars(300)}) {
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  }
}

#ifndef GOSSAMER_TEST_STAND_INS
// Large enough that teams look through vertices and share those that leave; the path and the tree
// leave one by one, and by halves.
TEST_P(CoreNumbersOn, OfFamiliesAreWhatOneThreadFinds) {
  auto one = machine::open("cpu:1x1");
  for (const char* spec :
       {"kron:13", "uniform:14:10", "cliques:60x70", "web:30000:8", "geometric:30000:12",
        "preferential:30000:9", "star:30000", "road:200", "bipartite:900x9000:5", "path:30000",
        "tree:14", "small-world:30000:6:50", "mesh:30x30x30", "lollipop:300x9000"}) {
    SCOPED_TRACE(spec);
    const graph g = generate(parse_generator(spec));
    const auto result = core_numbers(*machine_, g);
    const auto checked = verify_core_numbers(g, result.numbers);
    EXPECT_TRUE(checked.ok) << checked.reason;
    const auto alone = core_numbers(one, g);
    EXPECT_EQ(result.degeneracy, alone.degeneracy);
    EXPECT_EQ(result.rounds, alone.rounds);
    const auto a = numbers_of(result), b = numbers_of(alone);
    EXPECT_TRUE(std::ranges::equal(a.span(), b.span()));
  }
}

#endif

TEST_P(CoreNumbersOn, OfRowsInAnyOrder) {
  for (const bool directed : {false, true}) {
    const auto arcs = random_arcs(60, 900, 8);
    graph g = directed ? from_arcs("directed", 60, arcs, false) : undirected("any", 60, arcs);
    auto& columns = std::get<shared_array<vertex32>>(g.indices);
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      std::reverse(columns.data() + g.offsets[v], columns.data() + g.offsets[v + 1]);
    g.sorted = false;
    kept::forget(g);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  }
}

TEST_P(CoreNumbersOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  none.symmetric = true;
  const auto result = core_numbers(*machine_, none);
  EXPECT_EQ(result.degeneracy, 0);
  EXPECT_EQ(result.rounds, 0);
  EXPECT_EQ(numbers_of(result).size(), 0U);
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, undirected("one", 1, {{0, 0}})));
}

TEST_P(CoreNumbersOn, RunAgainAndAgain) {
  const graph g = generate(parse_generator("kron:12"));
  core_numbers_search search(*machine_, g);
  const auto first = search.run(), again = search.run();
  EXPECT_TRUE(std::ranges::equal(numbers_of(first).span(), numbers_of(again).span()));
}

TEST_P(CoreNumbersOn, StopWhenTheyAreTold) {
  const graph g = generate(parse_generator("kron:14"));
  core_numbers_search search(*machine_, g);
  std::stop_source stop;
  run_options how;
  how.cancel = stop.get_token();
  // A GPU tells when a launch has ended, which here takes all.
  const int until = testing_machines::for_gpus ? 1 : 3;
  int told = 0;
  how.progress = [&](double done) {
    EXPECT_GE(done, 0);
    EXPECT_LE(done, 1);
    if (++told == until) stop.request_stop();
  };
  search.follow(how);
  EXPECT_THROW(search.run(), cancelled_error);
  EXPECT_GE(told, until);
  search.follow({});
  EXPECT_TRUE(verify_core_numbers(g, search.run().numbers).ok);
}

INSTANTIATE_TEST_SUITE_P(Machines, CoreNumbersOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// Thousands of levels and hubs, chains through all blocks, and lists that are longer than a
// block's.
TEST_P(CoreNumbersOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  for (const char* spec : {"kron:19", "road:1500", "uniform:20:16", "web:600000:12", "path:3000000",
                           "tree:20", "lollipop:1500x400000", "bipartite:20000x900000:8"}) {
    SCOPED_TRACE(spec);
    graph g = generate(parse_generator(spec));
    for (const bool symmetric : {true, false}) {
      g.symmetric = symmetric;  // as a directed graph each edge has both directions
      kept::forget(g);
      const auto found = core_numbers(*machine_, g), right = core_numbers(cpus, g);
      EXPECT_TRUE(std::ranges::equal(numbers_of(found).span(), numbers_of(right).span()));
      EXPECT_EQ(found.degeneracy, right.degeneracy);
      EXPECT_EQ(found.rounds, right.rounds);
    }
  }
}

TEST(CoreNumbersGpu, AreThoseOfOneOfSeveral) {
  if (cuda_devices().size() < 2) GTEST_SKIP() << "needs two GPUs";
  auto m = machine::open("cuda:0-1");
  const auto found = core_numbers(m, generate(parse_generator("kron:12")));
  EXPECT_EQ(found.ranks_used, 1);
  EXPECT_EQ(found.ranks_reason, "1 of 2 ranks: a level is over before two GPUs have met");
}
#endif

TEST(CoreNumbers, CountDegreesOnce) {
  auto m = machine::open("cpu:1x2");
  const graph g = generate(parse_generator("kron:10"));
  const auto degrees = [](const core_numbers_result& r) { return r.phases.at(0).second; };
  EXPECT_GT(degrees(core_numbers(m, g)), 0);
  EXPECT_EQ(degrees(core_numbers(m, g)), 0);
  kept::forget(g);
  EXPECT_GT(degrees(core_numbers(m, g)), 0);
}

TEST(SimpleDegrees, LeaveLoopsAndParallelArcsOut) {
  const arc_list arcs = {{0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 2}, {3, 3}};
  const auto degrees = [](const graph& g) {
    const auto found = algorithm_detail::count_simple_degrees(g, 1).degrees;
    return std::vector(found.begin(), found.end());
  };
  EXPECT_EQ(degrees(from_arcs("directed", 4, arcs, false)), (std::vector{2, 3, 1, 0}));
  EXPECT_EQ(degrees(undirected("undirected", 4, arcs)), (std::vector{1, 2, 1, 0}));
}

TEST(CoreNumbers, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  const graph g = undirected("three", 3, {{0, 1}, {1, 2}, {0, 2}});
  core_numbers_options o;
  o.engine = "fast";
  EXPECT_THROW(core_numbers(m, g, o), usage_error);
  o = {};
  o.memory = 10;
  EXPECT_THROW(core_numbers(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { core_numbers(m, graph()); }),
            "core_numbers: the graph has no offsets, not even of no vertices");
}

TEST(CoreNumbers, VerifierFindsWhatIsWrong) {
  const graph g = undirected("tailed", 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  const auto verify = [&](std::vector<std::int32_t> given, const std::stop_token& stop = {}) {
    shared_array<std::int32_t> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return verify_core_numbers(g, all, stop);
  };
  EXPECT_TRUE(verify({2, 2, 2, 1}).ok);
  EXPECT_EQ(verify({2, 2, 2, 2}).reason,
            "the core number of vertex 3 is given as 2; neighbours of as much or more: 1");
  EXPECT_EQ(
      verify({2, 2, 2, 0}).reason,
      "the core number of vertex 3 is given as 0; neighbours when those of less have left: 1");
  EXPECT_FALSE(verify({1, 1, 1, 1}).ok);
  EXPECT_FALSE(verify({2, 2, 2, -1}).ok);
  EXPECT_EQ(verify({2, 2, 2}).reason, "core numbers need one entry for each of the 4 vertices");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify({2, 2, 2, 1}, stop.get_token()), cancelled_error);
}

TEST(CoreNumbers, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  const graph g = generate(parse_generator("kron:12"));
  const auto exact = core_numbers_search::plan(m, g);
  graph_shape shape{g.vertices(), g.arcs()};
  shape.symmetric = true;
  EXPECT_EQ(core_numbers_search::plan(m, shape).total(), exact.total());
  shape.symmetric = false;
  EXPECT_GT(core_numbers_search::plan(m, shape).total(), exact.total());
}

}  // namespace
}  // namespace gossamer
