// PageRank by a worklist that host threads drive, on GPUs: a fixed point on two hundred small
// graphs by either route, with segments of a few messages so that links are full; no residual is
// lost and none counts twice, whatever the rows, the partition and the way; what is counted and
// planned.
#include <gtest/gtest.h>

#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/host_driven/routes.hpp"
#include "unit/algorithm/pagerank/checks.hpp"
#include "unit/algorithm/planned_memory.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_routes::routes;

pagerank_options by(const std::string& route, std::int64_t packet = 0) {
  auto options = testing_routes::by<pagerank_options>(route, packet);
  options.precision = 64;
  options.tolerance = 1e-11;  // what was lost, or came twice, would show
  return options;
}

/// Twice, as runs differ.
void expect_pushed(machine& m, const graph& g, const pagerank_options& options,
                   const std::vector<double>& jumps = {}) {
  pagerank_solver solver(m, g, options);
  for (int again = 0; again < 2; ++again) {
    const auto result = solver.run(jumps);
    ASSERT_NO_FATAL_FAILURE(testing_pagerank::expect_converged(m, g, options, jumps, result));
    EXPECT_EQ(result.work->bytes, 16 * result.work->sent);
    EXPECT_LE(result.work->useless, result.work->sent);
  }
}

class PagerankByHosts : public testing_machines::OnMachine {};

TEST_P(PagerankByHosts, AgreesOnTwoHundredGraphs) {
  testing_routes::on_two_hundred_graphs([&](const graph& g, int number, const std::string& route) {
    expect_pushed(*machine_, g, by(route, number % 2 == 0 ? 32 : 0));
  });
}

/// Rows that are taken in chunks, which all ranks add to.
graph long_rows(bool directed) {
  arc_list arcs = random_arcs(30000, 120000, 5);
  for (std::int64_t v = 0; v < 30000; ++v) {
    arcs.emplace_back(7, v);
    if (v % 5 == 0) arcs.emplace_back(v, 29999);
  }
  graph g = directed ? from_arcs("long rows", 30000, arcs, false)
                     : undirected("long rows both ways", 30000, arcs);
  set_weights<float>(g, 9);
  return g;
}

TEST_P(PagerankByHosts, LargerGraphsAndPartitions) {
  const std::vector<graph> graphs = {long_rows(true), long_rows(false),
                                     generate(parse_generator("kron:13")),
                                     generate(parse_generator("road:120"))};
  for (const graph& g : graphs)
    for (const auto& route : routes)
      for (const int number : {0, 3, 9}) {  // ranges; a part is empty; one has everything
        SCOPED_TRACE(g.name + " " + route + " " + std::to_string(number));
        auto options = by(route, number == 3 ? 4096 : 0);
        options.weighted = g.weighted() && number == 3;
        if (number != 0) {
          options.partition = "file";
          options.part_of = drawn_parts(g, machine_->size(), number);
        }
        std::vector<double> jumps;
        if (number == 3) {
          jumps.assign(static_cast<std::size_t>(g.vertices()), 0);
          jumps[5] = 1;
          jumps.back() = 2;
        }
        ASSERT_NO_FATAL_FAILURE(expect_pushed(*machine_, g, options, jumps));
      }
}

/// A star and its mirror on the other side: a million messages at once.
TEST_P(PagerankByHosts, FullLinksHoldMessagesBack) {
  const std::int64_t n = std::int64_t{1} << 20;
  const graph g = two_stars(n);
  for (const auto& route : routes) {
    SCOPED_TRACE(route);
    auto options = by(route, 8192);
    options.tolerance = 1e-6;
    const auto result = pagerank(*machine_, g, options);
    const auto& ranks = std::get<shared_array<double>>(result.ranks.get());
    const auto verdict = verify_pagerank(g, ranks.span(), options);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
    const worklist_counters& w = *result.work;
    EXPECT_EQ(w.items - w.repeated, n) << "each vertex at least once";
    if (machine_->size() > 1) {
      EXPECT_GT(w.sent, 1 << 18);
      EXPECT_GE(w.parcels, w.sent / 512);
    } else {
      EXPECT_EQ(w.sent + w.filtered + w.parcels, 0);
    }
  }
}

TEST_P(PagerankByHosts, TakesWhatIsPlanned) {
  const graph g = long_rows(true);
  for (const auto& route : routes)
    for (const bool weighted : {false, true}) {
      auto options = by(route);
      options.weighted = weighted;
      expect_planned<pagerank_solver>(*machine_, g, options,
                                      [](pagerank_solver& solver) { solver.run(); });
    }
}

TEST_P(PagerankByHosts, RefusesTheSameBits) {
  auto options = by("direct");
  options.deterministic = true;
  const auto said = message_of<usage_error>([&] { pagerank(*machine_, paper_example(), options); });
  EXPECT_NE(said.find("engine 'host' adds residuals in the order"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Machines, PagerankByHosts,
                         ::testing::ValuesIn(testing_machines::gpu_specs()),
                         testing_machines::spec_name<std::string>);

TEST(PagerankByHostsPaths, MessagesThroughPinnedMemory) {
  const graph g = generate(parse_generator("kron:12"));
  testing_routes::without_peers([&](machine& m, const std::string& route) {
    ASSERT_NO_FATAL_FAILURE(expect_pushed(m, g, by(route, 512)));
  });
}

}  // namespace
}  // namespace gossamer
