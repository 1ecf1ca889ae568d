// The kernels that count triangles without a GPU (tests/emulated_gpu), with small pieces: counts by
// name and totals are those of engine sync on CPU ranks, on every kind of graph, of every value.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernels' headers, as the emulated compiler takes them.
#include "algorithm/triangles/sync/cuda/long_rows.cuh"
#include "algorithm/triangles/sync/cuda/short_rows.cuh"

#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/layouts/oriented_rows.hpp"
#include "algorithm/triangles/sync/row_lists.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/machine.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer::triangles_detail::cuda {
namespace {

using namespace testing_graphs;

/// Marks and counters end among the names, counters are emptied every few rows.
struct small_sizes : gpu_sizes {
  static constexpr unsigned long_threads = 64, short_threads = 64;
  static constexpr unsigned long_row = 8, marks = 64, counters = 32, rows_at_once = 2;
  static constexpr unsigned long long most_entries = 60;
};
/// Nearly all rows are a block's.
struct long_sizes : small_sizes {
  static constexpr unsigned long_row = 2;
};
/// Those of GPUs, but for threads.
struct whole_sizes : gpu_sizes {
  static constexpr unsigned long_threads = 64, short_threads = 64;
};

template <class Worth>
struct found {
  std::vector<Worth> counts;
  unsigned long long total = 0;
};

/// What `ranks` find together, slice by slice, on a block each.
template <class Sizes, class Id, class Value>
found<device_worth<Value>> count(const algorithm_detail::oriented_rows<Id, Value>& rows,
                                 std::int64_t n, std::int64_t ranks, double most_looks) {
  found<device_worth<Value>> all{std::vector<device_worth<Value>>(static_cast<std::size_t>(n))};
  const auto lists = list_rows<Id>(rows.offsets.data(), n, Sizes::long_row, most_looks);
  static block_memory<Sizes, Value> block;
  static warp_memory<Sizes, Id, Value> warps[Sizes::short_threads / 32];
  for (const row_slice& slice : lists.slices)
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      unsigned long long tickets[2] = {0, 0};
      row_share<Id, Value> of{{rows.offsets.data(), rows.columns.data(), rows.values.data()},
                              lists.rows.data() + slice.long_from,
                              slice.long_to - slice.long_from,
                              rank,
                              ranks,
                              &tickets[0],
                              all.counts.data(),
                              &all.total};
      emulated::run_block([&] { long_rows<Sizes, Id, Value>(of, block).count(); });
      of.list = lists.rows.data() + lists.long_rows + slice.short_from;
      of.size = slice.short_to - slice.short_from;
      of.ticket = &tickets[1];
      emulated::run_block(
          [&] { short_rows<Sizes, Id, Value>(of, warps[threadIdx.x / 32]).count(); });
    }
  return all;
}

template <class Sizes, class Id, class Value>
void expect_right(const graph& g, std::int64_t ranks, double most_looks) {
  constexpr bool weighted = std::is_same_v<Value, double>;
  auto m = machine::open("cpu:1x1");
  triangles_options options;
  options.weighted = weighted;
  const auto right = triangles(m, g, options);
  const double largest =
      weighted ? algorithm_detail::check_weights(g, "triangles needs", {}).largest : 0;
  const auto rows = algorithm_detail::orient<Id, Value>(g, largest, 1);
  const auto got = count<Sizes, Id, Value>(rows, g.vertices(), ranks, most_looks);
  EXPECT_EQ(static_cast<std::int64_t>(got.total), right.total);
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    const auto at = static_cast<std::size_t>(rows.name[static_cast<std::size_t>(v)]);
    if constexpr (weighted)
      ASSERT_NEAR(got.counts[at], std::get<1>(right.counts.get())[static_cast<std::size_t>(v)],
                  1e-9 * got.counts[at])
          << v;
    else
      ASSERT_EQ(static_cast<std::int64_t>(got.counts[at]),
                std::get<0>(right.counts.get())[static_cast<std::size_t>(v)])
          << v;
  }
}

/// By every value that the graph's edges may have.
template <class Sizes>
void expect_right(const graph& g, std::int64_t ranks = 1, double most_looks = 1e9) {
  SCOPED_TRACE(g.name);
  const auto by_ids = [&]<class Id>(Id) {
    if (g.symmetric)
      expect_right<Sizes, Id, std::monostate>(g, ranks, most_looks);
    else
      expect_right<Sizes, Id, std::uint8_t>(g, ranks, most_looks);
    if (g.weighted()) expect_right<Sizes, Id, double>(g, ranks, most_looks);
  };
  if (g.id_width() == 4)
    by_ids(vertex32{});
  else
    by_ids(vertex64{});
}

TEST(EmulatedTriangles, OfManyGraphs) {
  for (int number = 0; number < 100; ++number) {
    const graph g = many_graphs(number);
    expect_right<small_sizes>(g, 1 + number % 3, number % 2 == 0 ? 1e9 : 500);
    if (number % 4 == 0) expect_right<long_sizes>(g);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(EmulatedTriangles, OfFamilies) {
  generate_options weighted;
  weighted.weights = true;
  for (const char* spec :
       {"kron:9", "kron:11", "uniform:8:20", "cliques:6x40", "web:600:8", "geometric:500:12",
        "preferential:600:9", "star:900", "road:12", "bipartite:30x300:3", "lollipop:80x20"}) {
    const graph g = generate(parse_generator(spec), weighted);
    expect_right<small_sizes>(g);
    expect_right<whole_sizes>(g, 2);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// The last row of a clique of k vertices has k - 1 entries; that of a hub beside it has searches.
TEST(EmulatedTriangles, OfRowsOnBothSidesOfTheBorder) {
  for (const int vertices : {63, 64, 65, 66, 97, 129}) {
    std::vector<std::pair<std::int64_t, std::int64_t>> edges;
    for (std::int64_t u = 0; u < vertices; ++u)
      for (std::int64_t v = 0; v < u; ++v) edges.emplace_back(u, v);
    const graph g = undirected("clique", vertices, edges);
    expect_right<whole_sizes>(g);
    expect_right<small_sizes>(g);
    expect_right<small_sizes>(undirected<vertex64>("wide clique", vertices, edges));
    expect_right<whole_sizes>(from_arcs("directed clique", vertices, edges, false));
  }
}

TEST(RowLists, AreCutWhereTheLooksAreMany) {
  const graph g = generate(parse_generator("kron:13"));
  const auto rows = algorithm_detail::orient<vertex32, std::monostate>(g, 0, 1);
  const auto whole = list_rows<vertex32>(rows.offsets.data(), g.vertices(), 64, 1e12);
  EXPECT_EQ(whole.slices.size(), 1U);
  EXPECT_GT(whole.long_rows, 0);
  EXPECT_GT(whole.short_rows, 0);
  EXPECT_EQ(std::ssize(whole.rows), whole.long_rows + whole.short_rows);
  for (std::int64_t i = 0; i < std::ssize(whole.rows); ++i) {
    const auto length = std::ssize(rows.row(whole.rows[i]));
    ASSERT_EQ(length >= 64, i < whole.long_rows);
    ASSERT_GE(length, 2);
    ASSERT_TRUE(i == 0 || i == whole.long_rows || whole.rows[i - 1] < whole.rows[i]);
  }
  const auto cut = list_rows<vertex32>(rows.offsets.data(), g.vertices(), 64, 1e5);
  EXPECT_GT(cut.slices.size(), 3U);
  row_slice before;
  for (const row_slice& s : cut.slices) {
    EXPECT_EQ(s.long_from, before.long_to);
    EXPECT_EQ(s.short_from, before.short_to);
    EXPECT_GT(s.long_to - s.long_from + s.short_to - s.short_from, 0);
    before = s;
  }
  EXPECT_EQ(before.long_to, whole.long_rows);
  EXPECT_EQ(before.short_to, whole.short_rows);
  const edge_offset nothing[] = {0};
  EXPECT_EQ(list_rows<vertex32>(nothing, 0, 64, 1).slices.size(), 1U);
}

}  // namespace
}  // namespace gossamer::triangles_detail::cuda
