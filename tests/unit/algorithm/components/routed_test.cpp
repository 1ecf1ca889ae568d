// Components by routed edges on every kind of machine, CPUs and GPUs together too: each edge goes
// to one rank, once, and labels equal a serial search's, whatever the size of segments; what is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/plan_entries.hpp"

namespace gossamer {
namespace {

using namespace testing_components;
using namespace testing_graphs;
using testing_machines::OnMachine;

class RoutedOn : public OnMachine {};

components_options routed_by_all(const char* edges = "streamed") {
  auto options = with("routed");
  options.use = rank_use::all;
  options.edges = edges;
  return options;
}

int gpus_in(const machine& m) {
  int gpus = 0;
  for (int r = 0; r < m.size(); ++r) gpus += m[r].is_cuda() ? 1 : 0;
  return gpus;
}

/// Each edge of a symmetric graph went to one rank, once; loops to none.
void expect_handed_out(const graph& g, const components_result& result, int ranks) {
  std::int64_t edges = 0;
  g.visit([&](const auto& rows) {
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      for (const std::int64_t u : rows.row(v)) edges += g.symmetric ? u < v : u != v;
  });
  ASSERT_EQ(result.edges_of_ranks.size(), static_cast<std::size_t>(ranks));
  EXPECT_EQ(std::reduce(result.edges_of_ranks.begin(), result.edges_of_ranks.end()), edges);
  EXPECT_FALSE(result.work.has_value());
}

TEST_P(RoutedOn, AgreesOnTwoHundredGraphs) {
  const int step = machine_->size() > 3 ? 4 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    const auto routed = components(*machine_, g, routed_by_all());
    ASSERT_EQ(routed.engine, "routed");
    ASSERT_NO_FATAL_FAILURE(expect_right(g, routed));
    ASSERT_NO_FATAL_FAILURE(expect_handed_out(g, routed, machine_->size()));
    const auto prestaged = components(*machine_, g, routed_by_all("prestaged"));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, prestaged));
    ASSERT_NO_FATAL_FAILURE(expect_handed_out(g, prestaged, machine_->size()));
  }
}

// Long rows: as many edges each. Short ones: those within a rank's part of the vertices.
TEST_P(RoutedOn, FindsEdgesWhereTheyAre) {
  const int ranks = machine_->size();
  arc_list path;
  for (std::int64_t v = 1; v < 30000; ++v) path.emplace_back(v, v - 1);
  for (const graph& g : {generate(parse_generator("kron:12:24")),
                         generate(parse_generator("road:90")), undirected("path", 30000, path),
                         from_arcs("one way", 20000, random_arcs(20000, 60000, 3), false),
                         from_arcs("long", 2000, random_arcs(2000, 60000, 3), false)}) {
    SCOPED_TRACE(g.name);
    components_search search(*machine_, g, routed_by_all("prestaged"));
    search.run();
    const auto result = search.run();
    const auto fine = verify_components(g, result.labels);
    ASSERT_TRUE(fine.ok) << fine.reason;
    ASSERT_NO_FATAL_FAILURE(expect_handed_out(g, result, ranks));
    EXPECT_EQ(result.phases.front().second, 0) << "somebody made packets";
    const auto [least, most] =
        std::minmax_element(result.edges_of_ranks.begin(), result.edges_of_ranks.end());
    if (g.name == "path") {
      EXPECT_LE(*most, 30000 / ranks + ranks);
    } else if (g.arcs() > 20 * g.vertices()) {
      EXPECT_LE(*most - *least, 1);
    }
  }
}

TEST_P(RoutedOn, SegmentsOfAnySize) {
  arc_list path;
  for (std::int64_t v = 1; v < 30000; ++v) path.emplace_back(v, v - 1);
  for (const graph& g : {generate(parse_generator("kron:13:2")),
                         generate(parse_generator("road:90")), undirected("path", 30000, path),
                         from_arcs("one way", 20000, random_arcs(20000, 60000, 3), false)}) {
    SCOPED_TRACE(g.name);
    auto one = machine::open("cpu:1x1");
    const auto wanted = components(one, g);
    for (const std::int64_t packet : {0, 1, 1000, 1 << 20}) {
      if (packet == 1 && g.arcs() > 70000) continue;  // a segment an edge
      auto options = routed_by_all();
      options.packet = packet;
      components_search routed(*machine_, g, options);
      routed.run();
      const auto result = routed.run();
      const auto fine = verify_components(g, result.labels);
      ASSERT_TRUE(fine.ok) << fine.reason;
      EXPECT_EQ(result.count, wanted.count);
      EXPECT_EQ(result.phases.size(), machine_->size() > 1 ? 5U : 4U);
      ASSERT_NO_FATAL_FAILURE(expect_handed_out(g, result, machine_->size()));
    }
  }
}

TEST_P(RoutedOn, PlansWhatItTakes) {
  const graph g = from_arcs("one", 500, random_arcs(500, 900, 2), false);
  const auto plan = components_search::plan(*machine_, g, routed_by_all());
  EXPECT_EQ(entries_for(plan, "labels of the rank"), machine_->size());
  EXPECT_EQ(entries_for(plan, "receive buffers"), machine_->size());
  EXPECT_EQ(entries_for(plan, "headers and counters"), machine_->size());
  EXPECT_EQ(entries_for(plan, "packets of edges"), 1);
  EXPECT_EQ(entries_for(plan, "edges of the rank"), 0);
  EXPECT_EQ(entries_for(plan, "arcs of both directions"), 0);
  const graph long_rows = from_arcs("long", 500, random_arcs(500, 20000, 2), false);
  const auto there = components_search::plan(*machine_, long_rows, routed_by_all("prestaged"));
  EXPECT_EQ(entries_for(there, "packets of edges"), 0);
  // A GPU's lie in the host's memory, too, until it has them.
  EXPECT_EQ(entries_for(there, "edges of the rank"), machine_->size() + gpus_in(*machine_));
}

// Fewer segments than ranks, and none at all.
TEST_P(RoutedOn, LeavesRanksWithoutEdges) {
  const graph two = undirected("two", 9, {{1, 0}, {7, 3}}), none = undirected("none", 9, {});
  for (const char* edges : {"streamed", "prestaged"}) {
    const auto some = components(*machine_, two, routed_by_all(edges));
    EXPECT_EQ(some.count, 7);
    ASSERT_NO_FATAL_FAILURE(expect_right(two, some));
    ASSERT_NO_FATAL_FAILURE(expect_handed_out(two, some, machine_->size()));
    const auto nothing = components(*machine_, none, routed_by_all(edges));
    EXPECT_EQ(nothing.count, 9);
    EXPECT_EQ(nothing.edges_of_ranks,
              std::vector<std::int64_t>(static_cast<std::size_t>(machine_->size())));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, RoutedOn, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

TEST(RoutedErrors, SaysWhatItDoesNotTake) {
  auto m = machine::open("cpu:2x1");
  const auto text = [&](const components_options& o) {
    return message_of<usage_error>([&] { components(m, paper_example(), o); });
  };
  auto options = with("routed");
  options.partition = "hash";
  EXPECT_EQ(text(options),
            "components: partition 'hash' says which rank owns which vertices, and in engine "
            "'routed' none owns any");
  options = with("routed");
  options.balance = "steal";
  expect_contains(text(options),
                  "balance 'steal' is of engines 'async' and 'host', and this is 'routed'");
  options = with("routed");
  options.packet = -1;
  EXPECT_EQ(text(options), "components: packet -1 is negative");
  options = with("routed");
  options.edges = "prestaged";
  options.packet = 4096;
  EXPECT_EQ(text(options),
            "components: packet '4096' is of edges 'streamed', and these are 'prestaged'");
  options = with("routed");
  options.edges = "there";
  expect_contains(text(options), "edges 'there'");
  options = with("sync");
  options.edges = "prestaged";
  expect_contains(text(options), "edges 'prestaged' is of engine 'routed', and this is 'sync'");
  options = with("tasks");
  options.packet = 4096;
  EXPECT_EQ(text(options),
            "components: packet '4096' is of engines 'routed' and 'host', and this is 'tasks'");
}

// What is told in time: nobody waits for a host that makes packets, and on roads labels of a range
// alone are handed on.
TEST(RoutedModelled, SavesWhatIsPrestaged) {
  machine m = machine::open("sim:m60,ranks=4");
  for (const char* name : {"kron:12:24", "road:120"}) {
    SCOPED_TRACE(name);
    const graph g = generate(parse_generator(name));
    const auto streamed = components(m, g, routed_by_all());
    const auto prestaged = components(m, g, routed_by_all("prestaged"));
    EXPECT_LT(prestaged.milliseconds, streamed.milliseconds);
    const auto merge = [](const components_result& r) { return r.phases.back().second; };
    EXPECT_EQ(streamed.phases.back().first, "merge");
    if (std::string(name) == "road:120") {
      EXPECT_LT(merge(prestaged), merge(streamed));
    }
  }
}

}  // namespace
}  // namespace gossamer
