// Components on GPUs, alone, several, and ranks that share one: labels equal a serial search's on
// two hundred small graphs, the verifier agrees on larger ones of every kind that the passes treat
// differently; nothing is allocated in a run, and plans hold; what is refused, and how.
#include <gtest/gtest.h>

#include <numeric>

#include "algorithm/components/sync/cuda/reach.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "message_of.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/planned_memory.hpp"
#include "unit/machine/without_peers.hpp"

namespace gossamer {
namespace {

using namespace testing_components;
using namespace testing_graphs;

/// Where one GPU would be faster too.
components_options everyone() {
  components_options options;
  options.use = rank_use::all;
  return options;
}

components_options everyone_by(const std::string& engine) {
  components_options options = everyone();
  options.engine = engine;
  return options;
}

class ComponentsOnGpus : public testing_machines::OnMachine {};

void expect_verified(const graph& g, const components_result& result) {
  const auto verdict = verify_components(g, result.labels);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

TEST_P(ComponentsOnGpus, AgreesOnTwoHundredGraphs) {
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, components(*machine_, g, everyone())));
    const auto flooded = components(*machine_, g, everyone_by("async"));
    ASSERT_NO_FATAL_FAILURE(expect_right(g, flooded));
    ASSERT_TRUE(flooded.work);
    EXPECT_LE(flooded.work->useless, flooded.work->sent);
  }
}

/// A middle with many neighbours, in a row of several chunks, and sparse edges elsewhere: pieces of
/// all sizes, and arcs between rows that several ranks leave out.
template <class Id>
graph hub_and_pieces(std::int64_t n, std::int64_t middle, bool symmetric) {
  arc_list arcs = random_arcs(n, n / 3, 7);
  for (std::int64_t v = 0; v < n; v += 3) arcs.emplace_back(middle, v);
  return symmetric ? undirected<Id>("hub", n, arcs) : from_arcs<Id>("hub", n, arcs, false);
}

/// Long rows around a middle, a path that nothing leads to, and `apart` as many long rows besides:
/// what the middle reaches is nearly all, or half.
template <class Id>
graph crowd(std::int64_t middle, bool apart) {
  arc_list arcs = random_arcs(8000, 64000, 11);
  for (std::int64_t v = 0; v < 8000; v += 2) arcs.emplace_back(middle, v);
  for (std::int64_t v = 8001; v < 9000; ++v) arcs.emplace_back(v - 1, v);
  if (apart)
    for (const auto& [u, v] : random_arcs(8000, 64000, 12)) arcs.emplace_back(u + 9000, v + 9000);
  return undirected<Id>(apart ? "two crowds" : "crowd", 17000, arcs);
}

std::vector<graph> larger_graphs() {
  std::vector<graph> graphs = {
      generate(parse_generator("kron:13:2")),        generate(parse_generator("kron:14")),
      generate(parse_generator("road:90")),          generate(parse_generator("uniform:13:1")),
      hub_and_pieces<vertex32>(40000, 39999, true),  hub_and_pieces<vertex64>(40000, 17, true),
      hub_and_pieces<vertex32>(40000, 20000, false), hub_and_pieces<vertex64>(40000, 0, false)};
  graphs.push_back(crowd<vertex32>(7999, false));
  graphs.push_back(crowd<vertex64>(0, false));
  graphs.push_back(crowd<vertex32>(4001, true));
  // Paths with the order of ids, against it, and across it.
  arc_list up, down, shuffled;
  std::vector<std::int64_t> order(30000);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(5));
  for (std::int64_t v = 1; v < 30000; ++v) {
    up.emplace_back(v - 1, v);
    down.emplace_back(v, v - 1);
    shuffled.emplace_back(order[v - 1], order[v]);
  }
  graphs.push_back(undirected("path", 30000, up));
  graphs.push_back(from_arcs("up", 30000, up, false));
  graphs.push_back(from_arcs("down", 30000, down, false));
  graphs.push_back(undirected("shuffled path", 30000, shuffled));
  // One arc in one row alone joins two large components.
  arc_list joined = random_arcs(20000, 60000, 3);
  for (auto& [u, v] : joined) {
    u = u % 10000 + (v % 2) * 10000;
    v = v % 10000 + (v % 2) * 10000;
  }
  joined.emplace_back(19999, 3);
  graphs.push_back(from_arcs("joined", 20000, joined, false));
  graphs.push_back(undirected("joined both ways", 20000, joined));
  return graphs;
}

TEST_P(ComponentsOnGpus, LargerGraphs) {
  auto one = machine::open("cpu:1x1");
  for (const graph& g : larger_graphs()) {
    SCOPED_TRACE(g.name);
    components_search search(*machine_, g, everyone());
    const auto first = search.run(), again = search.run();
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, first));
    EXPECT_EQ(again.labels.type(), first.labels.type());
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, again));
    const auto on_cpu = components(one, g);
    EXPECT_EQ(first.count, on_cpu.count);
    EXPECT_EQ(first.largest, on_cpu.largest);
    EXPECT_EQ(first.phases.size(), machine_->size() > 1 ? 4U : 3U);
    EXPECT_GT(first.milliseconds, 0);
    const auto flooded = components(*machine_, g, everyone_by("async"));
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, flooded));
    EXPECT_EQ(flooded.count, on_cpu.count);
    EXPECT_GT(flooded.milliseconds, 0);
    EXPECT_EQ(flooded.phases.size(), 1U);
  }
}

/// Rows of all lengths in every part, one of them empty, or all in the last.
TEST_P(ComponentsOnGpus, PartitionsOfLargerGraphs) {
  auto one = machine::open("cpu:1x1");
  for (const graph& g : larger_graphs()) {
    const auto want = components(one, g);
    for (const char* engine : {"sync", "async"})
      for (const char* partition : {"hash", "edges", "file", "last"}) {
        SCOPED_TRACE(g.name + " " + engine + " " + partition);
        // Labels take each step of a path from rank to rank, one message after the other: once.
        const bool path = g.vertices() == 30000;
        if (path && engine == std::string("async") && partition != std::string("file")) continue;
        const int number = partition == std::string("last") ? 9 : 3;
        components_options options = with(engine);
        options.partition = number == 9 ? "file" : partition;
        if (options.partition == "file") options.part_of = drawn_parts(g, machine_->size(), number);
        components_search search(*machine_, g, options);
        for (int again = 0; again < 2; ++again) {
          const auto result = search.run();
          ASSERT_NO_FATAL_FAILURE(expect_verified(g, result));
          EXPECT_TRUE(std::visit(
              [](const auto& a, const auto& b) {
                return std::equal(a.begin(), a.end(), b.begin(), b.end());
              },
              result.labels.get(), want.labels.get()));
          EXPECT_EQ(result.count, want.count);
          EXPECT_EQ(result.largest_label, want.largest_label);
          EXPECT_EQ(result.ranks_used, machine_->size());
          EXPECT_EQ(result.ranks_reason, "");
        }
      }
  }
}

/// Two communities of hubs whose only link is one edge between members that every sample connects
/// with their own hub: its rows are the ones that may be left out.
TEST_P(ComponentsOnGpus, OneEdgeBetweenTwoLargeComponents) {
  const std::int64_t half = 6000;
  arc_list edges;
  for (std::int64_t v = 1; v < half; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(half, half + v);
    for (std::int64_t k = 1; k < 4 && v + k < half; ++k) {
      edges.emplace_back(v, v + k);
      edges.emplace_back(half + v, half + v + k);
    }
  }
  for (std::int64_t v = 1; v < half; v += 997) {
    arc_list all = edges;
    all.emplace_back(v, 2 * half - v);
    const graph g = undirected("linked", 2 * half, all);
    const auto result = components(*machine_, g, everyone());
    EXPECT_EQ(result.count, 1) << v;
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, result));
  }
}

TEST_P(ComponentsOnGpus, NoVertexAndNoEdge) {
  for (const char* engine : {"sync", "async"}) {
    const auto count = [&](const graph& g) {
      return components(*machine_, g, everyone_by(engine)).count;
    };
    const auto nothing =
        components(*machine_, from_arcs("empty", 0, {}, true), everyone_by(engine));
    EXPECT_EQ(nothing.count, 0);
    EXPECT_EQ(nothing.largest, 0);
    EXPECT_EQ(count(from_arcs("isolated", 5, {}, true)), 5);
    EXPECT_EQ(count(from_arcs("loops", 2, {{0, 0}, {1, 1}}, true)), 2);
    EXPECT_EQ(count(from_arcs<vertex64>("one arc", 9, {{8, 1}}, false)), 8);
  }
}

TEST_P(ComponentsOnGpus, TakesWhatIsPlannedAndNothingInRuns) {
  struct row {
    const char *name, *engine;
    bool parts;  ///< one of which is empty
  };
  for (const auto& [name, engine, parts] :
       {row{"kron:14", "sync", false}, row{"road:300", "sync", false},
        row{"road:301", "async", false}, row{"road:302", "routed", false},
        row{"road:304", "routed:edges=prestaged", false},
        row{"kron:15", "routed:edges=prestaged", false}, row{"road:303", "host", false},
        row{"kron:12", "host", true}, row{"kron:13", "sync", true},
        row{"road:299", "async", true}}) {
    const graph g = generate(parse_generator(name));
    auto options = everyone_by(engine);
    if (parts) {
      options.partition = "file";
      options.part_of = drawn_parts(g, machine_->size(), 3);
    }
    expect_planned<components_search>(*machine_, g, options,
                                      [](components_search& search) { search.run(); });
  }
}

TEST_P(ComponentsOnGpus, SaysWhatRunsAndWhatDoesNot) {
  const auto chosen = components(*machine_, paper_example());
  EXPECT_EQ(chosen.engine, "sync");
  EXPECT_EQ(chosen.engine_reason, "chosen, faster than async on GPUs");
  EXPECT_EQ(components(*machine_, paper_example(), with("sync")).engine_reason, "asked for");
  EXPECT_EQ(components(*machine_, paper_example(), with("async")).engine, "async");
  expect_contains(
      message_of<not_compiled>([&] { components(*machine_, paper_example(), with("tasks")); }),
      "engine 'tasks' of components on GPUs not compiled in: it runs on CPU ranks");
  components_options little;
  little.memory = 4096;
  expect_contains(
      message_of<capacity_error>([&] { components(*machine_, paper_example(), little); }),
      "labels of");
}

INSTANTIATE_TEST_SUITE_P(Machines, ComponentsOnGpus,
                         ::testing::ValuesIn(testing_machines::gpu_specs({"cuda:0", "cuda:0*3",
                                                                          "cuda:0*7", "cuda:0-1",
                                                                          "cuda:0-2", "cuda:0-3"})),
                         testing_machines::spec_name<std::string>);

TEST(ComponentsGpuPaths, MessagesThroughPinnedMemory) {
  testing_machines::without_peers([](machine& m) {
    const graph g = hub_and_pieces<vertex32>(4000, 17, true);
    const auto result = components(m, g, everyone_by("async"));
    ASSERT_NO_FATAL_FAILURE(expect_verified(g, result));
    EXPECT_GT(result.work->sent, 0);
  });
}

TEST(ComponentsGpuErrors, MixedMachines) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  auto m = machine::open("cpu:1x1+cuda:0");
  for (const std::string engine : {"auto", "sync", "async", "tasks", "host"}) {
    const auto text =
        message_of<not_compiled>([&] { components(m, paper_example(), with(engine)); });
    const std::string name = engine == "auto" ? "sync" : engine;
    expect_contains(text, "engine '" + name + "' of components on CPUs and GPUs together");
    expect_contains(text, "; engine 'routed' runs on CPUs and GPUs together");
  }
}

/// A middle next to every other vertex, and further edges.
graph around_a_middle(std::int64_t n, const arc_list& further) {
  arc_list arcs = further;
  for (std::int64_t v = 0; v < n; v += 2) arcs.emplace_back(n - 1, v);
  return undirected("middle", n, arcs);
}

TEST(ComponentsHub, ReachesMostOrNot) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  auto m = machine::open("cuda:0");
  const auto reaches = [&](const graph& g, vertex32 hub, std::int64_t looked_at) {
    const auto placed = place(m, g);
    const auto& all = placed.slice<vertex32>(0);
    return components_detail::cuda::reaches_most<vertex32>(
        m[0], {0, g.vertices(), 0, all.offsets, all.columns}, g.arcs(), hub, looked_at);
  };
  const graph star = around_a_middle(1000, {});
  EXPECT_TRUE(reaches(star, 999, 1));
  EXPECT_FALSE(reaches(star, 1, 64));  // nobody is next to vertex 1
  // Odd vertices have three or four neighbours, the smallest odd as well, so not next to the
  // middle.
  arc_list two_apart;
  for (std::int64_t v = 3; v < 999; v += 2) {
    two_apart.emplace_back(v, v - 2);
    two_apart.emplace_back(v, v + 1);
  }
  const graph far = around_a_middle(1000, two_apart);
  EXPECT_TRUE(reaches(far, 999, 2));
  EXPECT_FALSE(reaches(far, 999, 1));
  // A tenth of all arcs is somewhere else.
  arc_list apart;
  for (std::int64_t v = 1; v < 100; v += 2) apart.emplace_back(v, v + 2);
  EXPECT_FALSE(reaches(around_a_middle(1000, apart), 999, 64));
}

}  // namespace
}  // namespace gossamer
