// The order of hubs (algorithm/layouts/hub_order.hpp), blocks of rows, and buckets of the widest
// weights.
#include "algorithm/layouts/hub_order.hpp"
#include "algorithm/layouts/degree_facts.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "algorithm/pagerank/planning.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/row_ranges.hpp"

namespace gossamer::algorithm_detail {
namespace {

using testing_graphs::even_ranges;

TEST(HubOrder, IsForSkewedGraphs) {
  for (const char* spec : {"kron:12", "kron:13"})
    EXPECT_TRUE(count_degrees(generate(parse_generator(spec)).offsets.span()).skewed) << spec;
  for (const char* spec : {"road:100", "uniform:13", "kron:8"})
    EXPECT_FALSE(count_degrees(generate(parse_generator(spec)).offsets.span()).skewed) << spec;
}

TEST(HubOrder, PutsHubsFirstInsideEachRange) {
  const graph g = generate(parse_generator("kron:12"));
  for (const int ranks : {1, 3}) {
    const auto first = even_ranges(g.vertices(), ranks);
    const auto position = hub_positions<vertex32>(g.offsets.span(), first);
    std::vector<std::int64_t> at(position.size(), -1);
    for (std::int64_t v = 0; v < g.vertices(); ++v) at[position[v]] = v;
    for (int r = 0; r < ranks; ++r)
      for (std::int64_t i = first[r]; i < first[r + 1]; ++i) {
        ASSERT_GE(at[i], first[r]) << "a permutation of each range";
        ASSERT_LT(at[i], first[r + 1]);
        if (i == first[r]) continue;
        const auto before = std::bit_width(static_cast<std::uint64_t>(g.degree(at[i - 1])));
        const auto here = std::bit_width(static_cast<std::uint64_t>(g.degree(at[i])));
        ASSERT_GE(before, here);
        if (before == here) {
          ASSERT_LT(at[i - 1], at[i]) << "the old order among equals";
        }
      }
  }
}

TEST(RowBlocks, AreAsLongAsTheLongestRange) {
  using pagerank_detail::is_padded, pagerank_detail::longest_range;
  for (const std::int64_t n : {0, 1, 2, 5, 6, 100})
    for (const int ranks : {1, 2, 3, 7}) {
      EXPECT_FALSE(is_padded(even_ranges(n, ranks))) << n << " on " << ranks;
      EXPECT_EQ(longest_range(even_ranges(n, ranks)), (n + ranks - 1) / ranks);
    }
  EXPECT_TRUE(is_padded(std::vector<std::int64_t>{0, 1, 5}));
  EXPECT_TRUE(is_padded(std::vector<std::int64_t>{0, 0, 5, 6}));
  EXPECT_FALSE(is_padded(std::vector<std::int64_t>{0, 4, 5}));
  EXPECT_EQ(longest_range(std::vector<std::int64_t>{0, 1, 5}), 4);
}

TEST(HubOrder, PutsRowsOfOneLengthTogether) {
  const graph g = generate(parse_generator("kron:13"));
  const auto n = static_cast<std::size_t>(g.vertices());
  const auto first = even_ranges(g.vertices(), 3);
  const auto position = hub_positions<vertex32>(g.offsets.span(), first, degree_classes::lengths);
  std::vector<std::int64_t> at(n, -1);
  for (std::size_t v = 0; v < n; ++v) at[position[v]] = static_cast<std::int64_t>(v);
  std::size_t range = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_GE(at[i], 0) << i;
    while (static_cast<std::int64_t>(i) >= first[range + 1]) ++range;
    ASSERT_TRUE(first[range] <= at[i] && at[i] < first[range + 1]) << i;
    if (static_cast<std::int64_t>(i) == first[range]) continue;
    const std::int64_t before = g.degree(at[i - 1]), here = g.degree(at[i]);
    const auto power = [](std::int64_t d) { return std::bit_width(static_cast<std::uint64_t>(d)); };
    ASSERT_GE(power(before), power(here)) << i;
    ASSERT_TRUE(before >= 64 || before >= here) << i;
    ASSERT_TRUE(before != here || here >= 64 || at[i - 1] < at[i]) << i;
  }
}

// What waits is never further ahead than the buckets go round, whatever rounding does to a sum.
TEST(Buckets, GoRoundOnlyBehindTheLargestWeight) {
  for (const double largest : {1.0, 255.0, 2147483647.0, 3e38}) {
    for (const double delta : {largest / 65536, largest / 3, largest * 7}) {
      const sssp_detail::bucket_width width(delta, largest);
      for (const double d : {0.0, largest, largest * 1000.25}) {
        const auto from = static_cast<float>(d), to = from + static_cast<float>(largest);
        if (!(to < std::numeric_limits<float>::infinity())) continue;
        EXPECT_LT(width.of(to) - width.of(from), width.count)
            << largest << " " << delta << " " << d;
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::algorithm_detail
