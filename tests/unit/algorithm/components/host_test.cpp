// Components by a worklist that host threads drive, on GPUs: labels equal a serial search's on two
// hundred small graphs by either route, with segments of a few messages so that links are full; on
// larger graphs, whatever the partition; through pinned memory; what is counted and planned.
#include <gtest/gtest.h>

#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/generators.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/components/checks.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/host_driven/routes.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/planned_memory.hpp"

namespace gossamer {
namespace {

using namespace testing_components;
using namespace testing_graphs;
using testing_routes::by, testing_routes::routes;

class ComponentsByHosts : public testing_machines::OnMachine {};

TEST_P(ComponentsByHosts, AgreesOnTwoHundredGraphs) {
  testing_routes::on_two_hundred_graphs([&](const graph& g, int number, const std::string& route) {
    const auto options = by<components_options>(route, number % 2 == 0 ? 8 : 0);
    expect_right(g, components(*machine_, g, options));
  });
}

std::vector<graph> larger_graphs() {
  return {generate(parse_generator("kron:14")), generate(parse_generator("road:120")),
          generate(parse_generator("uniform:13:1")),
          from_arcs<vertex64>("sparse, directed", 20000, random_arcs(20000, 20000, 5), false),
          undirected("sparse", 20000, random_arcs(20000, 15000, 7))};
}

TEST_P(ComponentsByHosts, LargerGraphsAndPartitions) {
  for (const graph& g : larger_graphs())
    for (const auto& route : routes)
      for (const int number : {0, 3, 9}) {  // ranges; a part is empty; one has everything
        SCOPED_TRACE(g.name + " " + route + " " + std::to_string(number));
        // Of two parts the other one has everything, too.
        const bool divided =
            number == 0 ? machine_->size() > 1 : number == 3 && machine_->size() > 2;
        auto options = by<components_options>(route, number == 3 ? 4096 : 0);
        if (number != 0) {
          options.partition = "file";
          options.part_of = drawn_parts(g, machine_->size(), number);
        }
        components_search search(*machine_, g, options);
        for (int again = 0; again < 2; ++again) {
          const auto result = search.run();
          const auto verdict = verify_components(g, result.labels);
          ASSERT_TRUE(verdict.ok) << verdict.reason;
          EXPECT_EQ(result.engine, "host");
          EXPECT_EQ(result.ranks_used, machine_->size());
          EXPECT_GT(result.milliseconds, 0);
          ASSERT_TRUE(result.work);
          EXPECT_LE(result.work->useless, result.work->sent);
          EXPECT_EQ(result.work->bytes, 8 * result.work->sent);
          EXPECT_EQ(result.work->sent > 0, divided);
        }
      }
}

TEST_P(ComponentsByHosts, TakesWhatIsPlanned) {
  const graph g = generate(parse_generator("kron:14"));
  for (const auto& route : routes)
    expect_planned<components_search>(*machine_, g, by<components_options>(route),
                                      [](components_search& search) { search.run(); });
}

INSTANTIATE_TEST_SUITE_P(Machines, ComponentsByHosts,
                         ::testing::ValuesIn(testing_machines::gpu_specs()),
                         testing_machines::spec_name<std::string>);

TEST(ComponentsByHostsPaths, MessagesThroughPinnedMemory) {
  const graph g = generate(parse_generator("kron:12"));
  testing_routes::without_peers([&](machine& m, const std::string& route) {
    const auto result = components(m, g, by<components_options>(route, 512));
    const auto verdict = verify_components(g, result.labels);
    ASSERT_TRUE(verdict.ok) << verdict.reason;
    EXPECT_GT(result.work->sent, 0);
  });
}

}  // namespace
}  // namespace gossamer
