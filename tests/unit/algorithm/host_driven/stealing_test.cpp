// Stealing between GPU ranks that host threads drive: one rank owns nearly everything, others work
// off what it grants, along its rows. Distances, depths, labels and residuals are those of the
// verifiers; which machines cannot.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/host_driven/routes.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/pagerank/checks.hpp"
#include "unit/algorithm/planned_memory.hpp"

namespace gossamer {
namespace {

using testing_routes::routes;

template <class Options>
Options stealing(const std::string& route) {
  auto options = testing_routes::by<Options>(route);
  options.balance = "steal";
  return options;
}

/// Of sixteen vertices one belongs to each other rank, the rest to the first.
std::vector<std::int32_t> skewed(const graph& g, int ranks) {
  std::vector<std::int32_t> part_of(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < part_of.size(); ++v)
    part_of[v] = v % 16 < static_cast<std::size_t>(ranks) ? static_cast<std::int32_t>(v % 16) : 0;
  return part_of;
}

/// Short rows, of which whole queues are granted, and some that are cut into chunks.
std::vector<graph> wide_graphs() {
  return {generate(parse_generator("uniform:18:6")), generate(parse_generator("kron:17"))};
}

class Stealing : public testing_machines::OnMachine {
 protected:
  template <class Options>
  Options skewed_options(const graph& g, const std::string& route) {
    auto options = stealing<Options>(route);
    options.partition = "file";
    options.part_of = skewed(g, machine_->size());
    return options;
  }
};

TEST_P(Stealing, ShortestPaths) {
  std::int64_t stolen = 0;
  for (graph& g : wide_graphs()) {
    testing_graphs::set_weights<std::int32_t>(g, 20);
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      sssp_search search(*machine_, g, skewed_options<sssp_options>(g, route));
      for (const std::int64_t source : draw_sources(g, 4, 7)) {
        const auto found = search.run(source);
        const auto verdict = verify_sssp(g, source, found.distances);
        ASSERT_TRUE(verdict.ok) << verdict.reason;
        ASSERT_TRUE(found.work);
        EXPECT_EQ(found.work->items - found.work->repeated, found.reached);
        EXPECT_EQ(found.work->given_bytes, found.work->stolen * 8);
        stolen += found.work->stolen;
      }
    }
  }
  EXPECT_GT(stolen, 0);
}

TEST_P(Stealing, TakesWhatIsPlanned) {
  graph g = generate(parse_generator("kron:14"));
  testing_graphs::set_weights<std::int32_t>(g, 20);
  expect_planned<sssp_search>(*machine_, g, skewed_options<sssp_options>(g, "ring"),
                              [](sssp_search& search) { search.run(1); });
}

TEST_P(Stealing, BreadthFirstSearch) {
  for (const graph& g : wide_graphs())
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      place_options how;
      how.partition = "file";
      how.part_of = skewed(g, machine_->size());
      const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, how));
      bfs_search search(placed, stealing<bfs_options>(route));
      for (const std::int64_t source : draw_sources(g, 4, 7)) {
        const auto found = search.run(source);
        const auto verdict = verify_bfs(g, source, found.parents().span(), found.depths().span());
        ASSERT_TRUE(verdict.ok) << verdict.reason;
      }
    }
}

TEST_P(Stealing, Components) {
  for (const graph& g : wide_graphs())
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      components_search search(*machine_, g, skewed_options<components_options>(g, route));
      for (int again = 0; again < 4; ++again) {
        const auto verdict = verify_components(g, search.run().labels);
        ASSERT_TRUE(verdict.ok) << verdict.reason;
      }
    }
}

/// What was taken for another rank to push is neither lost nor pushed twice.
TEST_P(Stealing, Residuals) {
  for (const graph& g : wide_graphs())
    for (const auto& route : routes) {
      SCOPED_TRACE(g.name + " " + route);
      auto options = skewed_options<pagerank_options>(g, route);
      options.precision = 64;
      options.tolerance = 1e-11;
      pagerank_solver solver(*machine_, g, options);
      for (int again = 0; again < 2; ++again)
        ASSERT_NO_FATAL_FAILURE(
            testing_pagerank::expect_converged(*machine_, g, options, {}, solver.run({})));
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, Stealing,
                         ::testing::ValuesIn(testing_machines::gpu_specs({"cuda:0*2", "cuda:0*3",
                                                                          "cuda:0-1", "cuda:0-3"})),
                         testing_machines::spec_name<std::string>);

TEST(StealingPaths, OtherMachinesAreRefused) {
  graph g = generate(parse_generator("kron:10"));
  testing_graphs::set_weights<std::int32_t>(g, 20);
  const std::string why =
      "sssp: balance 'steal' of engine 'host' needs GPUs of one process that address each other's "
      "memory";
  testing_routes::without_peers([&](machine& m, const std::string& route) {
    EXPECT_EQ(message_of<usage_error>([&] { sssp(m, g, 0, stealing<sssp_options>(route)); }), why);
  });
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  auto mixed = machine::open("cpu:1x1+cuda:0");
  EXPECT_EQ(message_of<usage_error>([&] { sssp(mixed, g, 0, stealing<sssp_options>("direct")); }),
            why);
}

}  // namespace
}  // namespace gossamer
