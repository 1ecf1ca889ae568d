// backoff: when it reports a slow call, that a waiter stops burning its core, and can be woken.
#include "gossamer/base/wait.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace {

using gossamer::backoff;
using gossamer::resting_place;
using gossamer::std_atomics;
using gossamer::steady;
using gossamer::watchful_clock;

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

TEST(watchful_clock, counts_what_was_watched_and_an_eighth_of_the_deadline_for_what_was_not) {
  using namespace std::chrono;
  const milliseconds deadline(80);
  watchful_clock clock(deadline);
  std::this_thread::sleep_for(2 * deadline);  // as one that was stopped
  EXPECT_EQ(clock.look(), deadline / 8);
  const auto begun = steady::now();
  nanoseconds watched{};
  while ((watched = clock.look()) < deadline) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_GE(steady::now() - begun, deadline * 7 / 8);
}

TEST(sleep_on, returns_at_once_when_the_word_has_changed_and_in_time_when_nobody_wakes) {
  std::uint32_t word = 1;
  gossamer::sleep_on(word, 0, std::chrono::hours(1));
  for (int i = 0; i < 3; ++i) gossamer::sleep_on(word, 1, std::chrono::milliseconds(1));
}

TEST(sleep_on, ends_when_woken) {
  std::uint32_t word = 0;
  std::thread sleeper([&] {
    while (std_atomics::load_acquire(word) == 0) gossamer::sleep_on(word, 0, std::chrono::hours(1));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std_atomics::store_release(word, 1u);
  gossamer::wake_sleepers(word);
  sleeper.join();
}

TEST(resting_place, waking_nobody_does_nothing) {
  resting_place place;
  place.wake();
  backoff wait(0, &place);
  place.wake();
  for (int i = 0; i < 20; ++i) {
    wait.pause();
    place.wake();
  }
}

// Two threads hand plain data to each other, asleep almost every time: no wake-up is needed for
// the result, and none does harm.
TEST(resting_place, carries_turns_between_threads) {
  constexpr std::uint32_t rounds = 2000;
  resting_place places[2];
  std::uint32_t turn = 0;
  int data = 0;
  auto play = [&](std::uint32_t me) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint32_t mine = 2 * round + me;
      for (backoff wait(0, &places[me]); std_atomics::load_acquire(turn) != mine;) wait.pause();
      ++data;
      std_atomics::store_release(turn, mine + 1);
      places[1 - me].wake();
    }
  };
  std::thread other(play, 1u);
  play(0);
  other.join();
  EXPECT_EQ(data, 2 * static_cast<int>(rounds));
}

// A wait inside another one's condition, on the same place.
TEST(resting_place, serves_nested_waits) {
  resting_place place;
  std::uint32_t outer = 0, inner = 0;
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= 200; ++i) {
      std_atomics::store_release(inner, i);
      place.wake();
      std::this_thread::yield();
    }
    std_atomics::store_release(outer, 1u);
    place.wake();
  });
  std::uint32_t seen = 0;
  for (backoff wait(0, &place); std_atomics::load_acquire(outer) == 0; wait.pause()) {
    if (seen == 200) continue;
    ++seen;
    for (backoff nested(0, &place); std_atomics::load_acquire(inner) < seen;) nested.pause();
  }
  other.join();
  EXPECT_EQ(std_atomics::load_acquire(inner), 200u);
}

}  // namespace
