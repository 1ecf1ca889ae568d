// What partitions cost in plans, and what is refused in which words.
#include <gtest/gtest.h>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

TEST(PartitionPlans, OneRankOwnsEverything) {
  const auto m = machine::open("cpu:1x1");
  const graph g = many_graphs(2);
  components_options options;
  for (const char* name : {"ranges", "edges", "hash", "metis"}) {
    options.partition = name;
    EXPECT_EQ(components_search::plan(m, g, options).total(),
              components_search::plan(m, g, {}).total());
  }
}

TEST(PartitionPlans, CountWhatIsMoved) {
  auto m = machine::open("cpu:4x1");
  const graph g = many_graphs(14);
  const auto total = [](const memory_plan& plan, const std::string& purpose) {
    std::int64_t bytes = 0;
    for (const auto& e : plan.entries) bytes += e.purpose == purpose ? e.bytes : 0;
    return bytes;
  };
  const auto by = [](auto options, const char* partition) {
    options.partition = partition;
    return options;
  };
  const std::int64_t columns = g.arcs() * g.id_width();
  const auto paths = sssp_search::plan(m, g, by(sssp_options(), "hash"));
  EXPECT_EQ(total(paths, "columns"), columns);
  EXPECT_EQ(total(paths, "weights of slices"), g.arcs() * 4);
  EXPECT_GT(total(paths, "distances by rank"), g.vertices() * 4);
  EXPECT_EQ(total(components_search::plan(m, g, by(components_options(), "hash")), "columns"),
            columns);
  EXPECT_GE(total(pagerank_solver::plan(m, g, by(pagerank_options(), "hash")), "renumbered graph"),
            columns);
  EXPECT_EQ(total(pagerank_solver::plan(m, g, {}), "renumbered graph"), 0);
  sssp_options options = by(sssp_options(), "file");
  options.part_of.assign(static_cast<std::size_t>(g.vertices()), 3);
  options.part_of[1] = 0;
  options.memory = 1000;
  expect_contains(message_of<capacity_error>([&] { sssp_search(m, g, options); }),
                  "distances by rank");
}

template <class Options, class Run>
void expect_refusals(const Run& run) {
  Options options;
  const auto text = [&] { return message_of<usage_error>([&] { run(options); }); };
  options.partition = "best";
  expect_contains(text(),
                  "unknown partition 'best' (there are auto, ranges, edges, hash, metis, file)");
  options.partition = "file";
  EXPECT_EQ(text(), "the partition has 0 entries, the graph has 4 vertices");
  options.part_of = {0, 1, 2, 0};
  EXPECT_EQ(text(), "vertex 3 is in part 2, the machine has 2 ranks");
  options.part_of = {0, -1, 1, 0};
  EXPECT_EQ(text(), "vertex 2 is in part -1, the machine has 2 ranks");
}

TEST(Partitions, Refusals) {
  auto m = machine::open("cpu:2x1");
  graph g = from_arcs("chain", 4, {{0, 1}, {1, 2}}, false);
  set_weights<float>(g, 9);
  g.names.base = 1;
  expect_refusals<sssp_options>([&](const auto& o) { sssp(m, g, 0, o); });
  expect_refusals<components_options>([&](const auto& o) { components(m, g, o); });
  expect_refusals<pagerank_options>([&](const auto& o) { pagerank(m, g, o); });
}

// What engines say of vertices names those of the caller.
TEST(Partitions, ErrorsNameTheCallersVertices) {
  auto m = machine::open("cpu:2x1");
  graph g = weighed<float>(from_arcs("chain", 4, {{0, 1}, {2, 3}}, false), {1, -3});
  g.names.base = 1;
  pagerank_options options;
  options.weighted = true;
  options.partition = "file";
  options.part_of = {1, 0, 1, 0};
  expect_contains(message_of<input_error>([&] { pagerank(m, g, options); }),
                  "chain: the arc 3 -> 4 has the weight -3");
}

}  // namespace
}  // namespace gossamer
