// The global heap: symmetric allocation, addresses, loops where the data is.
#include "gossamer/task/global_heap.hpp"

#include <array>
#include <vector>

#include "gossamer/task/full_empty.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

static_assert(sizeof(global_address<double>) == 8);
static_assert(std::is_trivially_copyable_v<global_address<double>>);

TEST(GlobalAddress, CountsElements) {
  const global_address<int> a(3, 10);
  EXPECT_EQ((a + 5).index(), 15);
  EXPECT_EQ((5 + a).allocation(), 3);
  EXPECT_EQ((a - 10).index(), 0);
  EXPECT_EQ((a + 7) - a, 7);
  EXPECT_EQ(a - (a + 7), -7);
  auto b = a;
  EXPECT_EQ(++b, a + 1);
  EXPECT_EQ(--b, a);
  EXPECT_LT(a, a + 1);
  EXPECT_TRUE(static_cast<bool>(a));
  EXPECT_FALSE(static_cast<bool>(global_address<int>()));
}

TEST_P(global_suite, EveryElementHasItsOwnPlaceAtItsOwner) {
  m.run([](rank& r) {
    global_heap heap(r);
    for (const std::int64_t block : {1, 3, 64})
      for (const std::int64_t size : {0, 1, 50, 1001}) {
        const auto a = heap.allocate<std::int32_t>(size, block);
        ASSERT_EQ(a.size(), size);
        ASSERT_EQ(a.end() - a.begin(), size);
        ASSERT_EQ(static_cast<std::int64_t>(a.local().size()), a.layout().count(r.id()));
        for (const std::int32_t x : a.local()) ASSERT_EQ(x, 0) << "elements begin as T()";
        a.for_each_local([](std::int64_t i, std::int32_t& x) { x = static_cast<int>(7 * i); });
        for (std::int64_t i = 0; i < size; ++i) {
          const auto [owner, local] = heap.find(a[i]);
          ASSERT_EQ(owner, a.layout().owner(i));
          if (owner == r.id()) {
            ASSERT_EQ(heap.element<std::int32_t>(a[i].allocation(), local), 7 * i);
          }
        }
      }
  });
}

TEST_P(global_suite, RanksMayOwnDifferentNumbers) {
  m.run([](rank& r) {
    global_heap heap(r);
    const auto a = heap.allocate_owned<double>(r.id() % 2 == 0 ? 3 * r.id() + 1 : 0);
    std::int64_t index = 0;
    for (int owner = 0; owner < r.size(); ++owner)
      for (int k = 0; k < (owner % 2 == 0 ? 3 * owner + 1 : 0); ++k, ++index)
        ASSERT_EQ(heap.find(a[index]), (global_heap::place{owner, k}));
    ASSERT_EQ(a.size(), index);
  });
}

TEST_P(global_suite, LoopsRunWhereTheDataIs) {
  m.run([](rank& r) {
    global_heap heap(r);
    const auto a = heap.allocate<std::int64_t>(100, 7);
    a.for_each_local(13, 88, [](std::int64_t i, std::int64_t& x) { x += i; });
    std::array<std::int64_t, 2> mine{};  // elements touched, their sum
    for (const std::int64_t x : a.local()) mine = {mine[0] + (x != 0), mine[1] + x};
    std::vector<std::array<std::int64_t, 2>> all(static_cast<std::size_t>(r.size()));
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    std::array<std::int64_t, 2> sum{};
    for (const auto& one : all) sum = {sum[0] + one[0], sum[1] + one[1]};
    EXPECT_EQ(sum, (std::array<std::int64_t, 2>{75, (13 + 87) * 75 / 2}));
  });
}

TEST_P(global_suite, HoldsWordsWithFullEmptyBits) {
  m.run([](rank& r) {
    global_heap heap(r);
    const auto words = heap.allocate<full_empty<int>>(10, 2);
    words.for_each_local([](std::int64_t, full_empty<int>& w) { EXPECT_FALSE(w.full()); });
  });
}

TEST_P(global_suite, RefusesAddressesThatLeadNowhere) {
  m.run([](rank& r) {
    global_heap heap(r);
    const auto a = heap.allocate<int>(5);
    const auto text = [&](global_address<int> at) -> std::string {
      return message_of<usage_error>([&] { static_cast<void>(heap.find(at)); });
    };
    EXPECT_EQ(text(a.end()), "global_heap: element 5 of allocation 1, which has 5");
    EXPECT_EQ(text({}), "global_heap: the null address leads to no element");
    EXPECT_EQ(text({2, 0}), "global_heap: there is no allocation 2 (1 have been made)");
    EXPECT_NE(text(a.begin() - 1), "nothing was thrown");
  });
}

TEST_P(global_suite, RanksMustAllocateTheSame) {
  if (m.size() < 2) GTEST_SKIP() << "one rank agrees with itself";
  const auto text = thrown([](rank& r) {
    global_heap heap(r);
    (void)heap.allocate<int>(r.id() == 1 ? 6 : 5, 2);
  });
  expect_contains(
      text,
      "global_heap: rank 0 asks for allocation 1 of 5 elements in blocks of 2 of 4 bytes, "
      "rank 1 for allocation 1 of 6 elements in blocks of 2 of 4 bytes");
  expect_contains(thrown([](rank& r) { global_heap(r).allocate<int>(5, 0); }),
                  "global_heap: a block needs an element at least");
}

TEST_P(global_suite, RefusesMoreThanTheArenaHolds) {
  const auto text =
      thrown([](rank& r) { global_heap(r).allocate<double>(std::int64_t{r.size()} << 24, 64); });
  expect_contains(text, "does not fit the run's arena (16.1 MiB planned");
}

}  // namespace
}  // namespace gossamer
