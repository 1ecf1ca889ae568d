// Shortest paths, components and PageRank with ranks that are MPI processes: this program under
// `mpirun -n P`. Every process has the whole result, the one of a machine of one rank.
#include <gtest/gtest.h>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

std::vector<graph> graphs() {
  generate_options weights;
  weights.weights = true;
  std::vector<graph> all = {generate(parse_generator("kron:11"), weights),
                            generate(parse_generator("road:30"))};
  for (const int number : {1, 3, 6, 7, 12, 33}) all.push_back(many_graphs(number));
  return all;
}

template <class... Arrays>
void expect_same(const std::variant<Arrays...>& found, const std::variant<Arrays...>& wanted) {
  std::visit(
      [&](const auto& a) {
        const auto& b = std::get<std::decay_t<decltype(a)>>(wanted);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      },
      found);
}
template <class Variant>
void expect_same(const result_values<Variant>& found, const result_values<Variant>& wanted) {
  expect_same(found.get(), wanted.get());
}

TEST(AlgorithmsOnProcesses, ShortestPaths) {
  machine processes = machine::open("mpi:1"), alone = machine::open("cpu:1x1");
  for (const graph& g : graphs()) {
    SCOPED_TRACE(g.name);
    sssp_options options;
    options.parents = true;
    sssp_search search(processes, g, options), reference(alone, g, options);
    options.engine = "async";
    sssp_search async(processes, g, options);
    options.balance = "steal";
    expect_same(sssp(processes, g, 1, options).distances, reference.run(1).distances);
    options.balance = "none";
    options.engine = "tasks";
    sssp_search tasks(processes, g, options);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 3}) {
      const auto found = search.run(source), wanted = reference.run(source),
                 without_rounds = async.run(source);
      const auto by_tasks = tasks.run(source);
      expect_same(by_tasks.distances, wanted.distances);
      EXPECT_TRUE(std::equal(by_tasks.parents.begin(), by_tasks.parents.end(),
                             wanted.parents.begin(), wanted.parents.end()));
      expect_same(without_rounds.distances, wanted.distances);
      EXPECT_TRUE(std::equal(without_rounds.parents.begin(), without_rounds.parents.end(),
                             wanted.parents.begin(), wanted.parents.end()));
      ASSERT_TRUE(without_rounds.work.has_value());
      EXPECT_EQ(without_rounds.work->items - without_rounds.work->repeated, wanted.reached);
      expect_same(found.distances, wanted.distances);
      EXPECT_TRUE(std::equal(found.parents.begin(), found.parents.end(), wanted.parents.begin(),
                             wanted.parents.end()));
      EXPECT_EQ(found.reached, wanted.reached);
      const auto verdict = verify_sssp(g, source, found.distances, found.parents.span());
      EXPECT_TRUE(verdict.ok) << verdict.reason;
    }
  }
}

TEST(AlgorithmsOnProcesses, Components) {
  machine processes = machine::open("mpi:1"), alone = machine::open("cpu:1x1");
  for (const graph& g : graphs()) {
    SCOPED_TRACE(g.name);
    components_options options;
    options.engine = "async";
    const auto found = components(processes, g), wanted = components(alone, g),
               async = components(processes, g, options);
    options.balance = "steal";
    const auto stolen = components(processes, g, options);
    options.balance = "none";
    options.engine = "tasks";
    const auto tasks = components(processes, g, options);
    options.engine = "routed";
    const auto routed = components(processes, g, options);
    for (const auto* result : {&found, &async, &stolen, &tasks, &routed}) {
      expect_same(result->labels, wanted.labels);
      EXPECT_EQ(result->count, wanted.count);
    }
    ASSERT_TRUE(async.work.has_value());
    if (g.arcs() > 10000) {  // one component, of every rank
      EXPECT_EQ(async.work->sent > 0, processes.size() > 1);
    }
  }
}

TEST(AlgorithmsOnProcesses, Pagerank) {
  machine processes = machine::open("mpi:1");
  for (const graph& g : graphs()) {
    SCOPED_TRACE(g.name);
    for (const auto& [engine, precision, balance] :
         {std::tuple("sync", 32, "none"), std::tuple("sync", 64, "none"),
          std::tuple("async", 32, "none"), std::tuple("async", 64, "steal")}) {
      pagerank_options options;
      options.engine = engine;
      options.balance = balance;
      options.precision = precision;
      options.most_iterations = 1000;
      const auto found = pagerank(processes, g, options);
      const auto ranks = std::visit(
          [](const auto& x) { return std::vector<double>(x.begin(), x.end()); }, found.ranks.get());
      const auto verdict = verify_pagerank(g, ranks, options);
      EXPECT_TRUE(found.converged && verdict.ok) << verdict.reason;
    }
  }
}

TEST(AlgorithmsOnProcesses, CompiledPrograms) {
  machine processes = machine::open("mpi:1"), alone = machine::open("cpu:1x1");
  vertex_program widest;
  widest.type = program_type::float64;
  widest.update = program_update::larger;
  widest.weighted = true;
  widest.row = builtin_row(widest.type, widest.update, "gs_min(value, weight)");
  for (const graph& g : graphs()) {
    if (!g.weighted()) continue;
    SCOPED_TRACE(g.name);
    shared_array<double> initial(static_cast<std::size_t>(g.vertices()));
    std::fill(initial.begin(), initial.end(), -1);
    initial[0] = 1e9;
    const std::vector<std::int64_t> source = {0};
    const auto found = program_search(processes, g, widest).run(initial, source),
               wanted = program_search(alone, g, widest).run(initial, source);
    expect_same(found.values, wanted.values);
    EXPECT_EQ(found.work->items - found.work->repeated, wanted.work->items - wanted.work->repeated);
  }
}

TEST(AlgorithmsOnProcesses, Partitions) {
  machine processes = machine::open("mpi:1"), alone = machine::open("cpu:1x1");
  for (const graph& g : graphs()) {
    for (const char* engine : {"sync", "async"}) {
      SCOPED_TRACE(g.name + " " + engine);
      sssp_options paths;
      paths.engine = engine;
      paths.partition = "hash";
      paths.parents = true;
      components_options labels;
      labels.engine = engine;
      labels.partition = "hash";
      pagerank_options ranks;
      ranks.engine = engine;
      ranks.partition = "hash";
      ranks.most_iterations = 1000;
      if (g.weighted()) {
        const auto found = sssp(processes, g, 1, paths), wanted = sssp(alone, g, 1, paths);
        expect_same(found.distances, wanted.distances);
        EXPECT_TRUE(std::equal(found.parents.begin(), found.parents.end(), wanted.parents.begin(),
                               wanted.parents.end()));
      }
      expect_same(components(processes, g, labels).labels, components(alone, g, labels).labels);
      const auto found = pagerank(processes, g, ranks);
      const auto& x = std::get<shared_array<float>>(found.ranks.get());
      const auto verdict = verify_pagerank(g, std::vector<double>(x.begin(), x.end()), ranks);
      EXPECT_TRUE(found.converged && verdict.ok) << verdict.reason;
    }
  }
}

// What cannot be done is the same error in every process, which goes on.
TEST(AlgorithmsOnProcesses, RefusalsAreEverybodys) {
  machine processes = machine::open("mpi:1");
  const graph g = many_graphs(4);
  expect_contains(message_of<usage_error>([&] { sssp(processes, g, -1); }), "no vertex with index");
  EXPECT_GE(components(processes, g).count, 1);
}

}  // namespace
}  // namespace gossamer
