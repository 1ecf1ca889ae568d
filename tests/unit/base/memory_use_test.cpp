// What is counted of memory that was taken.
#include "gossamer/base/memory_use.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "gossamer/base/shared_array.hpp"

namespace gossamer {
namespace {

TEST(MemoryUse, ArraysCountWhileAnyCopyLives) {
  const auto before = memory_in_use(host_account);
  begin_peaks();
  {
    shared_array<double> all(1000);
    EXPECT_EQ(memory_in_use(host_account).now, before.now + 8000);
    shared_array<double> part = all.first(10);
    all = {};
    EXPECT_EQ(memory_in_use(host_account).now, before.now + 8000);
    EXPECT_EQ(shared_array<int>(0).size(), 0u);
  }
  EXPECT_EQ(memory_in_use(host_account).now, before.now);
  EXPECT_EQ(memory_in_use(host_account).peak, before.now + 8000);
}

TEST(MemoryUse, PeaksAreTheMostAtOneTimeAndBeginAnew) {
  const int gpu = 3;
  const auto before = memory_in_use(gpu).now;
  count_taken(gpu, 100);
  count_taken(gpu, 50);
  count_given_back(gpu, 100);
  count_taken(gpu, 70);
  EXPECT_EQ(memory_in_use(gpu).now, before + 120);
  EXPECT_EQ(memory_in_use(gpu).peak, before + 150);
  begin_peaks();
  EXPECT_EQ(memory_in_use(gpu).peak, before + 120);
  count_given_back(gpu, 120);
  EXPECT_EQ(memory_in_use(gpu).now, before);
}

TEST(MemoryUse, ThreadsCountTogether) {
  const int gpu = 5;
  const auto before = memory_in_use(gpu).now;
  begin_peaks();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) {
        count_taken(gpu, 8);
        if (i % 2 == 1) count_given_back(gpu, 8);
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(memory_in_use(gpu).now, before + 4 * 500 * 8);
  EXPECT_GE(memory_in_use(gpu).peak, memory_in_use(gpu).now);
  count_given_back(gpu, 4 * 500 * 8);
}

}  // namespace
}  // namespace gossamer
