// How a partition becomes ranges of rows: orders, values that are put in them and back, what plans
// count, and what is refused in which words.
#include "algorithm/vertex_parts.hpp"

#include <gtest/gtest.h>

#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/algorithm/message_of.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using namespace algorithm_detail;

shared_array<int> array_of(const std::vector<int>& values) {
  shared_array<int> array(values.size());
  std::copy(values.begin(), values.end(), array.begin());
  return array;
}

std::vector<int> values_of(const shared_array<int>& array) {
  return {array.begin(), array.end()};
}

TEST(VertexParts, RowsLieInTheOrderOfTheirParts) {
  const auto m = machine::open("cpu:3x1");
  const graph g = from_arcs("five", 5, {{0, 1}, {0, 4}, {4, 0}, {3, 2}}, false);
  sssp_options options;
  options.partition = "file";
  options.part_of = {2, 0, 2, 0, 2};  // nothing for rank 1
  const parted_graph parted(g, divide_vertices(g, m, request_of("sssp", options)), 2);
  ASSERT_TRUE(parted.moved());
  EXPECT_EQ(parted.first(), (std::vector<std::int64_t>{0, 2, 2, 5}));
  const std::vector<std::int64_t> order = {1, 3, 0, 2, 4};
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(parted.vertex_of(i), order[static_cast<std::size_t>(i)]);
    EXPECT_EQ(parted.row_of(parted.vertex_of(i)), i);
    EXPECT_EQ(parted.rows().names.name(i), parted.vertex_of(i));
    EXPECT_EQ(parted.rows().degree(i), g.degree(parted.vertex_of(i)));
  }
  const auto by_row = array_of({1, 3, 0, 2, 4});
  EXPECT_EQ(values_of(parted.by_vertex(by_row)), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(values_of(parted.by_row(parted.by_vertex(by_row))), values_of(by_row));
}

TEST(VertexParts, RangesMoveNothing) {
  const auto m = machine::open("cpu:2x1");
  const graph g = undirected("six", 6, {{0, 1}, {1, 2}, {3, 4}});
  sssp_options options;
  for (const char* name : {"auto", "ranges", "edges", "file"}) {
    options.partition = name;
    options.part_of = std::vector<std::int32_t>{0, 1, 1, 1, 1, 1};
    const parted_graph parted(g, divide_vertices(g, m, request_of("sssp", options)), 2);
    EXPECT_FALSE(parted.moved()) << name;
    EXPECT_EQ(parted.rows().offsets.data(), g.offsets.data()) << name;
    EXPECT_EQ(parted.first().empty(), options.partition == "auto") << name;
  }
}

TEST(VertexParts, OneRankOwnsEverything) {
  auto m = machine::open("cpu:1x1");
  const graph g = many_graphs(2);
  components_options options;
  for (const char* name : {"ranges", "edges", "hash", "metis"}) {
    options.partition = name;
    EXPECT_FALSE(divide_vertices(g, m, request_of("components", options)).moved) << name;
    EXPECT_EQ(components_search::plan(m, g, options).total(),
              components_search::plan(m, g, {}).total());
  }
}

TEST(VertexParts, PlansCountTheRenumberedGraph) {
  const auto m = machine::open("cpu:4x1");
  const graph g = many_graphs(14);
  const auto beyond = [&](auto plan, auto options, const char* partition) {
    const std::int64_t without = plan(options);
    options.partition = partition;
    return plan(options) - without;
  };
  const auto paths = [&](const sssp_options& o) { return sssp_search::plan(m, g, o).total(); };
  const auto labels = [&](const components_options& o) {
    return components_search::plan(m, g, o).total();
  };
  const auto ranks = [&](const pagerank_options& o) {
    return pagerank_solver::plan(m, g, o).total();
  };
  const std::int64_t bare = g.arcs() * g.id_width();
  EXPECT_GE(beyond(paths, sssp_options(), "hash"), bare + g.arcs() * 4);
  EXPECT_GE(beyond(labels, components_options(), "hash"), bare);
  EXPECT_GE(beyond(ranks, pagerank_options(), "hash"), bare);
  EXPECT_LT(beyond(labels, components_options(), "ranges"), bare);
  sssp_options options;
  options.partition = "file";
  options.part_of.assign(static_cast<std::size_t>(g.vertices()), 3);
  options.part_of[1] = 0;
  options.memory = 1000;
  auto busy = machine::open("cpu:4x1");
  expect_contains(message_of<capacity_error>([&] { sssp_search(busy, g, options); }),
                  "renumbered graph");
}

template <class Options, class Run>
void expect_refusals(const std::string& name, const Run& run) {
  Options options;
  const auto text = [&] { return message_of<usage_error>([&] { run(options); }); };
  options.partition = "best";
  EXPECT_EQ(text(), name +
                        ": unknown partition 'best' (there are auto, ranges, edges, hash, "
                        "metis, file)");
  options.partition = "file";
  EXPECT_EQ(text(), name + ": the partition has 0 entries, the graph has 4 vertices");
  options.part_of = {0, 1, 2, 0};
  EXPECT_EQ(text(), name + ": vertex 3 is in part 2, the machine has 2 ranks");
  options.part_of = {0, -1, 1, 0};
  EXPECT_EQ(text(), name + ": vertex 2 is in part -1, the machine has 2 ranks");
}

TEST(VertexParts, ArcsOfRanksAreThoseOfTheCopy) {
  const auto m = machine::open("cpu:4x1");
  for (int number = 0; number < 60; ++number) {
    const graph g = many_graphs(number);
    sssp_options options;
    options.part_of = drawn_parts(g, 4, number);
    for (const char* name : {"ranges", "edges", "hash", "file"}) {
      options.partition = name;
      const auto parts = divide_vertices(g, m, request_of("sssp", options));
      const auto arcs = arcs_of_ranks(parts, g.offsets.span(), parts.first, g.arcs());
      const parted_graph parted(g, parts, 1);
      const auto& offsets = parted.rows().offsets;
      ASSERT_EQ(arcs.size(), 4U);
      for (std::size_t r = 0; r < 4; ++r)
        ASSERT_EQ(arcs[r], offsets[parts.first[r + 1]] - offsets[parts.first[r]]) << name;
    }
  }
  // Not known yet: about as many each.
  vertex_parts estimated;
  estimated.first = {0, 2, 4};
  estimated.moved = estimated.estimated = true;
  const graph g = from_arcs("four", 4, {{0, 1}, {0, 2}, {0, 3}}, false);
  EXPECT_EQ(arcs_of_ranks(estimated, g.offsets.span(), estimated.first, g.arcs()),
            (std::vector<std::int64_t>{2, 2}));
}

TEST(VertexParts, Refusals) {
  auto m = machine::open("cpu:2x1");
  graph g = from_arcs("chain", 4, {{0, 1}, {1, 2}}, false);
  set_weights<float>(g, 9);
  g.names.base = 1;
  expect_refusals<sssp_options>("sssp", [&](const auto& o) { sssp(m, g, 0, o); });
  expect_refusals<components_options>("components", [&](const auto& o) { components(m, g, o); });
  expect_refusals<pagerank_options>("pagerank", [&](const auto& o) { pagerank(m, g, o); });
}

// What engines say of vertices names those of the caller.
TEST(VertexParts, ErrorsNameTheCallersVertices) {
  auto m = machine::open("cpu:2x1");
  graph g = from_arcs("chain", 4, {{0, 1}, {2, 3}}, false);
  shared_array<float> weights(2);
  weights[0] = 1;
  weights[1] = -3;
  g.weights = weights;
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
