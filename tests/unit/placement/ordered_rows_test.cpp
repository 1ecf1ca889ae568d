// Rows in the order of their parts: orders, values that are put in them and back, what is planned.
#include "gossamer/placement/ordered_rows.hpp"

#include <gtest/gtest.h>

#include "unit/algorithm/drawn_parts.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

shared_array<int> array_of(const std::vector<int>& values) {
  shared_array<int> array(values.size());
  std::copy(values.begin(), values.end(), array.begin());
  return array;
}

std::vector<int> values_of(const shared_array<int>& array) {
  return {array.begin(), array.end()};
}

TEST(OrderedRows, LieInTheOrderOfTheirParts) {
  const auto m = machine::open("cpu:3x1");
  const graph g = from_arcs("five", 5, {{0, 1}, {0, 4}, {4, 0}, {3, 2}}, false);
  place_options how;
  how.partition = "file";
  how.part_of = {2, 0, 2, 0, 2};  // nothing for rank 1
  const ordered_rows ordered(m, g, how, balanced::out_arcs, 2);
  ASSERT_TRUE(ordered.ranges().moved);
  EXPECT_EQ(ordered.ranges().first, (std::vector<std::int64_t>{0, 2, 2, 5}));
  const std::vector<std::int64_t> order = {1, 3, 0, 2, 4};
  for (std::int64_t i = 0; i < 5; ++i) {
    const std::int64_t v = ordered.vertices()[static_cast<std::size_t>(i)];
    EXPECT_EQ(v, order[static_cast<std::size_t>(i)]);
    EXPECT_EQ(ordered.rows().names.name(i), v);
    EXPECT_EQ(ordered.rows().degree(i), g.degree(v));
  }
  const auto by_row = array_of({1, 3, 0, 2, 4});
  EXPECT_EQ(values_of(ordered.by_vertex(by_row)), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(values_of(ordered.by_row(ordered.by_vertex(by_row))), values_of(by_row));
}

TEST(OrderedRows, RangesMoveNothing) {
  const auto m = machine::open("cpu:2x1");
  const graph g = undirected("six", 6, {{0, 1}, {1, 2}, {3, 4}});
  place_options how;
  for (const char* name : {"auto", "ranges", "edges", "file"}) {
    how.partition = name;
    how.part_of = std::vector<std::int32_t>{0, 1, 1, 1, 1, 1};
    const ordered_rows ordered(m, g, how);
    EXPECT_FALSE(ordered.ranges().moved) << name;
    EXPECT_EQ(ordered.rows().offsets.data(), g.offsets.data()) << name;
  }
}

TEST(OrderedRows, OneRankHasThemAsTheyAre) {
  const auto m = machine::open("cpu:1x1");
  const graph g = many_graphs(2);
  place_options how;
  for (const char* name : {"ranges", "edges", "hash", "metis"}) {
    how.partition = name;
    EXPECT_FALSE(plan_ranges(m, g, how).moved) << name;
    EXPECT_EQ(ordered_rows(m, g, how).rows().offsets.data(), g.offsets.data()) << name;
  }
}

TEST(OrderedRows, AreWhatWasPlanned) {
  const auto m = machine::open("cpu:4x1");
  for (int number = 0; number < 60; ++number) {
    const graph g = many_graphs(number);
    place_options how;
    how.part_of = drawn_parts(g, 4, number);
    for (const char* name : {"auto", "edges", "hash", "file"}) {
      how.partition = name;
      for (const balanced by : {balanced::out_arcs, balanced::in_arcs}) {
        const vertex_ranges planned = plan_ranges(m, g, how, by);
        const ordered_rows made(m, g, how, by);
        ASSERT_EQ(planned.first, made.ranges().first) << name;
        ASSERT_EQ(planned.moved, made.ranges().moved) << name;
        const auto out = made.rows().offsets, in = in_offsets_of(made.rows());
        for (std::size_t r = 0; r < 4; ++r) {
          const auto first = static_cast<std::size_t>(planned.first[r]),
                     last = static_cast<std::size_t>(planned.first[r + 1]);
          ASSERT_EQ(planned.arcs[r], first == last ? 0 : out[last] - out[first]) << name;
          ASSERT_EQ(planned.in_arcs[r], first == last ? 0 : in[last] - in[first]) << name;
        }
      }
    }
  }
}

TEST(OrderedRows, EdgesMayBeThoseThatArrive) {
  const auto m = machine::open("cpu:2x1");
  arc_list arcs;  // all into the first 64 vertices
  for (std::int64_t v = 0; v < 1024; ++v) arcs.emplace_back(v, v % 64);
  const graph g = from_arcs("funnel", 1024, arcs, false);
  place_options how;
  how.partition = "edges";
  const auto out = plan_ranges(m, g, how), in = plan_ranges(m, g, how, balanced::in_arcs);
  EXPECT_EQ(out.first[1], 512);
  EXPECT_EQ(in.first[1], 61);  // 17 for each, of 1,024 arcs and as many vertices half
}

}  // namespace
}  // namespace gossamer
