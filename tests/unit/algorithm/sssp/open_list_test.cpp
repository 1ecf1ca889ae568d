// A list that is always written to holds what was wanted, counts its room, and can be handed round.
#include "algorithm/sssp/sync/open_list.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/base/memory_use.hpp"

namespace gossamer::algorithm_detail {
namespace {

std::vector<int> values(const open_list<int>& list) {
  return {list.data(), list.data() + list.size()};
}

TEST(OpenList, KeepsWhatIsWanted) {
  open_list<int> list;
  std::vector<int> want;
  for (int i = 0; i < 1000; ++i) {
    list.push_if(i % 3 == 0, i);
    if (i % 3 == 0) want.push_back(i);
    ASSERT_EQ(values(list), want);
  }
  list.clear();
  EXPECT_TRUE(list.empty());
  EXPECT_GE(list.capacity(), want.size());
}

TEST(OpenList, CountsItsRoom) {
  const std::int64_t before = memory_in_use(host_account).now;
  {
    open_list<int> list;
    list.push_if(false, 1);
    EXPECT_EQ(memory_in_use(host_account).now, before);
    for (int i = 0; i < 100; ++i) list.push_back(i);
    EXPECT_EQ(memory_in_use(host_account).now,
              before + static_cast<std::int64_t>(list.capacity() * sizeof(int)));
    list = open_list<int>();
    EXPECT_EQ(memory_in_use(host_account).now, before);
    for (int i = 0; i < 100; ++i) list.push_back(i);
  }
  EXPECT_EQ(memory_in_use(host_account).now, before);
}

TEST(OpenList, IsExchangedWithAnother) {
  for (const int ours : {0, 1, 2, 50})
    for (const int theirs : {0, 1, 2, 50}) {
      open_list<int> a, b;
      for (int i = 0; i < ours; ++i) a.push_back(i);
      for (int i = 0; i < theirs; ++i) b.push_back(-i);
      const auto of_a = values(a), of_b = values(b);
      a.swap(b);
      EXPECT_EQ(values(a), of_b);
      EXPECT_EQ(values(b), of_a);
      a.push_back(7);
      b.push_if(false, 8);
      EXPECT_EQ(a[a.size() - 1], 7);
      EXPECT_EQ(values(b), of_a);
      const open_list<int> c(std::move(a));
      EXPECT_EQ(c.size(), of_b.size() + 1);
    }
}

}  // namespace
}  // namespace gossamer::algorithm_detail
