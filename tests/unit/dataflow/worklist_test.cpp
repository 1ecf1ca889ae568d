// The circular buffer by itself: order, wrapping, and what happens when it is full.
#include "gossamer/dataflow/worklist.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace gossamer {
namespace {

std::vector<int> take(worklist<int>& l, std::size_t most) {
  const auto some = l.consume(most);
  std::vector<int> items(some.begin(), some.end());
  l.release(some.size());
  return items;
}

TEST(Worklist, HoldsThePowerOfTwoThatItsCapacityAsksFor) {
  EXPECT_EQ(worklist<int>(0).capacity(), 1u);
  EXPECT_EQ(worklist<int>(5).capacity(), 8u);
  EXPECT_EQ(worklist<int>(8).capacity(), 8u);
  EXPECT_EQ(worklist<int>::bytes(5), 8 * 4);
}

TEST(Worklist, RefusesWhatDoesNotFitAndLosesNothing) {
  worklist<int> l(8);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(l.push(i));
  EXPECT_FALSE(l.push(8));
  EXPECT_FALSE(l.reserve(1).has_value());
  EXPECT_EQ(l.size(), 8u);
  EXPECT_EQ(take(l, 3), (std::vector<int>{0, 1, 2}));
  const std::vector<int> four = {8, 9, 10, 11}, three = {8, 9, 10};
  EXPECT_FALSE(l.push(four)) << "all or nothing";
  EXPECT_EQ(l.size(), 5u);
  EXPECT_TRUE(l.push(three));
  EXPECT_EQ(take(l, 99), (std::vector<int>{3, 4, 5, 6, 7})) << "up to where the buffer wraps";
  EXPECT_EQ(take(l, 99), (std::vector<int>{8, 9, 10}));
  EXPECT_TRUE(take(l, 99).empty());
}

TEST(Worklist, ItemsStayUntilTheyAreReleased) {
  worklist<int> l(4);
  const std::vector<int> items = {1, 2, 3, 4};
  ASSERT_TRUE(l.push(items));
  const auto some = l.consume(2);
  EXPECT_FALSE(l.push(5)) << "the slots are still read";
  EXPECT_EQ(some[1], 2);
  l.release(1);
  EXPECT_TRUE(l.push(5));
  EXPECT_EQ(l.consume(1)[0], 2);
}

TEST(Worklist, ShowsReservedItemsWhenAllBeforeThemAreWritten) {
  worklist<int> l(8);
  const auto first = l.reserve(2), second = l.reserve(1);
  l.at(*second) = 30;
  l.publish(1);
  EXPECT_EQ(l.size(), 0u) << "two items before it are missing";
  l.at(*first) = 10;
  l.at(*first + 1) = 20;
  l.publish(2);
  EXPECT_EQ(take(l, 8), (std::vector<int>{10, 20, 30}));
}

TEST(Worklist, PrependedItemsAreNext) {
  worklist<int> l(4);
  const std::vector<int> own = {7, 8};
  EXPECT_TRUE(l.prepend(own)) << "before the first position, too";
  EXPECT_TRUE(l.push(1));
  EXPECT_TRUE(l.push(2));
  EXPECT_FALSE(l.prepend(std::vector<int>{9}));
  std::vector<int> all;
  while (l.size() > 0)
    for (const int x : take(l, 4)) all.push_back(x);
  EXPECT_EQ(all, (std::vector<int>{7, 8, 1, 2}));
}

TEST(Worklist, GoesRoundManyTimes) {
  worklist<int, unshared_words> l(16);
  int in = 0, out = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<int> some(static_cast<std::size_t>(round % 7 + 1));
    std::iota(some.begin(), some.end(), in);
    if (l.push(some)) in += static_cast<int>(some.size());
    const auto taken = l.consume(static_cast<std::size_t>(round % 5 + 1));
    for (const int x : taken) ASSERT_EQ(x, out++);
    l.release(taken.size());
  }
  EXPECT_EQ(static_cast<std::size_t>(in - out), l.size());
  EXPECT_GT(out, 2000);
}

}  // namespace
}  // namespace gossamer
