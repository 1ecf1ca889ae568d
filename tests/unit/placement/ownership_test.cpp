// ownership: tables for ranges and for any assignment of blocks.
#include "gossamer/placement/ownership.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

// owner, local and global are inverse to each other, and locals of a rank are 0 … local_size - 1.
void expect_consistent(const ownership& o) {
  std::int64_t sum = 0;
  for (int r = 0; r < o.ranks(); ++r) {
    sum += o.local_size(r);
    for (std::int64_t i = 0; i < o.local_size(r); ++i) {
      const std::int64_t v = o.global(r, i);
      ASSERT_EQ(o.owner(v), r);
      ASSERT_EQ(o.local(v), i);
      if (i > 0) {
        ASSERT_GT(v, o.global(r, i - 1)) << "local numbers ascend with placed ids";
      }
    }
  }
  ASSERT_EQ(sum, o.placed());
}

TEST(Ownership, RangesArePaddedToBlocks) {
  const std::int64_t counts[] = {100, 0, 64, 1};
  const ownership o = ownership::ranges(counts);
  EXPECT_EQ(o.placed(), 128 + 0 + 64 + 64);
  EXPECT_EQ(o.local_size(0), 128);
  EXPECT_EQ(o.local_size(1), 0);
  EXPECT_EQ(o.owner(128), 2);
  EXPECT_TRUE(o.contiguous());
  expect_consistent(o);
}

TEST(Ownership, AnyTableOfBlocks) {
  const ownership o = ownership::blocks({1, 0, 1, 2, 0, 0, 1}, 4, 7);
  EXPECT_FALSE(o.contiguous());
  EXPECT_EQ(o.local_size(1), 3 * 128);
  EXPECT_EQ(o.local_size(3), 0);
  expect_consistent(o);
  const ownership copy = o;  // has tables of its own
  EXPECT_NE(copy.view().rank_of, o.view().rank_of);
  expect_consistent(copy);
  EXPECT_TRUE(ownership::blocks({0, 0, 1, 1, 1}, 2, 6).contiguous());
}

TEST(Ownership, RefusesWhatMakesNoSense) {
  EXPECT_THROW(ownership::ranges({}), usage_error);
  const std::int64_t negative[] = {-1};
  EXPECT_THROW(ownership::ranges(negative), usage_error);
  const std::int64_t one[] = {1};
  EXPECT_THROW(ownership::ranges(one, 5), usage_error) << "ranks would share a bitmap word";
  EXPECT_THROW(ownership::blocks({0, 2}, 2, 6), usage_error);
}

TEST(ownership_sizes, are_those_of_the_tables) {
  for (const auto& counts : std::vector<std::vector<std::int64_t>>{
           {0}, {1}, {64, 65, 0}, {1000, 3, 999}, {128, 128, 128, 127}}) {
    const ownership o = ownership::ranges(counts);
    for (const auto& sizes : {ownership_sizes::ranges(counts), ownership_sizes(o)}) {
      EXPECT_EQ(sizes.ranks(), o.ranks());
      EXPECT_EQ(sizes.placed(), o.placed());
      EXPECT_EQ(sizes.blocks(), o.view().blocks);
      for (int r = 0; r < o.ranks(); ++r) EXPECT_EQ(sizes.local_size(r), o.local_size(r));
    }
  }
}

}  // namespace
}  // namespace gossamer
