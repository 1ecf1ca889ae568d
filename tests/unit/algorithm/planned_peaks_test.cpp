// What runs on CPU ranks take is what their plans say, or less: every engine on several numbers of
// ranks, on machines of their own, whose first run takes what a machine keeps.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/matrices.hpp"

namespace gossamer {
namespace {

/// `plan(machine)` says what `run(machine)` may take.
template <class Plan, class Run>
void expect_planned(const std::string& what, const Plan& plan, const Run& run) {
  for (const int ranks : {1, 2, 3, 8}) {
    begin_peaks();
    const std::int64_t before = memory_in_use(host_account).now;
    machine m = machine::open("cpu:" + std::to_string(ranks) + "x1");
    const memory_plan planned = plan(m);
    run(m);
    EXPECT_LE(memory_in_use(host_account).peak - before, planned.total())
        << what << " on " << ranks << " ranks; " << planned.text();
  }
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

TEST_P(PlannedPeaks, OfBreadthFirstSearch) {
  for (const char* engine : {"sync", "async", "tasks", "vector-queue"})
    for (const char* partition : {"ranges", "hash", "edges"}) {
      place_options placing;
      placing.partition = partition;
      bfs_options options;
      options.engine = engine;
      expect_planned(
          std::string(engine) + " " + partition,
          [&](machine& m) { return bfs_search::plan(m, graph_, placing, options); },
          [&](machine& m) {
            bfs_search(std::make_shared<const placed_graph>(place(m, graph_, placing)), options)
                .run(1);
          });
    }
}

TEST_P(PlannedPeaks, OfShortestPaths) {
  for (const char* engine : {"sync", "async", "tasks"}) {
    sssp_options options;
    options.engine = engine;
    expect_planned(
        engine, [&](machine& m) { return sssp_search::plan(m, graph_, options); },
        [&](machine& m) { sssp_search(m, graph_, options).run(1); });
  }
}

TEST_P(PlannedPeaks, OfComponents) {
  for (const char* engine : {"sync", "async", "tasks", "routed"}) {
    components_options options;
    options.engine = engine;
    expect_planned(
        engine, [&](machine& m) { return components_search::plan(m, graph_, options); },
        [&](machine& m) { components(m, graph_, options); });
  }
}

TEST_P(PlannedPeaks, OfPagerank) {
  for (const char* engine : {"sync", "async"}) {
    pagerank_options options;
    options.engine = engine;
    options.tolerance = 1e-4;
    expect_planned(
        engine, [&](machine& m) { return pagerank_solver::plan(m, graph_, options); },
        [&](machine& m) { pagerank(m, graph_, options); });
  }
}

INSTANTIATE_TEST_SUITE_P(graphs, PlannedPeaks, testing::Values("kron:8", "kron:12", "grid:40x30"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& c : name)
                             if (c == ':') c = '_';
                           return name;
                         });

TEST(PlannedPeaks, OfConjugateGradient) {
  const graph matrix = generate_matrix("poisson:30x30");
  const std::vector<double> b(900, 1);
  expect_planned(
      "cg", [&](machine& m) { return cg_solver::plan(m, matrix, {}); },
      [&](machine& m) { cg_solver(m, matrix, {}).solve(b); });
}

}  // namespace
}  // namespace gossamer
