// Shortest paths, components and PageRank on partitions of all kinds, on machines with few and many
// ranks: what comes out is in the caller's numbering and the same as without. The same source makes
// the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/graph/generators.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/pagerank/checks.hpp"
#include "unit/algorithm/sssp/checks.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_machines::OnMachine;
using testing_pagerank::as_doubles;

std::vector<std::string> partitions() {
  return {"ranges", "edges", "hash", "file",
#ifdef GOSSAMER_TEST_METIS
          "metis"
#endif
  };
}

class PartitionOn : public OnMachine {
 protected:
  [[nodiscard]] bool gpus() const { return (*machine_)[0].is_cuda(); }
  /// That run on this machine's ranks, tasks where an algorithm has them.
  [[nodiscard]] std::vector<std::string> engines(bool tasks) const {
    if (gpus() || !tasks) return {"sync", "async"};
    return {"sync", "async", "tasks"};
  }
  /// Engine sync of shortest paths searches on one GPU.
  [[nodiscard]] std::vector<std::string> engines_of_paths() const {
    if (!gpus()) return engines(true);
    if (machine_->size() == 1) return {"sync", "async", "host"};
    return {"async", "host"};
  }

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
    for (const std::string& engine : engines_of_paths()) {
      SCOPED_TRACE(engine);
      options.engine = engine;
      options.route = engine == "host" && number % 2 == 0 ? "ring" : "direct";
      sssp_search search(*machine_, g, options);
      for (const std::int64_t source : {std::int64_t{0}, g.vertices() - 1}) {
        const auto result = search.run(source);
        ASSERT_NO_FATAL_FAILURE(testing_sssp::expect_right(g, result));
        ASSERT_EQ(result.ranks_used, machine_->size());
      }
    }
  });
}

TEST_P(PartitionOn, ComponentsAgreeWithASerialSearch) {
  components_options options;
  on_graphs(options, [&](const graph& g, int) {
    for (const std::string& engine : engines(true)) {
      SCOPED_TRACE(engine);
      options.engine = engine;
      components_search search(*machine_, g, options);
      for (int again = 0; again < 2; ++again) {
        const auto result = search.run();
        ASSERT_NO_FATAL_FAILURE(testing_components::expect_right(g, result));
        ASSERT_EQ(result.ranks_used, machine_->size());
      }
    }
  });
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
    for (const std::string& engine : engines(false)) {
      SCOPED_TRACE(engine);
      options.engine = engine;
      pagerank_solver solver(*machine_, g, options);
      const auto result = engine == "sync" ? solver.run(jumps, jumps) : solver.run(jumps);
      const auto ranks = as_doubles(result.ranks);
      ASSERT_TRUE(result.converged);
      ASSERT_EQ(result.ranks_used, machine_->size());
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
    for (const char* balance : {"none", "steal"}) {
      if (gpus() && balance != std::string("none")) continue;
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

/// Machines of CPUs alone or of GPUs alone.
std::vector<std::string> pure_specs() {
  auto specs = testing_machines::machine_specs();
  std::erase_if(specs, [](const std::string& s) {
    return s.find("cpu") != std::string::npos && s.find("cuda") != std::string::npos;
  });
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Machines, PartitionOn, ::testing::ValuesIn(pure_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
