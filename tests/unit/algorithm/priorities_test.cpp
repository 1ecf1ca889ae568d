// Worklists first in, first out, as bfs, sssp, components and pagerank ask for it: the same results
// without windows, on CPUs and on GPUs, and refused where there is no such worklist.
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

const std::vector<std::string> specs = testing_machines::cpus_or_gpus(
    {"cpu:1x1", "cpu:3x1", "sim:peach2,ranks=4"}, {"cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0-1"});
/// A host thread begins with everything deferred, and opens one window.
const std::vector<std::string> engines =
    testing_machines::cpus_or_gpus({"async", "async:balance=steal"}, {"async", "host"});

/// Random rows, hubs in chunks, and a network.
std::vector<graph> weighted() {
  std::vector<graph> all = {undirected("random", 3000, random_arcs(3000, 9000, 5)),
                            generate(parse_generator("kron:11:16")),
                            generate(parse_generator("road:40"))};
  for (graph& g : all) set_weights<std::int32_t>(g, 9);
  return all;
}

template <class Options>
Options first_in(const std::string& engine = "async") {
  Options options;
  options.engine = engine;
  options.priority = "none";
  if constexpr (requires { options.use; }) options.use = rank_use::all;
  return options;
}

/// `run(machine, graph, engine)` gives the counters of a run that it has compared.
template <class Run>
void on_all(const Run& run) {
  const std::vector<graph> graphs = weighted();
  for (const std::string& spec : specs) {
    if (!testing_machines::lacking(spec).empty()) continue;
    machine m = machine::open(spec);
    for (const std::string& engine : engines)
      for (const graph& g : graphs) {
        SCOPED_TRACE(spec + " " + engine + " " + g.name);
        const auto work = run(m, g, engine);
        ASSERT_TRUE(work.has_value());
        EXPECT_GT(work->items, 0);
        EXPECT_EQ(work->windows, engine == "host" ? 1 : 0);
        if (engine != "host") {
          EXPECT_EQ(work->deferred, 0);
        }
      }
  }
}

TEST(FirstIn, Bfs) {
  machine one = machine::open("cpu:1x1");
  on_all([&](machine& m, const graph& g, const std::string& engine) {
    const auto found = bfs(m, g, 0, first_in<bfs_options>(engine));
    const auto reached = found.depths();
    EXPECT_TRUE(std::ranges::equal(reached, bfs(one, g, 0).depths()));
    EXPECT_TRUE(verify_bfs(g, 0, found.parents().span(), reached.span()).ok);
    return found.work;
  });
}

TEST(FirstIn, Sssp) {
  machine one = machine::open("cpu:1x1");
  on_all([&](machine& m, const graph& g, const std::string& engine) {
    const auto found = sssp(m, g, 0, first_in<sssp_options>(engine));
    EXPECT_TRUE(std::ranges::equal(std::get<0>(found.distances.get()),
                                   std::get<0>(sssp(one, g, 0).distances.get())));
    EXPECT_EQ(found.delta, 0);
    return found.work;
  });
}

TEST(FirstIn, ABatchOfAModelledGpuIsAllThatWaits) {
  arc_list edges;
  for (std::int64_t v = 1; v < 5000; ++v) edges.emplace_back(0, v);
  graph g = undirected("star", 5000, edges);
  set_weights<std::int32_t>(g, 9);
  // The hub, its neighbours, and what comes after the worklist: a launch of a second each.
  machine gpu = machine::open("sim:m60,ranks=1,kernel.launch=1");
  EXPECT_NEAR(bfs(gpu, g, 0, first_in<bfs_options>()).milliseconds, 3000, 1);
  const double distances = sssp(gpu, g, 0, first_in<sssp_options>()).milliseconds;
  EXPECT_NEAR(distances, 3000, 1);
  // A modelled CPU looks at what came after every 256 items.
  machine cpu = machine::open("sim:grappa,ranks=1,kernel.launch=1");
  EXPECT_NEAR(sssp(cpu, g, 0, first_in<sssp_options>()).milliseconds, 22000, 1);
}

TEST(FirstIn, Components) {
  on_all([&](machine& m, const graph& g, const std::string& engine) {
    const auto found = components(m, g, first_in<components_options>(engine));
    EXPECT_TRUE(verify_components(g, found.labels).ok);
    return found.work;
  });
}

TEST(FirstIn, Pagerank) {
  on_all([&](machine& m, const graph& g, const std::string& engine) {
    auto options = first_in<pagerank_options>(engine);
    options.precision = 64;
    const auto found = pagerank(m, g, options);
    EXPECT_TRUE(verify_pagerank(g, std::get<1>(found.ranks.get()).span(), options).ok);
    return found.work;
  });
}

/// What `run(machine, options)` says to an option that it refuses.
template <class Options, class Run>
void refuses(const std::string& name, const Run& run) {
  machine m = machine::open("cpu:2x1");
  const auto says = [&](const std::string& engine, const std::string& priority) {
    Options options;
    options.engine = engine;
    options.priority = priority;
    return message_of<usage_error>([&] { run(m, options); });
  };
  EXPECT_EQ(says("async", "hard"), name + ": unknown priority 'hard' (there are soft, none)");
  EXPECT_EQ(says("auto", "none"),
            name + ": priority 'none' is of engines 'async' and 'host', and this is 'sync'");
}

TEST(FirstIn, IsRefusedWhereItWouldDoNothing) {
  const graph g = weighted().front();
  refuses<bfs_options>("bfs", [&](machine& m, const auto& o) { bfs(m, g, 0, o); });
  refuses<sssp_options>("sssp", [&](machine& m, const auto& o) { sssp(m, g, 0, o); });
  refuses<components_options>("components",
                              [&](machine& m, const auto& o) { components(m, g, o); });
  refuses<pagerank_options>("pagerank", [&](machine& m, const auto& o) { pagerank(m, g, o); });
  auto options = first_in<sssp_options>();
  options.delta = 4;
  machine m = machine::open("cpu:2x1");
  EXPECT_EQ(message_of<usage_error>([&] { sssp(m, g, 0, options); }),
            "sssp: delta is the width of windows, and priority 'none' has none");
}

}  // namespace
}  // namespace gossamer
