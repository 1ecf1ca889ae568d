// Components on two hundred small graphs and some larger ones, on every kind of CPU machine: labels
// equal a serial search's, and the verifier agrees; its errors; facts about real graphs.
#include "gossamer/algorithm/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/io.hpp"
#include "gossamer/graph/renumber.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "real_data.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/plan_entries.hpp"

namespace gossamer {
namespace {

using namespace testing_components;
using namespace testing_graphs;
using testing_machines::OnMachine;

class ComponentsOn : public OnMachine {};

/// Vertices that an arc leads from or to.
std::int64_t with_arcs(const graph& g) {
  const graph reversed = g.transposed();
  std::int64_t count = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    count += g.degree(v) > 0 || reversed.degree(v) > 0;
  return count;
}

/// What the worklist of engine async says of itself.
void expect_counted(const graph& g, const components_result& result, int ranks) {
  ASSERT_EQ(result.engine, "async");
  ASSERT_TRUE(result.work.has_value());
  const worklist_counters& work = *result.work;
  EXPECT_EQ(work.items - work.repeated, with_arcs(g));
  EXPECT_GE(work.arcs, g.arcs() * (g.symmetric ? 1 : 2));
  EXPECT_GE(work.sent, work.parcels);
  EXPECT_GE(work.sent, work.useless);
  EXPECT_EQ(work.bytes > 0, work.sent > 0);
  if (ranks == 1) {
    EXPECT_EQ(work.sent + work.filtered + work.useless, 0);
  }
}

TEST_P(ComponentsOn, AgreesOnTwoHundredGraphs) {
  const int step = machine_->size() > 3 ? 4 : 1;
  for (int number = 0; number < 200; number += step) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, components(*machine_, g, with("sync"))));
    const auto async = components(*machine_, g, with("async"));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, async));
    ASSERT_NO_FATAL_FAILURE(expect_counted(g, async, machine_->size()));
    const auto tasks = components(*machine_, g, with("tasks"));
    ASSERT_EQ(tasks.engine, "tasks");
    ASSERT_NO_FATAL_FAILURE(expect_right(g, tasks));
    EXPECT_FALSE(tasks.work.has_value());
  }
}

/// The same graph with vertices in an order without any.
graph shuffled(const graph& g) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(g.vertices()));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  return renumbered(g, order);
}

// One rank floods what is small in diameter, and joins other graphs strip by strip of 32,768 rows.
TEST(Components, OfFamiliesOfManyStrips) {
  auto one = machine::open("cpu:1x1"), three = machine::open("cpu:1x3");
  for (const char* spec :
       {"path:100000", "star:100000", "cliques:1000x70", "road:300", "geometric:100000:8",
        "mesh:50x40x40", "small-world:70000:6:20", "preferential:70000:3", "web:100000:5",
        "kron:16:8", "uniform:16:2", "uniform:16:8", "bipartite:50x70000:3"}) {
    SCOPED_TRACE(spec);
    const graph g = generate(parse_generator(spec));
    for (const graph& of : {g, shuffled(g)}) {
      for (machine* m : {&one, &three}) {
        const auto checked = verify_components(of, components(*m, of).labels);
        ASSERT_TRUE(checked.ok) << checked.reason;
      }
    }
  }
}

TEST_P(ComponentsOn, ThreadsAndRanksShareLargerGraphs) {
  // Pieces of all sizes; a long path against the order of ids; and one arc in one row alone that
  // joins two large components of a directed graph.
  std::vector<graph> graphs = {generate(parse_generator("kron:13:2")),
                               generate(parse_generator("road:90"))};
  arc_list path, joined = random_arcs(20000, 60000, 3);
  for (std::int64_t v = 1; v < 30000; ++v) path.emplace_back(v, v - 1);
  for (auto& [u, v] : joined) {
    u = u % 10000 + (v % 2) * 10000;
    v = v % 10000 + (v % 2) * 10000;
  }
  joined.emplace_back(19999, 3);
  graphs.push_back(undirected("path", 30000, path));
  graphs.push_back(from_arcs("joined", 20000, joined, false));
  for (const graph& g : graphs) {
    SCOPED_TRACE(g.name);
    components_search search(*machine_, g);
    search.run();
    const auto result = search.run();
    const auto verdict = verify_components(g, result.labels);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
    EXPECT_EQ(result.phases.size(), machine_->size() > 1 ? 4U : 3U);
    components_search async(*machine_, g, with("async"));
    async.run();
    const auto again = async.run();
    EXPECT_EQ(again.labels.type(), result.labels.type());
    const auto judged = verify_components(g, again.labels);
    ASSERT_TRUE(judged.ok) << judged.reason;
    EXPECT_EQ(again.count, result.count);
    ASSERT_NO_FATAL_FAILURE(expect_counted(g, again, machine_->size()));
    EXPECT_EQ(again.phases.size(), machine_->size() > 1 ? 3U : 1U);
    components_search tasks(*machine_, g, with("tasks"));
    tasks.run();
    const auto third = tasks.run();
    const auto right = verify_components(g, third.labels);
    ASSERT_TRUE(right.ok) << right.reason;
    EXPECT_EQ(third.count, result.count);
    EXPECT_EQ(third.phases.size(), result.phases.size());
  }
  EXPECT_EQ(components(*machine_, graphs[2]).count, 1);
}

TEST_P(ComponentsOn, AsyncPlansWhatItTakes) {
  const auto planned = [&](const graph& g, const std::string& purpose) {
    return entries_for(components_search::plan(*machine_, g, with("async")), purpose) > 0;
  };
  const arc_list arcs = random_arcs(500, 900, 2);
  const graph both = undirected("both", 500, arcs), one = from_arcs("one", 500, arcs, false);
  EXPECT_TRUE(planned(both, "known labels and worklists"));
  EXPECT_EQ(planned(both, "inbox"), machine_->size() > 1);
  EXPECT_FALSE(planned(both, "arcs of both directions"));
  EXPECT_TRUE(planned(one, "arcs of both directions"));
}

// A ladder whose ends lie on all ranks, larger ids first: roots of one rank get parents on others
// again and again, and long ways lead from owner to owner.
TEST_P(ComponentsOn, TasksFollowRootsFromRankToRank) {
  constexpr std::int64_t n = 6000;
  arc_list folded, apart;
  for (std::int64_t v = 0; v + 1 < n; ++v) {
    // 0, n-1, 1, n-2, …: neighbours on the path are far from each other by id.
    const auto at = [](std::int64_t i) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; };
    folded.emplace_back(at(v), at(v + 1));
    if (v % 3 != 0) apart.emplace_back(at(v), at(v + 1));
  }
  for (const graph& g :
       {undirected("folded", n, folded), from_arcs("folded, one way", n, folded, false),
        undirected("apart", n, apart), from_arcs("apart, one way", n, apart, false)}) {
    SCOPED_TRACE(g.name);
    const auto result = components(*machine_, g, with("tasks"));
    const auto verdict = verify_components(g, result.labels);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
    EXPECT_EQ(result.count, g.name.starts_with("folded") ? 1 : n / 3 + 1);
  }
}

TEST_P(ComponentsOn, TasksPlanWhatTheyTake) {
  const graph g = from_arcs("one", 500, random_arcs(500, 900, 2), false);
  const auto plan = components_search::plan(*machine_, g, with("tasks"));
  EXPECT_EQ(entries_for(plan, "forest and messages"), machine_->size());
  EXPECT_EQ(entries_for(plan, "vertices to tell of"), machine_->size());
  EXPECT_EQ(entries_for(plan, "arcs of both directions"), 0);
}

TEST_P(ComponentsOn, NoVertexAtAll) {
  const auto result = components(*machine_, from_arcs("empty", 0, {}, true));
  EXPECT_EQ(result.count, 0);
  EXPECT_EQ(result.largest, 0);
  for (const char* engine : {"async", "tasks", "routed"})
    EXPECT_EQ(components(*machine_, from_arcs("empty", 0, {}, true), with(engine)).count, 0);
  EXPECT_THROW(components(*machine_, graph()), usage_error) << "not even offsets";
}

INSTANTIATE_TEST_SUITE_P(Machines, ComponentsOn,
                         ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

TEST(ComponentsErrors, Engines) {
  auto m = machine::open("cpu:1x1");
  components_options options;
  options.engine = "async";
  EXPECT_EQ(components(m, paper_example(), options).engine_reason, "asked for");
  options.engine = "quick";
  EXPECT_EQ(message_of<usage_error>([&] { components(m, paper_example(), options); }),
            "components: unknown engine 'quick' (there are auto, sync, async, host, tasks, "
            "routed)");
  options.engine = "auto";
  const auto chosen = components(m, paper_example(), options);
  EXPECT_EQ(chosen.engine, "sync");
  EXPECT_FALSE(chosen.engine_reason.empty());
  EXPECT_FALSE(chosen.work.has_value());
  options.memory = 16;
  expect_contains(message_of<capacity_error>([&] { components(m, paper_example(), options); }),
                  "labels");
}

TEST(ComponentsVerifier, FindsWhatIsWrong) {
  graph g = from_arcs("pieces", 6, {{1, 0}, {2, 1}, {4, 3}}, false);
  g.names.base = 1;
  const auto reason = [&](const std::vector<vertex32>& values) {
    shared_array<vertex32> labels(values.size());
    std::copy(values.begin(), values.end(), labels.begin());
    return verify_components(g, labels).reason;
  };
  EXPECT_EQ(reason({0, 0, 0, 3, 3, 5}), "");
  EXPECT_EQ(reason({0, 0, 1, 3, 3, 5}),
            "vertex 3 has the label 1, but vertex 1 (index 0) is the smallest of its component");
  EXPECT_EQ(reason({0, 0, 0, 0, 0, 5}),
            "vertex 4 has the label 0, but vertex 4 (index 3) is the smallest of its component");
  EXPECT_EQ(reason({1, 1, 1, 3, 3, 5}),
            "vertex 1 has the label 1, but vertex 1 (index 0) is the smallest of its component");
  EXPECT_EQ(reason({0}), "labels need one entry for each of the 6 vertices");
}

TEST(DegreeFacts, OfRows) {
  using algorithm_detail::count_degrees;
  EXPECT_EQ(count_degrees(undirected("none", 0, {}).offsets.span()).most_connected, -1);
  const graph star = undirected("star", 5, {{3, 0}, {3, 1}, {3, 2}, {3, 4}});
  const auto facts = count_degrees(star.offsets.span());
  EXPECT_EQ(facts.most_connected, 3);
  EXPECT_EQ(facts.longest, 4);
  EXPECT_FALSE(facts.skewed);
}

TEST(ComponentsRealData, KnownCounts) {
  const struct {
    const char* file;
    std::int64_t count, largest;
  } known[] = {{"email-Enron.txt.xz", 1065, 33696},
               {"soc-Slashdot0902.txt.xz", 1, 82168},
               {"cnr-2000.graph-txt.xz", 1, 325557},
               {"USA-road-d.NY.gr.xz", 1, 264346}};
  for (const auto& [name, count, largest] : known) {
    const auto file = data_file(name);
    if (!file.missing.empty()) GTEST_SKIP() << file.missing;
    const graph g = read_graph(file.path);
    for (const char* spec : {"cpu:1x2", "cpu:3x1"}) {
      auto m = machine::open(spec);
      for (const char* engine : {"sync", "async", "tasks", "routed"}) {
        const auto result = components(m, g, with(engine));
        EXPECT_EQ(result.count, count) << name << spec << engine;
        EXPECT_EQ(result.largest, largest) << name << spec << engine;
      }
    }
  }
}

}  // namespace
}  // namespace gossamer
