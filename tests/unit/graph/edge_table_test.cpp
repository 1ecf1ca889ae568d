// Edges from columns, block by block: the graph that they make, and what is refused.
#include "gossamer/graph/edge_table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

using ids = std::vector<std::int64_t>;
using weights = std::vector<double>;

TEST(EdgeTable, BlocksMakeOneGraph) {
  edge_table table("trips.db", 5, 4, 0, {});
  table.append(ids{0, 2}, ids{1, 0}, weights{4, 7});
  table.append(ids{}, ids{}, weights{});
  table.append(ids{2}, ids{3}, weights{1});
  const graph g = table.finish(5);
  EXPECT_EQ(g.vertices(), 5);
  EXPECT_EQ(g.arcs(), 3);
  EXPECT_EQ(g.degree(2), 2);
  EXPECT_EQ(g.degree(4), 0);
  const auto& found = std::get<shared_array<std::int32_t>>(g.weights);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0), 12);
}

TEST(EdgeTable, RenumbersIdsThatAreNames) {
  edge_table table("trips.db", 2, 0, 0, {});
  table.append(ids{700, 30}, ids{30, 1'000'000'000'000}, {});
  const graph g = table.finish(0);
  EXPECT_EQ(g.vertices(), 3);
  EXPECT_EQ(ids(g.names.map.begin(), g.names.map.end()), (ids{30, 700, 1'000'000'000'000}));
}

TEST(EdgeTable, RefusesWithTheRow) {
  const double infinite = std::numeric_limits<double>::infinity();
  edge_table table("trips.db", 4, 8, 0, {});
  table.append(ids{0}, ids{1}, weights{0.5});
  expect_contains(message_of<input_error>([&] {
                    table.append(ids{1, -3}, ids{0, 0}, weights{1, 1});
                  }),
                  "trips.db: row 2: negative vertex id '-3'");
  edge_table other("trips.db", 4, 8, 0, {});
  expect_contains(message_of<input_error>([&] { other.append(ids{1}, ids{0}, weights{infinite}); }),
                  "trips.db: row 0: weight is not finite");
  expect_contains(message_of<usage_error>([&] {
                    other.append(ids{1}, ids{0, 2}, weights{1});
                  }),
                  "columns of different lengths");
}

TEST(EdgeTable, WithoutEdgesThereIsNoGraph) {
  edge_table table("empty.db", 1, 0, 0, {});
  expect_contains(message_of<input_error>([&] { table.finish(0); }), "no edges and so no vertices");
}

TEST(EdgeTable, PlansAgainstTheLimit) {
  read_options limited;
  limited.memory_limit = 1 << 20;
  EXPECT_THROW(edge_table("large.db", std::int64_t{1} << 32, 8, 0, limited), capacity_error);
}

std::vector<std::int64_t> columns_of(const std::vector<std::string>& names) {
  const edge_columns found = find_edge_columns(names);
  return {found.source, found.target, found.weight};
}

TEST(EdgeTable, FindsColumnsByTheirNames) {
  EXPECT_EQ(columns_of({"when", "To", "FROM", "value"}), (ids{2, 1, 3}));
  EXPECT_EQ(columns_of({"a", "b", "c"}), (ids{0, 1, -1}));
  EXPECT_EQ(columns_of({"u", "v", "w"}), (ids{0, 1, 2}));
  EXPECT_EQ(columns_of({"weight", "b", "w"}), (ids{0, 1, 2}));
  EXPECT_THROW(find_edge_columns(std::vector<std::string>{"src", "to"}), input_error);
  EXPECT_THROW(find_edge_columns(std::vector<std::string>{"source", "target", "SOURCE"}),
               input_error);
  EXPECT_THROW(find_edge_columns(std::vector<std::string>{"source"}), input_error);
}

TEST(EdgeTable, TakesColumnsThatAreAskedFor) {
  const auto found = [](const std::vector<std::string>& names, const column_names& asked) {
    const edge_columns at = find_edge_columns(names, asked);
    return ids{at.source, at.target, at.weight};
  };
  EXPECT_EQ(found({"from", "to", "km", "weight"}, {.weight = "km"}), (ids{0, 1, 2}));
  EXPECT_EQ(found({"a", "b", "w"}, {.source = "b", .target = "a"}), (ids{1, 0, 2}));
  EXPECT_EQ(found({"w", "b", "c"}, {.source = "w", .target = "b", .weight = "c"}), (ids{0, 1, 2}));
  // The first two but for the weight, and letter by letter.
  EXPECT_EQ(found({"a", "b", "c"}, {.weight = "a"}), (ids{1, 2, 0}));
  EXPECT_EQ(found({"a", "b", "c"}, {.weight = "b"}), (ids{0, 2, 1}));
  EXPECT_EQ(found({"u", "v", "KM", "km"}, {.weight = "km"}), (ids{0, 1, 3}));
}

TEST(EdgeTable, RefusesColumnsThatAreNotThere) {
  const auto refused = [](const std::vector<std::string>& names, const column_names& asked) {
    return message_of<usage_error>([&] { find_edge_columns(names, asked); });
  };
  expect_contains(refused({"a", "b", "c"}, {.weight = "km"}),
                  "no column 'km' (there are 'a', 'b', 'c')");
  expect_contains(refused(std::vector<std::string>(20, "x"), {.weight = "km"}), "'x', …)");
  expect_contains(refused({"a", "b"}, {.source = "a"}), "source and target are named together");
  expect_contains(refused({"a", "b"}, {.source = "a", .target = "a"}),
                  "column 'a' cannot be two of source, target and weight");
  expect_contains(refused({"u", "v"}, {.source = "u", .target = "v", .weight = "v"}),
                  "column 'v' cannot be two of source, target and weight");
  EXPECT_THROW(find_edge_columns(std::vector<std::string>{"a", "b", "b"}, {.weight = "b"}),
               input_error);
  EXPECT_THROW(find_edge_columns(std::vector<std::string>{"a", "b"}, {.weight = "b"}), input_error);
}

}  // namespace
}  // namespace gossamer
