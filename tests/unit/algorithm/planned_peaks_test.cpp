// Runs take of each memory at most what their plans say, and at least half of it: every engine of
// every table. Plans of ordinary graphs are at most 1.3 times that, and 64 MiB. Results are brought
// to the host, as plans expect. Each runs on a machine of its own, whose first run takes what a
// machine keeps.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs; with
// GOSSAMER_TEST_STAND_INS that of the algorithms whose kernels are emulated.
#include <gtest/gtest.h>

#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/algorithm/vertex_steps.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/matrices.hpp"
#include "gossamer/placement/kept.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

#ifdef GOSSAMER_TEST_GPU
constexpr const char* specs[] = {"cuda:0", "cuda:0*3", "cpu:1x1+cuda:0", "cuda:0-1"};
#ifdef GOSSAMER_TEST_STAND_INS
constexpr const char* graphs[] = {"kron:8", "star:300"};
#else
/// The last one is an ordinary one: 64 MiB are little beside it.
constexpr const char* graphs[] = {"kron:8", "kron:12", "grid:40x30", "star:3000", "kron:18"};
#endif
#else
constexpr const char* specs[] = {"cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:8x1"};
constexpr const char* graphs[] = {"kron:8", "kron:12", "grid:40x30", "star:3000"};
#endif

/// Of which NVIDIA's libraries take the most for themselves, which nothing counts.
constexpr const char* for_libraries = "cuSPARSE and cuBLAS";

/// Bytes by account (memory_use.hpp), without what is for `but`.
std::map<int, std::int64_t> by_account(const memory_plan& plan, const std::string& but = "") {
  std::map<int, std::int64_t> bytes;
  for (const auto& e : plan.entries)
    if (e.purpose != but)
      bytes[e.kind == memory_kind::device ? plan.accounts[static_cast<std::size_t>(e.rank)]
                                          : host_account] += e.bytes;
  return bytes;
}

/// `plan(machine)` says what `run(machine)` may take; `uncounted`: for what nothing counts it.
/// Returns on how many machines it ran.
template <class Plan, class Run>
int expect_planned(const std::string& what, const Plan& plan, const Run& run,
                   const std::string& uncounted = for_libraries) {
  int ran = 0;
  for (const std::string spec : specs) {
    if (!testing_machines::lacking(spec).empty()) continue;
    SCOPED_TRACE(what + " on " + spec);
    begin_peaks();
    std::map<int, std::int64_t> before;
    for (int account = host_account; account < 16; ++account)
      before[account] = memory_in_use(account).now;
    machine m = machine::open(spec);
    try {
      const memory_plan planned = plan(m);
      run(m);
      auto said = by_account(planned), counted = by_account(planned, uncounted);
      for (const auto& [account, bytes] : before) {
        const std::int64_t taken = memory_in_use(account).peak - bytes;
        EXPECT_LE(taken, said[account]) << "account " << account << "; " << planned.text();
        // A plan also counts what may be needed, such as lists that grow.
        EXPECT_LE(counted[account], 2 * taken + (64 << 10))
            << "account " << account << "; " << planned.text();
        EXPECT_LE(counted[account], taken + 3 * taken / 10 + (64 << 20))
            << "account " << account << "; " << planned.text();
      }
      ++ran;
    } catch (const usage_error&) {
      // Not an engine of these ranks: tests/conformance/engines.cpp has which those are.
    }
  }
  return ran;
}

/// On how many of the machines that are here an engine runs, by its table.
int suiting(const engine_info& e) {
  int machines = 0;
  for (const std::string spec : specs) {
    if (!testing_machines::lacking(spec).empty()) continue;
    const bool cpus = spec.find("cpu") != spec.npos, gpus = spec.find("cuda") != spec.npos;
    machines += cpus && gpus ? e.mixed : gpus ? e.gpus : e.cpus;
  }
  return machines;
}

template <class Options, class Plan, class Run>
void expect_all_planned(const char* algorithm, const Options& options, const Plan& plan,
                        const Run& run) {
  int ran = 0, suited = 0;
  for (const algorithm_table& a : algorithms()) {
    if (a.name != algorithm) continue;
    for (const engine_info& e : a.engines) {
      Options o = options;
      o.engine = e.name;
      suited += suiting(e);
      ran += expect_planned(
          a.name + ", engine " + e.name, [&](machine& m) { return plan(m, o); },
          [&](machine& m) { run(m, o); });
    }
  }
  // A host without GPUs runs nothing of the GPU test, and there algorithms without engines for
  // them do not run either.
  if (testing_machines::lacking(specs[0]).empty()) {
    EXPECT_GE(ran, std::min(suited, 4));
  }
}

template <class Values>
void bring(const Values& to_the_host) {
  static_cast<void>(to_the_host.get());
}

graph weighted(const char* spec) {
  generate_options options;
  options.weights = true;
  return generate(parse_generator(spec), options);
}

class PlannedPeaks : public testing::TestWithParam<const char*> {
 protected:
  graph graph_ = weighted(GetParam());
};

#ifndef GOSSAMER_TEST_STAND_INS
TEST_P(PlannedPeaks, OfBreadthFirstSearch) {
  for (const char* partition : {"ranges", "hash", "edges"}) {
    place_options placing;
    placing.partition = partition;
    expect_all_planned(
        "bfs", bfs_options(),
        [&](machine& m, const bfs_options& o) { return bfs_search::plan(m, graph_, placing, o); },
        [&](machine& m, const bfs_options& o) {
          bfs_search(std::make_shared<const placed_graph>(place(m, graph_, placing)), o).run(1);
        });
  }
}

TEST_P(PlannedPeaks, OfBreadthFirstSearchByColumns) {
  bfs_options options;
  options.engine = "vector_queue";
  for (const char* partition : {"ranges", "hash"}) {
    place_options placing;
    placing.partition = partition;
    placing.by_columns = true;
    expect_planned(
        "bfs by columns", [&](machine& m) { return bfs_search::plan(m, graph_, placing, options); },
        [&](machine& m) {
          bfs_search(std::make_shared<const placed_graph>(place(m, graph_, placing)), options)
              .run(1);
        });
  }
}

TEST_P(PlannedPeaks, OfShortestPaths) {
  expect_all_planned(
      "sssp", sssp_options(),
      [&](machine& m, const sssp_options& o) { return sssp_search::plan(m, graph_, o); },
      [&](machine& m, const sssp_options& o) {
        bring(sssp_search(m, graph_, o).run(1).distances);
      });
}

/// Narrow buckets, as many as there can be.
TEST(PlannedPeaksOfParallelArcs, OfShortestPaths) {
  constexpr std::int64_t arcs = 200'000;
  testing_graphs::arc_list ends;
  for (std::int64_t i = 0; i < arcs; ++i) ends.emplace_back(i % 2, 1 - i % 2);
  graph g = testing_graphs::from_arcs("parallel", 2, std::move(ends), false);
  shared_array<float> weights(arcs);
  for (std::int64_t i = 0; i < arcs; ++i) weights[i] = static_cast<float>(i * 7919 % arcs);
  g.weights = weights;
  expect_all_planned(
      "sssp", sssp_options(),
      [&](machine& m, const sssp_options& o) { return sssp_search::plan(m, g, o); },
      [&](machine& m, const sssp_options& o) { bring(sssp_search(m, g, o).run(1).distances); });
}

TEST_P(PlannedPeaks, OfComponents) {
  expect_all_planned(
      "components", components_options(),
      [&](machine& m, const components_options& o) {
        return components_search::plan(m, graph_, o);
      },
      [&](machine& m, const components_options& o) { bring(components(m, graph_, o).labels); });
}

TEST_P(PlannedPeaks, OfPagerank) {
  pagerank_options options;
  options.tolerance = 1e-4;
  const std::vector<double> jumps(static_cast<std::size_t>(graph_.vertices()), 1);
  expect_all_planned(
      "pagerank", options,
      [&](machine& m, const pagerank_options& o) { return pagerank_solver::plan(m, graph_, o); },
      [&](machine& m, const pagerank_options& o) {
        // async and host begin with none.
        const std::vector<double> start = o.engine == "sync" ? jumps : std::vector<double>();
        bring(pagerank_solver(m, graph_, o).run(jumps, start).ranks);
      });
}

#endif

/// Each edge in one direction.
graph one_direction(const graph& g) {
  graph directed = g;
  directed.symmetric = false;
  directed.weights = {};
  directed.offsets = shared_array<edge_offset>(g.offsets.size());
  auto& columns = std::get<shared_array<vertex32>>(directed.indices);
  columns = shared_array<vertex32>(static_cast<std::size_t>(g.arcs() / 2));
  const auto rows = g.view<vertex32>();
  edge_offset edges = directed.offsets[0] = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    for (const auto u : rows.row(v))
      if (u > v) columns[static_cast<std::size_t>(edges++)] = u;
    directed.offsets[static_cast<std::size_t>(v) + 1] = edges;
  }
  return directed;
}

#ifndef GOSSAMER_TEST_GPU
/// Large enough for arcs to be partitioned as they are reversed, which takes more than they do
/// then.
TEST(PlannedPeaksOfDirectedGraphs, OfPagerank) {
  graph directed = one_direction(generate(parse_generator("kron:16"))), weighted = directed;
  shared_array<double> weights(static_cast<std::size_t>(directed.arcs()));
  std::fill_n(weights.data(), weights.size(), 0.5);
  weighted.weights = weights;
  for (const graph& g : {directed, weighted})
    for (const int precision : {32, 64}) {
      pagerank_options options;
      options.weighted = g.weighted();
      options.precision = precision;
      expect_planned(
          "pagerank", [&](machine& m) { return pagerank_solver::plan(m, g, options); },
          [&](machine& m) { bring(pagerank_solver(m, g, options).run().ranks); });
    }
}
#endif

#ifndef GOSSAMER_TEST_STAND_INS
/// With arrays that are filled; programs take no more, but for copies that gathers of GPUs read.
TEST_P(PlannedPeaks, OfVertexSteps) {
  graph directed = one_direction(graph_), weighted = directed;
  shared_array<std::int32_t> weights(static_cast<std::size_t>(directed.arcs()));
  std::fill_n(weights.data(), weights.size(), 3);
  weighted.weights = weights;
  const auto run = [](machine& m, const graph& g) {
    vertex_steps steps(m, g, 0, {});
    const auto vertices = static_cast<std::size_t>(g.vertices());
    for (const std::size_t element : {8, 8, 4, 1}) {
      const std::vector<std::byte> values(vertices * element, std::byte{1});
      steps.write(steps.add_array(static_cast<int>(element), false), values);
    }
    run_options bare;
    bare.arenas = {arena_plan{0, 0}};
    m.run([](rank&) {}, bare);
  };
  for (const graph& g : {graph_, directed, weighted})
    expect_planned(
        "vertex steps",
        [&](machine& m) {
          return vertex_steps::plan(m, g, {21, 0}, 0);
        },
        [&](machine& m) {
          run(m, g);
          kept::forget_all();  // reversed arcs would be there for the next machine
        },
        "rows while they are ordered");
}
#endif

TEST_P(PlannedPeaks, OfTriangles) {
  graph directed = one_direction(graph_);
  shared_array<std::int32_t> weights(static_cast<std::size_t>(directed.arcs()));
  std::fill_n(weights.data(), weights.size(), 3);
  directed.weights = weights;
  for (const graph& g : {graph_, directed})
    for (const bool weighted : {false, true}) {
      triangles_options options;
      options.weighted = weighted;
      expect_all_planned(
          "triangles", options,
          [&](machine& m, const triangles_options& o) { return triangles_search::plan(m, g, o); },
          [&](machine& m, const triangles_options& o) {
            triangles(m, g, o);
            kept::forget_all();  // rows would be there for the next machine
          });
    }
}

TEST_P(PlannedPeaks, OfCoreNumbers) {
  for (const graph& g : {graph_, one_direction(graph_)})
    expect_all_planned(
        "core_numbers", core_numbers_options(),
        [&](machine& m, const core_numbers_options& o) {
          return core_numbers_search::plan(m, g, o);
        },
        [&](machine& m, const core_numbers_options& o) {
          core_numbers(m, g, o);
          kept::forget_all();  // degrees would be there for the next machine
        });
}

TEST_P(PlannedPeaks, OfSpanningForests) {
  graph bare = graph_;
  bare.weights = {};
  for (const graph& g : {graph_, bare})
    expect_all_planned(
        "spanning_forest", spanning_forest_options(),
        [&](machine& m, const spanning_forest_options& o) {
          return spanning_forest_search::plan(m, g, o);
        },
        [&](machine& m, const spanning_forest_options& o) { spanning_forest(m, g, o); });
}

TEST_P(PlannedPeaks, OfStrongComponents) {
  for (const graph& g : {graph_, one_direction(graph_)})
    expect_all_planned(
        "strong_components", strong_components_options(),
        [&](machine& m, const strong_components_options& o) {
          return strong_components_search::plan(m, g, o);
        },
        [&](machine& m, const strong_components_options& o) {
          strong_components(m, g, o);
          kept::forget_all();  // reversed arcs would be there for the next machine
        });
}

TEST_P(PlannedPeaks, OfBetweenness) {
  for (const graph& g : {graph_, one_direction(graph_)})
    for (const bool edges : {false, true}) {
      betweenness_options options;
      options.edges = edges;
      options.samples = 5;
      expect_all_planned(
          "betweenness", options,
          [&](machine& m, const betweenness_options& o) {
            return betweenness_search::plan(m, g, o);
          },
          [&](machine& m, const betweenness_options& o) {
            betweenness(m, g, o);
            kept::forget_all();  // rows would be there for the next machine
          });
    }
}

TEST_P(PlannedPeaks, OfDistances) {
  for (const auto measure :
       {distance_measure::sums, distance_measure::eccentricity, distance_measure::diameter})
    for (const graph& g : {graph_, one_direction(graph_)}) {
      distances_options options;
      options.measure = measure;
      expect_all_planned(
          "distances", options,
          [&](machine& m, const distances_options& o) { return distances_search::plan(m, g, o); },
          [&](machine& m, const distances_options& o) {
            distances(m, g, o);
            kept::forget_all();  // reversed arcs would be there for the next machine
          });
    }
}

TEST_P(PlannedPeaks, OfCommunities) {
  graph bare = graph_;
  bare.weights = {};
  for (const graph& g : {graph_, bare})
    for (const char* method : {"louvain", "leiden"}) {
      communities_options of_method;
      of_method.method = method;
      expect_all_planned(
          "communities", of_method,
          [&](machine& m, const communities_options& o) {
            return communities_search::plan(m, g, o);
          },
          [&](machine& m, const communities_options& o) { communities(m, g, o); });
    }
}

TEST_P(PlannedPeaks, OfRandomWalks) {
  for (const bool weighted : {false, true}) {
    random_walks_options options;
    options.length = 7;
    options.walks = 2;
    options.weighted = weighted;
    options.p = 2;
    expect_all_planned(
        "random_walks", options,
        [&](machine& m, const random_walks_options& o) {
          return random_walks_search::plan(m, graph_, o);
        },
        [&](machine& m, const random_walks_options& o) {
          random_walks(m, graph_, o);
          kept::forget_all();  // sums would be there for the next machine
        });
  }
}

INSTANTIATE_TEST_SUITE_P(graphs, PlannedPeaks, testing::ValuesIn(graphs), [](const auto& given) {
  std::string name = given.param;
  for (char& c : name)
    if (c == ':') c = '_';
  return name;
});

#ifndef GOSSAMER_TEST_STAND_INS
TEST(PlannedPeaks, OfConjugateGradient) {
  const graph matrix = generate_matrix("poisson:30x30");
  const std::vector<double> b(900, 1);
  expect_all_planned(
      "cg", cg_options(),
      [&](machine& m, const cg_options& o) { return cg_solver::plan(m, matrix, o); },
      [&](machine& m, const cg_options& o) { cg_solver(m, matrix, o).solve(b); });
}
#endif

}  // namespace
}  // namespace gossamer
