// Every distributed algorithm with ranks that are MPI processes, against sequential references: two
// hundred small graphs, and New York's and the Bay Area's known sums of distances.
// algorithms_mpi_test.cpp has what processes add beside results.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/graph/io.hpp"
#include "real_data.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/sssp/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

/// check(graph, its number) for each of them.
template <class Check>
void on_two_hundred_graphs(const Check& check) {
  for (int number = 0; number < 200; ++number) {
    const graph g = many_graphs(number);
    SCOPED_TRACE(g.name);
    ASSERT_NO_FATAL_FAILURE(check(g, number));
  }
}

TEST(ManyGraphsOnProcesses, ShortestPaths) {
  machine m = machine::open("mpi:1");
  on_two_hundred_graphs([&](const graph& g, int number) {
    for (const char* engine : {"sync", "async"}) {
      sssp_options options;
      options.engine = engine;
      options.parents = number % 4 == 0;
      testing_sssp::expect_right(g, sssp(m, g, number % g.vertices(), options));
    }
  });
}

TEST(ManyGraphsOnProcesses, BreadthFirst) {
  machine m = machine::open("mpi:1");
  on_two_hundred_graphs([&](const graph& g, int number) {
    const std::int64_t source = number % g.vertices();
    const auto want = serial_bfs(g, source);
    place_options placing;
    placing.partition = number % 3 == 0 ? "hash" : "auto";
    const auto placed = std::make_shared<const placed_graph>(place(m, g, placing));
    for (const char* engine : {"sync", "async"}) {
      bfs_options options;
      options.engine = engine;
      const auto found = bfs_search(placed, options).run(source);
      const auto parents = found.parents();
      const auto depths = found.depths();
      ASSERT_TRUE(std::equal(depths.begin(), depths.end(), want.depths.begin(), want.depths.end()));
      const auto verdict = verify_bfs(g, source, parents.span(), depths.span());
      ASSERT_TRUE(verdict.ok) << verdict.reason;
    }
  });
}

TEST(ManyGraphsOnProcesses, Components) {
  machine m = machine::open("mpi:1");
  on_two_hundred_graphs([&](const graph& g, int) {
    for (const char* engine : {"sync", "async"})
      testing_components::expect_right(g, components(m, g, testing_components::with(engine)));
  });
}

TEST(ManyGraphsOnProcesses, Pagerank) {
  machine m = machine::open("mpi:1");
  on_two_hundred_graphs([&](const graph& g, int number) {
    for (const char* engine : {"sync", "async"}) {
      pagerank_options options;
      options.engine = engine;
      options.weighted = number % 3 != 1;
      options.precision = 64;
      options.tolerance = 1e-10;
      options.most_iterations = 1000;
      const auto found = pagerank(m, g, options);
      const auto& ranks = std::get<shared_array<double>>(found.ranks.get());
      const auto verdict = verify_pagerank(g, ranks.span(), options);
      ASSERT_TRUE(found.converged && verdict.ok) << verdict.reason;
    }
  });
}

/// Widest paths from vertex 0, until no arc widens one.
std::vector<double> serial_widest(const graph& g) {
  std::vector<double> width(static_cast<std::size_t>(g.vertices()), -1);
  width[0] = 1e9;
  for (bool changed = true; changed;) {
    changed = false;
    g.visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < g.vertices(); ++u)
        for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
          const double weight = std::visit(
              [&](const auto& w) {
                if constexpr (requires { static_cast<double>(w[0]); })
                  return static_cast<double>(w[static_cast<std::size_t>(k)]);
                else
                  return 0.0;
              },
              g.weights);
          double& at = width[static_cast<std::size_t>(rows.indices[k])];
          const double wider = std::min(width[static_cast<std::size_t>(u)], weight);
          if (wider <= at) continue;
          at = wider;
          changed = true;
        }
    });
  }
  return width;
}

TEST(ManyGraphsOnProcesses, CompiledPrograms) {
  machine m = machine::open("mpi:1");
  vertex_program widest;
  widest.type = program_type::float64;
  widest.update = program_update::larger;
  widest.weighted = true;
  widest.row = builtin_row(widest.type, widest.update, "gs_min(value, weight)");
  on_two_hundred_graphs([&](const graph& g, int) {
    shared_array<double> initial(static_cast<std::size_t>(g.vertices()));
    std::fill(initial.begin(), initial.end(), -1);
    initial[0] = 1e9;
    const auto found = program_search(m, g, widest).run(initial, std::vector<std::int64_t>{0});
    const auto& values = std::get<shared_array<double>>(found.values);
    const auto want = serial_widest(g);
    ASSERT_TRUE(std::equal(values.begin(), values.end(), want.begin(), want.end()));
  });
}

TEST(ManyGraphsOnProcesses, RoadNetworksHaveTheirSums) {
  machine m = machine::open("mpi:1");
  for (const auto& [name, sum] : {std::pair("USA-road-d.NY.gr.xz", 186686642878U),
                                  std::pair("USA-road-d.BAY.gr.xz", 295629435062U)}) {
    const auto file = data_file(name);
    if (!file.missing.empty()) GTEST_SKIP() << file.missing;
    const graph g = read_graph(file.path);
    for (const char* engine : {"sync", "async"}) {
      sssp_options options;
      options.engine = engine;
      const auto found = sssp(m, g, g.names.index(1, g.vertices()), options);
      const auto& d = std::get<shared_array<std::uint32_t>>(found.distances.get());
      EXPECT_EQ(std::accumulate(d.begin(), d.end(), std::uint64_t{0}), sum) << name << engine;
    }
  }
}

}  // namespace
}  // namespace gossamer
