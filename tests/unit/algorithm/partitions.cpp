// Shortest paths, components and PageRank on partitions of all kinds, on CPU machines with few and
// many ranks: what comes out is in the caller's numbering and the same as without.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/graph/generators.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components_checks.hpp"
#include "unit/algorithm/sssp_checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_machines::OnMachine;

std::vector<std::string> partitions() {
  return {"ranges", "edges", "hash", "file",
#ifdef GOSSAMER_TEST_METIS
          "metis"
#endif
  };
}

/// Parts drawn at random; of some graphs one part owns everything, others nothing.
std::vector<std::int32_t> drawn_parts(const graph& g, int ranks, int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  std::vector<std::int32_t> part_of(static_cast<std::size_t>(g.vertices()));
  for (std::int32_t& part : part_of)
    part = number % 9 == 0 ? ranks - 1
                           : static_cast<std::int32_t>(random() % static_cast<unsigned>(ranks));
  return part_of;
}

class PartitionOn : public OnMachine {
 protected:
  /// Calls run(graph, number) for graphs of all shapes, and sets what the options need.
  template <class Options, class Run>
  void on_graphs(Options& options, const Run& run) {
    const int step = machine_->size() > 3 ? 11 : 3;
    for (int number = 0; number < 200; number += step) {
      const graph g = many_graphs(number);
      for (const std::string& partition : partitions()) {
        SCOPED_TRACE(g.name + " " + partition);
        options.partition = partition;
        options.part_of.clear();
        if (partition == "file") options.part_of = drawn_parts(g, machine_->size(), number);
        ASSERT_NO_FATAL_FAILURE(run(g, number));
      }
    }
  }
};

TEST_P(PartitionOn, ShortestPathsAgreeWithDijkstra) {
  sssp_options options;
  on_graphs(options, [&](const graph& g, int number) {
    options.parents = number % 2 == 0 || number % 3 == 0;
    for (const char* engine : {"sync", "async", "tasks"}) {
      options.engine = engine;
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {std::int64_t{0}, g.vertices() - 1})
        ASSERT_NO_FATAL_FAILURE(testing_sssp::expect_right(g, search.run(source)));
    }
  });
}

TEST_P(PartitionOn, ComponentsAgreeWithASerialSearch) {
  components_options options;
  on_graphs(options, [&](const graph& g, int) {
    for (const char* engine : {"sync", "async", "tasks"}) {
      options.engine = engine;
      components_search search(*machine_, g, options);
      for (int again = 0; again < 2; ++again)
        ASSERT_NO_FATAL_FAILURE(testing_components::expect_right(g, search.run()));
    }
  });
}

std::vector<double> as_doubles(const rank_array& ranks) {
  return std::visit([](const auto& x) { return std::vector<double>(x.begin(), x.end()); }, ranks);
}

TEST_P(PartitionOn, PagerankFindsTheSameRanks) {
  machine alone = machine::open("cpu:1x1");
  pagerank_options options;
  on_graphs(options, [&](const graph& g, int number) {
    options.weighted = number % 2 == 0;
    options.precision = 64;
    options.tolerance = 1e-12;
    options.most_iterations = 1000;
    std::vector<double> jumps(static_cast<std::size_t>(g.vertices()), 0.0);
    jumps[static_cast<std::size_t>(number) % jumps.size()] = 3;
    jumps[0] += 1;
    if (number % 5 == 0) jumps.clear();
    auto one_rank = options;
    one_rank.partition = "auto";
    const auto want = as_doubles(pagerank(alone, g, one_rank, jumps).ranks);
    for (const char* engine : {"sync", "async"}) {
      options.engine = engine;
      pagerank_solver solver(*machine_, g, options);
      const auto result = options.engine == "sync" ? solver.run(jumps, jumps) : solver.run(jumps);
      const auto ranks = as_doubles(result.ranks);
      ASSERT_TRUE(result.converged);
      ASSERT_EQ(ranks.size(), want.size());
      double apart = 0;
      for (std::size_t v = 0; v < want.size(); ++v) apart += std::abs(ranks[v] - want[v]);
      ASSERT_LE(apart, 2e-11);
      const auto verdict = verify_pagerank(g, ranks, options, jumps);
      ASSERT_TRUE(verdict.ok) << verdict.reason;
    }
  });
}

// Large enough that hubs get an order of their own inside each part, and ranks work at once.
TEST_P(PartitionOn, LargerGraphsAndBalance) {
  const graph g = testing_sssp::weighted("kron:13:8");
  for (const std::string& partition : partitions()) {
    SCOPED_TRACE(partition);
    sssp_options paths;
    paths.partition = partition;
    if (partition == "file") paths.part_of = drawn_parts(g, machine_->size(), 1);
    paths.parents = true;
    paths.engine = "async";
    for (const char* balance : {"none", "steal", "move"}) {
      paths.balance = balance;
      ASSERT_NO_FATAL_FAILURE(testing_sssp::expect_right(g, sssp(*machine_, g, 5, paths)));
    }
    pagerank_options ranks;
    ranks.partition = partition;
    ranks.part_of = paths.part_of;
    const auto found = as_doubles(pagerank(*machine_, g, ranks).ranks);
    const auto verdict = verify_pagerank(g, found, ranks);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, PartitionOn,
                         ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
