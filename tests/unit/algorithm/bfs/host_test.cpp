// Breadth-first search by a worklist that host threads drive, on GPUs: depths equal a serial
// search's on two hundred small graphs by either route, with segments of a few messages so that
// links are full; on larger graphs, whatever the partition; through pinned memory; what is counted
// and planned.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/host_driven/routes.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_routes::by, testing_routes::routes;

void expect_tree(const graph& g, const bfs_result& found) {
  const auto want = serial_bfs(g, found.source);
  ASSERT_EQ(found.engine, "host");
  ASSERT_EQ(found.levels, want.levels);
  ASSERT_EQ(found.reached, want.reached);
  ASSERT_EQ(found.arcs_of_reached, want.arcs);
  const auto depths = found.depths();
  const auto parents = found.parents();
  for (std::size_t v = 0; v < depths.size(); ++v) ASSERT_EQ(depths[v], want.depths[v]) << v;
  const auto verdict = verify_bfs(g, found.source, parents.span(), depths.span());
  ASSERT_TRUE(verdict.ok) << verdict.reason;
  ASSERT_TRUE(found.work);
  EXPECT_EQ(found.work->items - found.work->repeated, want.reached);
  EXPECT_EQ(found.work->bytes, 16 * found.work->sent);
  EXPECT_LE(found.work->useless, found.work->sent);
}

class BfsByHosts : public testing_machines::OnMachine {
 protected:
  std::shared_ptr<const placed_graph> placed(const graph& g, const place_options& how = {}) {
    return std::make_shared<const placed_graph>(place(*machine_, g, how));
  }
};

TEST_P(BfsByHosts, AgreesOnTwoHundredGraphs) {
  testing_routes::on_two_hundred_graphs([&](const graph& g, int number, const std::string& route) {
    const auto on = placed(g);
    const auto options = by<bfs_options>(route, number % 2 == 0 ? 32 : 0);
    if (on->id_width() == 8) {
      expect_contains(message_of<not_compiled>([&] { bfs_search(on, options); }),
                      "engine 'host' of bfs on GPUs with ids of 64 bits");
      return;
    }
    bfs_search search(on, options);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2})
      ASSERT_NO_FATAL_FAILURE(expect_tree(g, search.run(source)));
  });
}

TEST_P(BfsByHosts, LargerGraphsAndPartitions) {
  for (const char* name : {"kron:13", "road:120", "uniform:13:2"}) {
    const graph g = generate(parse_generator(name));
    for (const int number : {0, 3, 9}) {  // ranges; a part is empty; one has everything
      place_options how;
      if (number != 0) {
        how.partition = "file";
        how.part_of = drawn_parts(g, machine_->size(), number);
      }
      const auto on = placed(g, how);
      for (const auto& route : routes) {
        SCOPED_TRACE(g.name + " " + route + " " + std::to_string(number));
        auto options = by<bfs_options>(route, number == 3 ? 4096 : 0);
        options.deterministic = number == 3;
        bfs_search search(on, options);
        for (const std::int64_t source : {g.vertices() / 2, std::int64_t{1}}) {
          const auto found = search.run(source);
          ASSERT_NO_FATAL_FAILURE(expect_tree(g, found));
          if (!options.deterministic) continue;
          const auto want = serial_bfs(g, source);
          const auto parents = found.parents();
          for (std::size_t v = 0; v < parents.size(); ++v)
            ASSERT_EQ(parents[v], want.smallest_parents[v]) << v;
        }
      }
    }
  }
}

TEST_P(BfsByHosts, TakesWhatIsPlanned) {
  const graph g = generate(parse_generator("kron:14"));
  const auto on = placed(g);
  for (const auto& route : routes) {
    const auto options = by<bfs_options>(route);
    run_options bare;
    bare.arenas = {arena_plan{0, 0}};
    machine_->run([](rank&) {}, bare);  // streams and channels are the machine's
    std::map<int, std::int64_t> planned, before;
    for (const auto& e : bfs_search::plan(*on, options).entries)
      if (e.kind == memory_kind::device) planned[(*machine_)[e.rank].ordinal] += e.bytes;
    for (const auto& [gpu, bytes] : planned) before[gpu] = memory_in_use(gpu).now;
    begin_peaks();
    bfs_search search(on, options);
    search.run(1);
    for (const auto& [gpu, bytes] : planned)
      EXPECT_LE(memory_in_use(gpu).peak - before[gpu], bytes) << route;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BfsByHosts, ::testing::ValuesIn(testing_machines::gpu_specs()),
                         testing_machines::spec_name<std::string>);

TEST(BfsByHostsPaths, MessagesThroughPinnedMemory) {
  const graph g = generate(parse_generator("kron:12"));
  testing_routes::without_peers([&](machine& m, const std::string& route) {
    const auto found = bfs(m, g, draw_sources(g, 1, 1).front(), by<bfs_options>(route, 512));
    ASSERT_NO_FATAL_FAILURE(expect_tree(g, found));
    EXPECT_GT(found.work->sent, 0);
  });
}

}  // namespace
}  // namespace gossamer
