// Spanning forests on small graphs and on larger ones of every family, on every kind of CPU machine
// or, with GOSSAMER_TEST_GPU, on GPUs, with GOSSAMER_TEST_STAND_INS on some that are not there:
// they equal Kruskal's, and the verifier agrees; stops, plans and errors.
#include "gossamer/algorithm/spanning_forest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/kept.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/simple_forests.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class SpanningForestsOn : public testing_machines::OnMachine {};

std::vector<std::int64_t> arcs_of(const spanning_forest_result& result) {
  return {result.arcs.begin(), result.arcs.end()};
}

void expect_right(machine& m, const graph& g) {
  const auto result = spanning_forest(m, g);
  const auto right = forest_by_definition(g);
  ASSERT_EQ(arcs_of(result), right);
  EXPECT_EQ(result.trees, g.vertices() - std::ssize(right));
  for (const bool any : {false, true}) {
    const auto checked = verify_spanning_forest(g, result.arcs, any);
    EXPECT_TRUE(checked.ok) << checked.reason;
  }
}

TEST_P(SpanningForestsOn, OfManyGraphsAreKruskals) {
  int step = machine_->size() > 3 ? 4 : 1;
#ifdef GOSSAMER_TEST_STAND_INS
  step = 5;
#endif
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    if (!g.symmetric) continue;
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  }
}

template <class Weight>
void lower_weights(graph& g, int by) {
  auto& weights = std::get<shared_array<Weight>>(g.weights);
  for (Weight& w : weights) w -= static_cast<Weight>(by);
}

// Dense enough that the first edges are joined alone; weights of both signs, and many equal ones.
TEST_P(SpanningForestsOn, OfDenseGraphsAreKruskals) {
  const auto edges = random_arcs(150, 4000, 5);
  for (const int most : {1, 3, 40, 1000}) {
    SCOPED_TRACE(most);
    graph whole = undirected("whole", 150, edges), single = whole, real = whole,
          wide = undirected<vertex64>("wide", 150, edges), none = whole;
    set_weights<std::int32_t>(whole, most);
    set_weights<float>(single, most);
    set_weights<double>(real, most);
    set_weights<std::int32_t>(wide, most);
    lower_weights<std::int32_t>(whole, most / 2);
    lower_weights<float>(single, most / 4);
    lower_weights<double>(real, most / 4);
    for (const graph& g : {whole, single, real, wide, none}) {
      kept::forget(g);
      ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
    }
  }
}

TEST_P(SpanningForestsOn, TakeZerosOfBothSignsForEqual) {
  graph g = undirected("circle", 4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  shared_array<double> weights(8);
  const auto rows = g.view<vertex32>();
  for (std::int64_t u = 0; u < 4; ++u)
    for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
      weights[k] = u + static_cast<std::int64_t>(rows.indices[k]) == 5 ? -0.0 : 0.0;
  g.weights = weights;
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
}

#ifndef GOSSAMER_TEST_STAND_INS
// Large enough that teams share the edges; a path whose every round joins it by chains as long as
// can be.
TEST_P(SpanningForestsOn, OfFamiliesAreWhatOneThreadFinds) {
  auto one = machine::open("cpu:1x1");
  for (const char* spec :
       {"kron:13", "uniform:14:10", "cliques:60x70", "web:30000:8", "geometric:30000:12",
        "preferential:30000:9", "star:30000", "road:200", "bipartite:900x9000:5", "path:30000",
        "tree:14", "small-world:30000:6:50", "mesh:30x30x30", "lollipop:300x9000"})
    for (const bool weights : {false, true}) {
      SCOPED_TRACE(spec);
      generate_options how;
      how.weights = weights;
      const graph g = generate(parse_generator(spec), how);
      const auto result = spanning_forest(*machine_, g);
      const auto checked = verify_spanning_forest(g, result.arcs);
      EXPECT_TRUE(checked.ok) << checked.reason;
      EXPECT_EQ(arcs_of(result), arcs_of(spanning_forest(one, g)));
    }
}

#endif

TEST_P(SpanningForestsOn, OfChainsOfOneRound) {
#ifdef GOSSAMER_TEST_STAND_INS
  constexpr std::int64_t n = 3000;
#else
  constexpr std::int64_t n = 60000;
#endif
  arc_list path;
  for (std::int64_t v = 1; v < n; ++v) path.emplace_back(v - 1, v);
  for (const bool rising : {false, true}) {
    graph g = undirected("path", n, path);
    shared_array<std::int32_t> weights(static_cast<std::size_t>(g.arcs()));
    const auto rows = g.view<vertex32>();
    for (std::int64_t u = 0; u < n; ++u)
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        const auto of = static_cast<std::int32_t>(std::min<std::int64_t>(u, rows.indices[k]));
        weights[k] = rising ? of : -of;
      }
    g.weights = weights;
    const auto result = spanning_forest(*machine_, g);
    EXPECT_EQ(result.rounds, 1);
    EXPECT_EQ(result.trees, 1);
    EXPECT_EQ(std::get<std::int64_t>(result.weight), (rising ? 1 : -1) * (n - 1) * (n - 2) / 2);
  }
}

TEST_P(SpanningForestsOn, OfRowsInAnyOrder) {
  const auto arcs = random_arcs(60, 900, 8);
  graph g = undirected("any", 60, arcs);
  auto& columns = std::get<shared_array<vertex32>>(g.indices);
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    std::reverse(columns.data() + g.offsets[v], columns.data() + g.offsets[v + 1]);
  g.sorted = false;
  kept::forget(g);
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
  set_weights<std::int32_t>(g, 3);
  kept::forget(g);
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, g));
}

TEST_P(SpanningForestsOn, OfNothing) {
  graph none;
  none.offsets = shared_array<edge_offset>(1);
  none.offsets[0] = 0;
  none.symmetric = true;
  const auto result = spanning_forest(*machine_, none);
  EXPECT_EQ(result.trees, 0);
  EXPECT_EQ(result.rounds, 0);
  EXPECT_EQ(result.arcs.size(), 0U);
  ASSERT_NO_FATAL_FAILURE(expect_right(*machine_, undirected("one", 1, {{0, 0}})));
}

TEST_P(SpanningForestsOn, RunAgainAndAgain) {
  const graph g = generate(parse_generator("kron:12"));
  spanning_forest_search search(*machine_, g);
  const auto first = search.run(), again = search.run();
  EXPECT_EQ(arcs_of(first), arcs_of(again));
  EXPECT_NE(first.arcs.data(), again.arcs.data());
}

TEST_P(SpanningForestsOn, StopWhenTheyAreTold) {
  const graph g = generate(parse_generator("kron:14"));
  spanning_forest_search search(*machine_, g);
  std::stop_source stop;
  run_options how;
  how.cancel = stop.get_token();
  // A GPU tells after each round.
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
  EXPECT_TRUE(verify_spanning_forest(g, search.run().arcs).ok);
}

INSTANTIATE_TEST_SUITE_P(Machines, SpanningForestsOn,
                         ::testing::ValuesIn(testing_machines::unmixed_specs()),
                         testing_machines::spec_name<std::string>);

#if defined(GOSSAMER_TEST_GPU) && !defined(GOSSAMER_TEST_STAND_INS)
// Components with nearly all edges, chains through all blocks, names far away.
TEST_P(SpanningForestsOn, OfLargerGraphsAreThoseOfCpus) {
  auto cpus = machine::open("cpu");
  for (const char* spec : {"kron:19", "road:1500", "uniform:19:32", "web:600000:12", "path:3000000",
                           "tree:20", "lollipop:1500x400000"})
    for (const bool weights : {false, true}) {
      SCOPED_TRACE(spec);
      generate_options how;
      how.weights = weights;
      const graph g = generate(parse_generator(spec), how);
      EXPECT_EQ(arcs_of(spanning_forest(*machine_, g)), arcs_of(spanning_forest(cpus, g)));
    }
}
#endif

TEST(SpanningForests, WeighWhatTheirEdgesDo) {
  auto m = machine::open("cpu:1x2");
  graph g = undirected("four", 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  EXPECT_EQ(std::get<std::int64_t>(spanning_forest(m, g).weight), 3);
  set_weights<std::int32_t>(g, 100);
  kept::forget(g);
  std::int64_t whole = 0;
  for (const auto arc : forest_by_definition(g))
    whole += std::get<shared_array<std::int32_t>>(g.weights)[static_cast<std::size_t>(arc)];
  EXPECT_EQ(std::get<std::int64_t>(spanning_forest(m, g).weight), whole);
  set_weights<double>(g, 100);
  kept::forget(g);
  EXPECT_DOUBLE_EQ(std::get<double>(spanning_forest(m, g).weight),
                   0.37 * static_cast<double>(whole));
}

TEST(SpanningForests, SayWhatIsWrong) {
  auto m = machine::open("cpu:1x1");
  graph g = undirected("three", 3, {{0, 1}, {1, 2}, {0, 2}});
  spanning_forest_options o;
  o.engine = "fast";
  EXPECT_THROW(spanning_forest(m, g, o), usage_error);
  o = {};
  o.memory = 10;
  EXPECT_THROW(spanning_forest(m, g, o), capacity_error);
  EXPECT_EQ(message_of<usage_error>([&] { spanning_forest(m, graph()); }),
            "spanning_forest: the graph has no offsets, not even of no vertices");
  const graph directed = from_arcs("one way", 3, {{0, 1}, {1, 2}}, false);
  EXPECT_EQ(message_of<usage_error>([&] { spanning_forest(m, directed); }),
            "spanning_forest: one way is directed, and forests are of undirected graphs: make it "
            "one (--symmetrize, rebuild(symmetrize=True))");
  EXPECT_EQ(message_of<usage_error>([&] { verify_spanning_forest(directed, {}); }),
            "verify_spanning_forest: one way is directed");
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    set_weights<double>(g, 9);
    std::get<shared_array<double>>(g.weights)[1] = bad;
    std::get<shared_array<double>>(g.weights)[4] = bad;
    kept::forget(g);
    const std::string said = message_of<input_error>([&] { spanning_forest(m, g); });
    EXPECT_NE(said.find("; spanning_forest needs finite weights"), std::string::npos) << said;
  }
}

TEST(SpanningForests, VerifierFindsWhatIsWrong) {
  // Arcs of edges: 0 0-1, 1 0-2, 3 1-2, 6 2-3, 8 is none.
  graph g = undirected("tailed", 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  shared_array<std::int32_t> weights(8);
  const auto rows = g.view<vertex32>();
  for (std::int64_t u = 0; u < 4; ++u)
    for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
      weights[k] = u + static_cast<std::int64_t>(rows.indices[k]) == 1 ? 2 : 1;
  g.weights = weights;
  const auto verify = [&](std::vector<std::int64_t> given, bool any = false,
                          const std::stop_token& stop = {}) {
    shared_array<std::int64_t> all(given.size());
    std::copy(given.begin(), given.end(), all.begin());
    return verify_spanning_forest(g, all, any, stop);
  };
  EXPECT_TRUE(verify({1, 3, 6}).ok);
  EXPECT_TRUE(verify({6, 3, 1}).ok);
  EXPECT_EQ(verify({1, 3}).reason, "the edge 2 - 3 joins two trees of the forest");
  EXPECT_EQ(verify({0, 1, 3, 6}).reason,
            "the forest's edge 0 - 1 closes a circle with others of it");
  EXPECT_EQ(verify({0, 1, 6}).reason,
            "the edge 1 - 2 comes before 0 - 1, which is in the forest in its place");
  EXPECT_EQ(verify({1, 3, 3, 6}).reason, "the edge 1 - 2 is in the forest twice");
  EXPECT_EQ(verify({1, 3, 8}).reason, "the forest has the arc 8, and there are 8");
  EXPECT_EQ(verify({1, 3, -1}).reason, "the forest has the arc -1, and there are 8");
  EXPECT_EQ(verify({1, 3, 7}).reason,
            "arc 7, 3 - 2, does not lead from a smaller vertex to a larger");
  g.weights = {};
  EXPECT_TRUE(verify({0, 1, 6}).ok);
  EXPECT_FALSE(verify({1, 3, 6}).ok);
  EXPECT_TRUE(verify({1, 3, 6}, true).ok);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(verify({0, 1, 6}, false, stop.get_token()), cancelled_error);
}

TEST(SpanningForests, PlansAreBoundsBeforeThereIsAGraph) {
  auto m = machine::open("cpu:2x2");
  graph g = generate(parse_generator("kron:12"));
  graph_shape shape{g.vertices(), g.arcs()};
  shape.symmetric = true;
  const auto before = spanning_forest_search::plan(m, shape).total();
  EXPECT_GT(before, spanning_forest_search::plan(m, g).total());
  set_weights<double>(g, 9);
  EXPECT_EQ(before, spanning_forest_search::plan(m, g).total());
}

}  // namespace
}  // namespace gossamer
