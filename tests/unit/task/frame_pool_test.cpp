// The frame pool: memory comes back, and is not asked for again.
#include "gossamer/task/frame_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "gossamer/task/task_group.hpp"
#include "unit/fabric/allocations.hpp"

namespace gossamer {
namespace {

TEST(frame_pool, GivesWhatWasGivenBackAndNeverTheSameTwice) {
  frame_pool& pool = frame_pool::mine();
  const std::size_t before = pool.frames();
  for (const std::size_t bytes : {1u, 31u, 32u, 33u, 100u, 2048u, 2049u, 100000u}) {
    std::set<void*> seen;
    for (int i = 0; i < 100; ++i) {
      void* at = pool.take(bytes);
      std::memset(at, 0xff, bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignof(std::max_align_t), 0u);
      EXPECT_TRUE(seen.insert(at).second);
    }
    const std::size_t refills = pool.refills();
    for (void* at : seen) pool.give_back(at, bytes);
    if (bytes > frame_pool::largest) continue;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(seen.erase(pool.take(bytes)), 1u);
    EXPECT_EQ(pool.refills(), refills);
    // (These stay taken: another test may not find them free.)
  }
  EXPECT_EQ(pool.frames(), before + 600);
}

task<> child() {
  co_await yield_now();
}
task<> parent(scheduler& s, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    task_group group(s);
    for (int i = 0; i < 50; ++i) group.spawn(child());
    co_await child();
    co_await group.join();
  }
}

TEST(frame_pool, SpawningAndJoiningAllocatesNothingInSteadyState) {
  scheduler s;
  s.run(parent(s, 2));
  const std::size_t refills = frame_pool::mine().refills();
  const auto before = testing::allocations;
  s.run(parent(s, 100));
  EXPECT_EQ(testing::allocations, before);
  EXPECT_EQ(frame_pool::mine().refills(), refills);
}

TEST(frame_pool, EachThreadHasItsOwn) {
  frame_pool* const mine = &frame_pool::mine();
  frame_pool* others = nullptr;
  std::thread([&] {
    others = &frame_pool::mine();
    {
      scheduler s;
      s.run(parent(s, 3));
      EXPECT_GT(others->frames(), 0u);  // the scheduler's own
    }
    EXPECT_EQ(others->frames(), 0u);
  }).join();
  EXPECT_NE(mine, others);
}

}  // namespace
}  // namespace gossamer
