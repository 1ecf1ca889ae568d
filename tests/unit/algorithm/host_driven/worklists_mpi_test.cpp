// Shortest paths, components and PageRank by engine host on GPUs of MPI processes: this program
// under `mpirun -n P`. Every process has the whole result, which verifiers accept.
#include <gtest/gtest.h>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

std::vector<graph> graphs() {
  generate_options weighted;
  weighted.weights = true;
  std::vector<graph> all;
  for (const char* name : {"kron:11", "road:40", "path:300"})
    all.push_back(generate(parse_generator(name), weighted));
  for (const int number : {1, 3, 6, 7, 12, 33}) all.push_back(testing_graphs::many_graphs(number));
  return all;
}

class WorklistsOnProcesses : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
    machine_.emplace(machine::open("mpi:cuda"));
  }
  /// By host, the route of the test, and links that are full with some graphs.
  template <class Options>
  Options by_host(std::size_t number) const {
    Options o;
    o.engine = "host";
    o.route = GetParam();
    o.packet = number % 2 == 0 ? 0 : 64;
    return o;
  }
  std::optional<machine> machine_;
};

TEST_P(WorklistsOnProcesses, ShortestPaths) {
  const auto all = graphs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const graph& g = all[i];
    if (!g.weighted()) continue;
    SCOPED_TRACE(g.name);
    auto options = by_host<sssp_options>(i);
    options.parents = true;
    for (const char* partition : {"auto", "hash"}) {
      options.partition = partition;
      const auto found = sssp(*machine_, g, g.vertices() / 3, options);
      const auto verdict =
          verify_sssp(g, found.source, found.distances.get(), found.parents.span());
      EXPECT_TRUE(verdict.ok) << verdict.reason;
    }
  }
}

TEST_P(WorklistsOnProcesses, Components) {
  const auto all = graphs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    auto options = by_host<components_options>(i);
    for (const char* partition : {"auto", "hash"}) {
      options.partition = partition;
      const auto found = components(*machine_, all[i], options);
      const auto verdict = verify_components(all[i], found.labels.get());
      EXPECT_TRUE(verdict.ok) << verdict.reason;
    }
  }
}

TEST_P(WorklistsOnProcesses, Pagerank) {
  const auto all = graphs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    auto options = by_host<pagerank_options>(i);
    options.precision = 64;
    for (const char* partition : {"auto", "hash"}) {
      options.partition = partition;
      const auto found = pagerank(*machine_, all[i], options);
      const auto& ranks = std::get<shared_array<double>>(found.ranks.get());
      const auto verdict = verify_pagerank(all[i], ranks.span(), options);
      EXPECT_TRUE(found.converged && verdict.ok) << verdict.reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Routes, WorklistsOnProcesses, ::testing::Values("direct", "ring"));

}  // namespace
}  // namespace gossamer
