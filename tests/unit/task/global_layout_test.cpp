// Layouts against their contract: every index has one owner and one place there, and comes back.
#include "gossamer/task/global_layout.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <numeric>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

// Owners' places are counted by hand, in the order of indices.
void expect_kept(const global_layout& l, const std::string& what) {
  SCOPED_TRACE(what);
  std::vector<std::int64_t> next(static_cast<std::size_t>(l.ranks()), 0);
  for (std::int64_t i = 0; i < l.size(); ++i) {
    const auto [rank, local] = l.find(i);
    ASSERT_GE(rank, 0);
    ASSERT_LT(rank, l.ranks());
    ASSERT_EQ(local, next[static_cast<std::size_t>(rank)]++) << "index " << i;
    ASSERT_EQ(l.owner(i), rank);
    ASSERT_EQ(l.local(i), local);
    ASSERT_EQ(l.global(rank, local), i);
  }
  for (int r = 0; r < l.ranks(); ++r)
    ASSERT_EQ(l.count(r), next[static_cast<std::size_t>(r)]) << "rank " << r;
}

// Runs cover [first, last) once, each index at its owner and place.
void expect_covered(const global_layout& l, std::int64_t first, std::int64_t last) {
  std::vector<int> seen(static_cast<std::size_t>(l.size()), 0);
  for (int r = 0; r < l.ranks(); ++r) {
    std::int64_t before = first - 1;
    l.for_each_run(r, first, last, [&](std::int64_t i, std::int64_t local, std::int64_t n) {
      ASSERT_GT(i, before);
      ASSERT_GT(n, 0);
      for (std::int64_t k = 0; k < n; ++k) {
        ASSERT_EQ(l.find(i + k), (global_layout::place{r, local + k}));
        ++seen[static_cast<std::size_t>(i + k)];
      }
      before = i + n - 1;
    });
  }
  for (std::int64_t i = 0; i < l.size(); ++i)
    ASSERT_EQ(seen[static_cast<std::size_t>(i)], i >= first && i < last ? 1 : 0) << "index " << i;
}

TEST(GlobalLayout, CyclicGivesEveryIndexOneOwner) {
  for (const int ranks : {1, 2, 3, 5, 8, 13})
    for (const std::int64_t block : {1, 2, 3, 7, 16, 1000})
      for (const std::int64_t size : {0, 1, 2, 15, 16, 17, 100, 257})
        expect_kept(global_layout::cyclic(size, block, ranks),
                    std::to_string(size) + " in blocks of " + std::to_string(block) + " over " +
                        std::to_string(ranks));
}

TEST(GlobalLayout, CyclicDealsOutBlocksInTurn) {
  const auto l = global_layout::cyclic(11, 2, 3);
  std::vector<int> owners;
  for (int i = 0; i < 11; ++i) owners.push_back(l.owner(i));
  EXPECT_EQ(owners, (std::vector<int>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2}));
  EXPECT_EQ(l.count(2), 3);
}

TEST(GlobalLayout, OwnedGivesEveryIndexOneOwner) {
  using sizes = std::vector<std::int64_t>;
  for (const sizes& s : {sizes{5}, sizes{0}, sizes{3, 0, 4}, sizes{0, 0, 7}, sizes{1, 0, 0, 2, 0},
                         sizes{0, 0, 0}, sizes{10, 20, 30, 1, 1, 50, 3}}) {
    const auto l = global_layout::owned(s);
    EXPECT_EQ(l.size(), std::accumulate(s.begin(), s.end(), std::int64_t{0}));
    expect_kept(l, "owned by " + std::to_string(s.size()));
    for (std::size_t r = 0; r < s.size(); ++r) EXPECT_EQ(l.count(static_cast<int>(r)), s[r]);
  }
}

TEST(GlobalLayout, RunsCoverARangeOnce) {
  for (const int ranks : {1, 3, 4, 7})
    for (const std::int64_t block : {1, 3, 4, 50})
      for (const std::int64_t size : {1, 12, 41})
        for (std::int64_t first = 0; first <= size; first += 5)
          for (std::int64_t last = first; last <= size; last += 3)
            expect_covered(global_layout::cyclic(size, block, ranks), first, last);
  const auto l = global_layout::owned(std::vector<std::int64_t>{4, 0, 9, 1});
  for (std::int64_t first = 0; first <= 14; ++first)
    for (std::int64_t last = first; last <= 14; ++last) expect_covered(l, first, last);
}

TEST(GlobalLayout, LargeArraysStayExact) {
  const std::int64_t size = (std::int64_t{1} << 47) + 11;
  const auto l = global_layout::cyclic(size, 1000003, 1021);
  for (std::int64_t i = size - 1; i > 0; i /= 3) {
    const auto [rank, local] = l.find(i);
    ASSERT_EQ(l.global(rank, local), i);
    ASSERT_LT(local, l.count(rank));
  }
}

TEST(GlobalLayout, RefusesWhatIsNoLayout) {
  EXPECT_EQ(message_of<usage_error>([] { global_layout::cyclic(-1, 1, 1); }),
            "global_layout: a size cannot be negative");
  EXPECT_EQ(message_of<usage_error>([] { global_layout::cyclic(1, 0, 1); }),
            "global_layout: block and ranks must be positive");
  EXPECT_EQ(message_of<usage_error>([] { global_layout::cyclic(1, 1, 0); }),
            "global_layout: block and ranks must be positive");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(message_of<usage_error>([] { global_layout::cyclic(most, std::int64_t{1} << 62, 3); }),
            "global_layout: more elements than 64 bits can number");
  EXPECT_EQ(message_of<usage_error>([] {
              global_layout::owned(std::vector<std::int64_t>{most, most});
            }),
            "global_layout: more elements than 64 bits can number");
  EXPECT_EQ(message_of<usage_error>([] { global_layout::owned({}); }),
            "global_layout: block and ranks must be positive");
  EXPECT_EQ(message_of<usage_error>([] {
              global_layout::owned(std::vector<std::int64_t>{1, -1});
            }),
            "global_layout: a size cannot be negative");
}

}  // namespace
}  // namespace gossamer
