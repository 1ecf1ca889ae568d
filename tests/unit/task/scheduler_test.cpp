// The scheduler and its groups: order, results, errors, deadlocks, and that nothing is left behind.
#include "gossamer/task/scheduler.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/task/task_group.hpp"

namespace gossamer {
namespace {

// Every test: frames that were taken are given back.
class tasks : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(frame_pool::mine().frames(), before_); }

 private:
  std::size_t before_ = frame_pool::mine().frames();
};

task<> note(std::string& order, char name, int turns) {
  for (int i = 0; i < turns; ++i) {
    order += name;
    co_await yield_now();
  }
}

TEST_F(tasks, TakeTurnsInTheOrderInWhichTheyWereSpawned) {
  scheduler s;
  std::string order;
  for (const auto& [name, turns] : {std::pair{'a', 3}, {'b', 1}, {'c', 2}})
    s.spawn(note(order, name, turns));
  EXPECT_EQ(s.live(), 3u);
  s.run();
  EXPECT_EQ(order, "abcaca");
  EXPECT_EQ(s.live(), 0u);
}

std::string shuffled_order(std::uint64_t seed) {
  scheduler s({.seed = seed});
  std::string order;
  for (char name = 'a'; name < 'h'; ++name) s.spawn(note(order, name, 4));
  s.run();
  return order;
}

TEST_F(tasks, AShuffledOrderIsTheSeedsAlone) {
  EXPECT_EQ(shuffled_order(7), shuffled_order(7));
  EXPECT_NE(shuffled_order(7), shuffled_order(8));
  EXPECT_NE(shuffled_order(7), shuffled_order(0));
  EXPECT_EQ(shuffled_order(7).size(), 28u);
}

task<int> fibonacci(int n) {
  if (n < 2) co_return n;
  const int one = co_await fibonacci(n - 1);
  co_return one + co_await fibonacci(n - 2);
}

task<std::unique_ptr<int>> boxed(int n) {
  co_await yield_now();
  co_return std::make_unique<int>(n);
}

TEST_F(tasks, CallsReturnValues) {
  scheduler s;
  EXPECT_EQ(s.run(fibonacci(15)), 610);
  EXPECT_EQ(*s.run(boxed(5)), 5);
}

// A call takes its caller's place in the round: nobody is run out of turn.
task<> calls(std::string& order) {
  co_await note(order, 'x', 2);
  co_await note(order, 'y', 1);
}

TEST_F(tasks, CallsTakeTheirCallersTurns) {
  scheduler s;
  std::string order;
  s.spawn(note(order, 'a', 4));
  s.spawn(calls(order));
  s.spawn(note(order, 'b', 4));
  s.run();
  EXPECT_EQ(order, "axbaxbaybab");
}

task<int> deep(int levels) {
  if (levels == 0) throw std::runtime_error("at the bottom");
  co_await yield_now();
  co_return co_await deep(levels - 1);
}

task<std::string> catches() {
  try {
    co_await deep(5);
  } catch (const std::runtime_error& e) {
    co_return e.what();
  }
  co_return "nothing";
}

TEST_F(tasks, ErrorsReachTheCaller) {
  scheduler s;
  EXPECT_EQ(s.run(catches()), "at the bottom");
  EXPECT_THROW(s.run(deep(3)), std::runtime_error);
  EXPECT_EQ(s.run(fibonacci(5)), 5);  // it goes on after an error
}

task<> fails(const char* what, int turns) {
  for (int i = 0; i < turns; ++i) co_await yield_now();
  throw std::runtime_error(what);
}

task<std::string> joins(scheduler& s, int& ended) {
  task_group group(s);
  group.spawn(fails("late", 3));
  group.spawn(fails("early", 1));
  for (int i = 0; i < 5; ++i) {
    group.spawn([](int turns, int& done) -> task<> {
      for (int t = 0; t < turns; ++t) co_await yield_now();
      ++done;
    }(2 * i, ended));
  }
  std::string said;
  try {
    co_await group.join();
  } catch (const std::runtime_error& e) {
    said = e.what();
  }
  EXPECT_EQ(group.live(), 0u);
  EXPECT_EQ(ended, 5);
  co_await group.join();  // nothing is left, nor the error
  co_return said;
}

TEST_F(tasks, AJoinWaitsForAllAndThrowsTheFirstError) {
  scheduler s;
  int ended = 0;
  EXPECT_EQ(s.run(joins(s, ended)), "early");
}

task<> forgets(scheduler& s, bool fail) {
  task_group group(s);
  group.spawn(fail ? fails("forgotten", 4) : []() -> task<> { co_await yield_now(); }());
  co_return;
}

TEST_F(tasks, WhatIsNotJoinedRunsOnAndItsErrorIsNotLost) {
  scheduler s;
  s.run(forgets(s, false));
  EXPECT_EQ(s.live(), 0u);
  try {
    s.run(forgets(s, true));
    FAIL() << "the error was lost";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "forgotten");
  }
}

task<> joins_twice(scheduler& s) {
  task_group group(s);
  group.spawn(fails("x", 5));
  const auto join = [](task_group& g) -> task<> { co_await g.join(); };
  task_group outer(s);
  outer.spawn(join(group));
  outer.spawn(join(group));
  co_await outer.join();
}

TEST_F(tasks, OneTaskJoinsAGroupAtATime) {
  scheduler s;
  try {
    s.run(joins_twice(s));
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "task_group: two tasks join it at once");
  }
}

// Waits for what nobody will ever do.
struct never : waiter {
  static constexpr wait_kind kind_of_it{"never"};
  explicit never(const void* word) : waiter(kind_of_it, word) {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
    return h.promise().home().suspend(*this, h.promise());
  }
  void await_resume() const noexcept {}
};

task<> stuck(const void* on, std::shared_ptr<int> held) {
  co_await never(on);
  EXPECT_NE(*held, *held);
}

task<> calls_stuck(std::shared_ptr<int> held) {
  co_await stuck(nullptr, held);
}

TEST_F(tasks, ADeadlockSaysWhoWaitsForWhat) {
  const auto held = std::make_shared<int>(1);
  {
    scheduler s;
    const auto* word = reinterpret_cast<const void*>(0x40);
    for (int i = 0; i < 3; ++i) s.spawn(stuck(word, held));
    s.spawn(calls_stuck(held));
    try {
      s.run();
      FAIL();
    } catch (const deadlock_error& e) {
      EXPECT_STREQ(e.what(),
                   "deadlock: 4 tasks have not ended and nothing can wake them: 1 in never, 3 in "
                   "never of 0x40");
    }
    EXPECT_EQ(s.waiting(), 4u);
    EXPECT_EQ(held.use_count(), 6);
  }
  EXPECT_EQ(held.use_count(), 1);  // the frames went with their scheduler, callers and all
}

TEST_F(tasks, AnErrorComesBeforeTheDeadlockThatItCaused) {
  scheduler s;
  s.spawn(stuck(nullptr, std::make_shared<int>(1)));
  s.spawn(fails("the cause", 1));
  EXPECT_THROW(s.run(), std::runtime_error);
  EXPECT_THROW(s.run(), deadlock_error);
}

TEST_F(tasks, WhatNeverRanIsDestroyed) {
  const auto held = std::make_shared<int>(1);
  {
    scheduler s;
    s.spawn(stuck(nullptr, held));
    const auto never_spawned = stuck(nullptr, held);
    EXPECT_EQ(held.use_count(), 3);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(tasks, CannotRunTheirScheduler) {
  scheduler s;
  s.spawn([](scheduler& own) -> task<> {
    own.run();
    co_return;
  }(s));
  try {
    s.run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(),
                 "scheduler: run() from inside one of its own tasks; co_await what it begins");
  }
  s.run();  // usable still
}

// Half a million at a time, in frames of less than 100 bytes.
TEST_F(tasks, AreManyAtATime) {
  scheduler s;
  constexpr int many = 500'000;
  const std::size_t before = frame_pool::mine().bytes();
  int ended = 0;
  for (int i = 0; i < many; ++i) {
    s.spawn([](int& n) -> task<> {
      co_await yield_now();
      ++n;
    }(ended));
  }
  EXPECT_LE((frame_pool::mine().bytes() - before) / many, 96u);
  s.run();
  EXPECT_EQ(ended, many);
}

/// Fails at its second look.
struct failing_source final : completion_source {
  explicit failing_source(scheduler& of) : home(of) { home.add(*this); }
  ~failing_source() override { home.remove(*this); }
  void poll() override {
    if (++looks == 2) throw std::bad_alloc();
  }
  [[nodiscard]] std::size_t pending() const noexcept override { return 0; }
  scheduler& home;
  int looks = 0;
};

TEST_F(tasks, AnErrorOfASourceEndsTheRunAndTheNextOneGoesOn) {
  scheduler s;
  failing_source source(s);
  std::string order;
  s.spawn(note(order, 'a', 5));
  s.spawn(note(order, 'b', 5));
  EXPECT_THROW(s.run(), std::bad_alloc);
  EXPECT_EQ(s.live(), 2u);
  s.run();
  EXPECT_EQ(s.live(), 0u);
  EXPECT_EQ(order.size(), 10u);
  EXPECT_GT(source.looks, 2);
}

}  // namespace
}  // namespace gossamer
