// shared_array: ownership, alignment and sharing.
#include "gossamer/base/shared_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"

namespace {

using gossamer::shared_array;

TEST(shared_array, is_empty_by_default) {
  const shared_array<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_TRUE(shared_array<int>(0).empty());
}

TEST(shared_array, is_aligned_to_a_cache_line_at_any_size) {
  for (std::size_t n : {1, 3, 63, 64, 65, 1000}) {
    const shared_array<std::int16_t> a(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_EQ(a.size(), n);
  }
}

TEST(shared_array, refuses_sizes_that_no_memory_has) {
  EXPECT_THROW(shared_array<double>((std::size_t{1} << 61) + 1), gossamer::capacity_error);
  EXPECT_THROW(gossamer::make_array<double>((std::size_t{1} << 61) + 1), gossamer::capacity_error);
  EXPECT_THROW(shared_array<char>(static_cast<std::size_t>(-1)), gossamer::capacity_error);
}

TEST(shared_array, copies_share_one_block) {
  shared_array<int> a(4);
  std::iota(a.begin(), a.end(), 10);
  const shared_array<int> b = a;
  b[2] = 99;
  EXPECT_EQ(a[2], 99);
  EXPECT_EQ(a.owner().use_count(), 2);
}

TEST(shared_array, first_keeps_the_whole_block_alive) {
  shared_array<int> a(4);
  std::iota(a.begin(), a.end(), 0);
  const shared_array<int> head = a.first(2);
  a = {};
  ASSERT_EQ(head.size(), 2u);
  EXPECT_EQ(head[1], 1);
}

TEST(shared_array, releases_foreign_memory_through_its_owner) {
  int storage[3] = {1, 2, 3};
  bool released = false;
  {
    shared_array<int> a(storage, 3,
                        std::shared_ptr<void>(storage, [&](void*) { released = true; }));
    const shared_array<int> copy = a;
    a = {};
    EXPECT_FALSE(released);
    EXPECT_EQ(copy.span()[2], 3);
  }
  EXPECT_TRUE(released);
}

}  // namespace
