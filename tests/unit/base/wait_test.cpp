// backoff: when it reports a slow call, and that a waiter stops burning its core.
#include "gossamer/base/wait.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>

namespace {

using gossamer::backoff;
using gossamer::steady;

TEST(backoff, spins_without_a_slow_call_until_the_last_spin) {
  backoff wait(100);
  for (int i = 1; i < 100; ++i) EXPECT_FALSE(wait.pause()) << i;
  EXPECT_TRUE(wait.pause());
}

TEST(backoff, without_spins_it_yields_at_once) {
  backoff wait(0);
  int slow = 0;
  for (int i = 0; i < 200; ++i) slow += wait.pause();
  EXPECT_GE(slow, 1);
  EXPECT_LT(slow, 200);
}

TEST(backoff, sleeps_in_the_end_and_every_sleep_is_a_slow_call) {
  backoff wait(10);
  for (int i = 0; i < 10 + 200; ++i) wait.pause();
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(wait.pause());
}

std::chrono::nanoseconds thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

TEST(backoff, a_long_wait_leaves_the_core_to_others) {
  backoff wait;
  const auto wall = steady::now();
  const auto cpu = thread_time();
  while (steady::now() - wall < std::chrono::milliseconds(200)) wait.pause();
  EXPECT_LT(thread_time() - cpu, std::chrono::milliseconds(150));
}

}  // namespace
