// Tasks that have not begun: order, growth, tasks that push tasks, errors.
#include "gossamer/task/task_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace gossamer {
namespace {

std::vector<std::uint64_t>* noted = nullptr;
std::size_t active = 0, most_active = 0;

task<> note(scheduler&, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  most_active = std::max(most_active, ++active);
  co_await yield_now();
  --active;
  noted->push_back(a * 100 + b * 10 + c);
}

task<> throws(scheduler&, std::uint64_t, std::uint64_t, std::uint64_t) {
  co_await yield_now();
  throw std::runtime_error("thrown");
}

// A binary tree below `a` = its queue, `b` = depth.
task<> grow_tree(scheduler&, std::uint64_t queue, std::uint64_t depth, std::uint64_t counter) {
  ++*reinterpret_cast<std::uint64_t*>(counter);
  co_await yield_now();
  if (depth == 0) co_return;
  auto& q = *reinterpret_cast<task_queue*>(queue);
  for (int i = 0; i < 2; ++i) q.push<grow_tree>(queue, depth - 1, counter);
}

class task_queues : public testing::Test {
 protected:
  void SetUp() override {
    noted = &order;
    active = most_active = 0;
  }
  scheduler s;
  std::vector<std::uint64_t> order;
};

TEST_F(task_queues, RunInOrderAsManyAtATimeAsAskedFor) {
  task_queue q(s, 2);
  for (std::uint64_t i = 0; i < 100; ++i) q.push<note>(i, i % 3, 7);
  EXPECT_EQ(q.size(), 100u);
  s.run(q.drain(8));
  EXPECT_EQ(most_active, 8u);
  EXPECT_EQ(q.size(), 0u);
  ASSERT_EQ(order.size(), 100u);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(order[i], i * 100 + i % 3 * 10 + 7);
}

TEST_F(task_queues, MayBePushedToByTheirTasks) {
  for (const std::size_t in_flight : {1u, 2u, 7u, 64u}) {
    for (const std::uint64_t seed : {0, 5}) {
      scheduler mixed({.seed = seed});
      task_queue q(mixed, 1);
      std::uint64_t visited = 0;
      q.push<grow_tree>(reinterpret_cast<std::uint64_t>(&q), 10,
                        reinterpret_cast<std::uint64_t>(&visited));
      mixed.run(q.drain(in_flight));
      EXPECT_EQ(visited, 2047u);
      EXPECT_EQ(mixed.live(), 0u);
    }
  }
}

TEST_F(task_queues, HoldAMillionIn32BytesEach) {
  task_queue q(s);
  const std::size_t frames = frame_pool::mine().bytes();
  for (std::uint64_t i = 0; i < 1'000'000; ++i) q.push<note>(i);
  EXPECT_EQ(q.bytes(), 32u << 20);
  EXPECT_EQ(frame_pool::mine().bytes(), frames);
  s.run(q.drain(100));
  EXPECT_EQ(order.size(), 1'000'000u);
}

TEST_F(task_queues, EndWithTheFirstErrorAndKeepTheRest) {
  task_queue q(s);
  for (std::uint64_t i = 0; i < 5; ++i) q.push<note>(i);
  q.push<throws>(0);
  for (std::uint64_t i = 0; i < 50; ++i) q.push<note>(i);
  EXPECT_THROW(s.run(q.drain(3)), std::runtime_error);
  EXPECT_EQ(s.live(), 0u);
  EXPECT_EQ(order.size() + q.size(), 55u);
  EXPECT_GT(q.size(), 40u);
  s.run(q.drain(3));
  EXPECT_EQ(order.size(), 55u);
}

TEST_F(task_queues, RefuseWhatMakesNoSense) {
  task_queue q(s);
  EXPECT_THROW(s.run(q.drain(0)), usage_error);
  q.push<note>(1);
  s.spawn(q.drain(1));
  try {
    s.run(q.drain(1));
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "task_queue: it is being drained already");
  }
}

TEST_F(task_queues, AnEmptyOneIsDrainedAtOnce) {
  task_queue q(s);
  s.run(q.drain(4));
  EXPECT_EQ(order.size(), 0u);
}

}  // namespace
}  // namespace gossamer
