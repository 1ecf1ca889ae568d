// Every engine of every algorithm, on each machine that its table says it runs on, finds what the
// algorithm's verifier accepts on random graphs of every shape and on generators' families;
// elsewhere it is refused by name. An engine joins by being in its table, and so does a choice of
// its options.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

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
#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/matrices.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

constexpr int shapes = 24;  ///< of each shape four; every id width, weight and direction
/// Families that generators make, small, but with rows that are cut and with many levels.
constexpr const char* families[] = {"star:400",
                                    "path:150",
                                    "tree:6:2",
                                    "cliques:9x12",
                                    "lollipop:40x60",
                                    "bipartite:6x300:3",
                                    "small-world:300:6:50",
                                    "mesh:7x6x5",
                                    "preferential:400:3",
                                    "kron:8",
                                    "uniform:7:5",
                                    "road:16",
                                    "geometric:300:7",
                                    "web:400:6"};
constexpr int graphs = shapes + static_cast<int>(std::size(families));

graph trial_graph(int number) {
  if (number < shapes) return testing_graphs::many_graphs(number);
  generate_options weighted;
  weighted.weights = true;
  return generate(parse_generator(families[number - shapes]), weighted);
}

/// Runs an engine and hands over what the verifier says.
using trial = std::function<verification(machine&, const std::string& engine, int number)>;

std::int64_t source_of(const graph& g, int number) {
  return (std::int64_t{number} * 7919) % g.vertices();
}

verification try_bfs(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  bfs_options o;
  o.engine = engine;
  const auto r = bfs(m, g, source_of(g, number), o);
  const auto parents = r.parents();
  const auto depths = r.depths();
  return verify_bfs(g, r.source, parents.span(), depths.span());
}

verification try_sssp(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  sssp_options o;
  o.engine = engine;
  o.parents = true;
  const auto r = sssp(m, g, source_of(g, number), o);
  return verify_sssp(g, r.source, r.distances.get(), r.parents.span());
}

verification try_components(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  components_options o;
  o.engine = engine;
  return verify_components(g, components(m, g, o).labels.get());
}

verification try_pagerank(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  pagerank_options o;
  o.engine = engine;
  o.precision = 64;
  const auto r = pagerank(m, g, o);
  const auto v = verify_pagerank(g, std::get<shared_array<double>>(r.ranks.get()).span(), o);
  return {v.ok, v.reason};
}

verification try_triangles(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  triangles_options o;
  o.engine = engine;
  o.weighted = number % 2 == 1;
  return verify_triangles(g, triangles(m, g, o).counts, o.weighted);
}

verification try_core_numbers(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  core_numbers_options o;
  o.engine = engine;
  return verify_core_numbers(g, core_numbers(m, g, o).numbers);
}

verification try_spanning_forest(machine& m, const std::string& engine, int number) {
  graph g = trial_graph(number);
  if (!g.symmetric) {
    build_options both;
    both.symmetrize = true;
    g = rebuild(g, both);
  }
  spanning_forest_options o;
  o.engine = engine;
  return verify_spanning_forest(g, spanning_forest(m, g, o).arcs);
}

verification try_strong_components(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  strong_components_options o;
  o.engine = engine;
  return verify_strong_components(g, strong_components(m, g, o).labels);
}

verification try_betweenness(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  betweenness_options o;
  o.engine = engine;
  o.edges = number % 3 == 0;
  o.samples = number % 2 == 0 ? 0 : std::min<std::int64_t>(4, g.vertices());
  const auto r = betweenness(m, g, o);
  return verify_betweenness(g, r.scores, r.sources, o);
}

verification try_distances(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  distances_options o;
  o.engine = engine;
  o.inward = number % 2 == 1;
  distances_search search(m, g, o);
  std::vector<std::int64_t> all(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<std::int64_t>(v);
  auto found = verify_depths(g, o.inward, all, search.run(all, all).depths);
  if (!found.ok) return found;
  const auto numbers = search.run();
  found = verify_distances(g, distance_kind::harmonic, o.inward, all, numbers.reciprocals.span());
  if (!found.ok) return found;
  o.measure = distance_measure::eccentricity;
  const auto bounded = distances(m, g, o);
  const std::vector<double> eccentricities(bounded.eccentricities.begin(),
                                           bounded.eccentricities.end());
  return verify_distances(g, distance_kind::eccentricity, o.inward, all, eccentricities);
}

verification try_communities(machine& m, const std::string& engine, int number) {
  graph g = trial_graph(number);
  if (!g.symmetric) {
    build_options both;
    both.symmetrize = true;
    g = rebuild(g, both);
  }
  communities_options o;
  o.engine = engine;
  o.method = number % 2 == 0 ? "louvain" : "leiden";
  const auto r = communities(m, g, o);
  return verify_communities(g, r.labels, {r.modularity, o.resolution, o.method == "leiden"});
}

verification try_random_walks(machine& m, const std::string& engine, int number) {
  const graph g = trial_graph(number);
  random_walks_options o;
  o.engine = engine;
  o.length = 20;
  o.walks = 2;
  o.seed = number;
  for (const bool second : {false, true}) {
    o.weighted = g.weighted() && number % 2 == 0;
    o.p = second ? 0.5 : 1;
    o.q = second ? 2 : 1;
    auto found = verify_random_walks(g, random_walks(m, g, o).walks, {}, o);
    if (!found.ok) return found;
  }
  return {};
}

verification try_cg(machine& m, const std::string& engine, int number) {
  const char* const matrices[] = {"poisson:5x4", "poisson:7x3x2", "band:60:360"};
  const graph matrix = generate_matrix(matrices[number % 3]);
  cg_options o;
  o.engine = engine;
  cg_solver solver(m, matrix, o);
  std::vector<double> b(static_cast<std::size_t>(matrix.vertices()));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1.0 / static_cast<double>(i + 1 + number % 5);
  const auto r = solver.solve(b);
  const auto v = verify_cg(matrix, b, r.x.span(), o.tolerance, o.absolute, r.iterations);
  return {v.ok, v.reason};
}

const std::map<std::string, trial>& trials() {
  static const std::map<std::string, trial> all = {{"betweenness", try_betweenness},
                                                   {"bfs", try_bfs},
                                                   {"cg", try_cg},
                                                   {"communities", try_communities},
                                                   {"components", try_components},
                                                   {"core_numbers", try_core_numbers},
                                                   {"distances", try_distances},
                                                   {"pagerank", try_pagerank},
                                                   {"random_walks", try_random_walks},
                                                   {"spanning_forest", try_spanning_forest},
                                                   {"sssp", try_sssp},
                                                   {"strong_components", try_strong_components},
                                                   {"triangles", try_triangles}};
  return all;
}

/// What the table says.
bool suits(const engine_info& e, const machine& m) {
  bool cpus = false, gpus = false;
  for (int r = 0; r < m.size(); ++r) (m[r].is_cuda() ? gpus : cpus) = true;
  return cpus && gpus ? e.mixed : gpus ? e.gpus : e.cpus;
}

bool names(const std::vector<std::string>& engines, const std::string& engine) {
  return std::find(engines.begin(), engines.end(), engine) != engines.end();
}

/// The engine as it is, and with each other choice of its own options that it has on the machine.
std::vector<std::string> forms_of(const algorithm_table& a, const engine_info& e,
                                  const machine& m) {
  std::vector<std::string> all = {e.name};
  for (const option_info& o : a.options) {
    if (!names(o.engines, e.name)) continue;
    if (m[0].is_cuda() && names(o.cpus_only, e.name)) continue;
    for (const std::string& choice : o.choices)
      if (option_value(choice) != o.standard) all.push_back(e.name + ":" + o.name + "=" + choice);
  }
  return all;
}

class Engines : public testing_machines::OnMachine {
 protected:
  void find_on_all_graphs(const trial& run, const std::string& engine) {
    int tried = 0;
    for (int number = 0; number < graphs; ++number) {
      SCOPED_TRACE(number);
      try {
        const verification v = run(*machine_, engine, number);
        EXPECT_TRUE(v.ok) << v.reason;
        ++tried;
      } catch (const usage_error& refusal) {
        // Some engines have ids of 32 bits alone, and say so; GPUs may lack what one needs.
        const std::string text = refusal.what();
        const bool ids = text.find("64") != std::string::npos;
        EXPECT_TRUE(ids || text.find("needs") != std::string::npos ||
                    text.find("not compiled in") != std::string::npos)
            << text;
      }
    }
#ifndef GOSSAMER_TEST_GPU
    EXPECT_GT(tried, graphs / 2);
#endif
  }
};

TEST_P(Engines, FindWhatVerifiersAccept) {
  for (const algorithm_table& a : algorithms()) {
    ASSERT_TRUE(trials().contains(a.name)) << a.name << " has no trial here";
    const trial& run = trials().at(a.name);
    for (const engine_info& e : a.engines) {
      if (!suits(e, *machine_)) {
        SCOPED_TRACE(a.name + ": " + e.name);
        EXPECT_THROW(run(*machine_, e.name, 0), usage_error);
        continue;
      }
      for (const std::string& form : forms_of(a, e, *machine_)) {
        SCOPED_TRACE(a.name + ": " + form);
        find_on_all_graphs(run, form);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Engines, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
