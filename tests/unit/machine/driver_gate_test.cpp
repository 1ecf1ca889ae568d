// driver_gate: who waits for whom, for every pair of its table, and that nobody waits for ever.
#include "machine/driver_gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using kernels = gpu_kernels;

/// Whether `body`, in a thread of its own, ends within `limit` while the caller keeps what it has;
/// the thread is left to `rest`, which the caller joins after it has given that up.
bool ends(const std::function<void()>& body, std::thread& rest, std::chrono::milliseconds limit) {
  auto done = std::make_shared<std::atomic<bool>>(false);
  rest = std::thread([body, done] {
    body();
    *done = true;
  });
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!*done && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  return *done;
}
bool goes_on(const std::function<void()>& body, std::thread& rest) {
  return ends(body, rest, 20s);
}
bool waits(const std::function<void()>& body, std::thread& rest) {
  return !ends(body, rest, 50ms);
}

void take_turn(kernels kind) {
  const run_turn turn(kind);
}
void take_pause() {
  const driver_pause pause;
}

TEST(DriverGate, ARunWhoseKernelsWaitIsAlone) {
  std::thread a, b, c;
  {
    const run_turn turn(kernels::wait_for_each_other);
    EXPECT_TRUE(waits([] { take_turn(kernels::wait_for_each_other); }, a));
    EXPECT_TRUE(waits([] { take_turn(kernels::end_by_themselves); }, b));
    EXPECT_TRUE(waits(take_pause, c));
  }
  for (std::thread* t : {&a, &b, &c}) t->join();
}

TEST(DriverGate, RunsWhoseKernelsEndGoOnBesideEachOtherAndPauses) {
  std::thread a, b, c;
  {
    const run_turn turn(kernels::end_by_themselves);
    EXPECT_TRUE(goes_on([] { take_turn(kernels::end_by_themselves); }, a));
    EXPECT_TRUE(goes_on(take_pause, b));
    EXPECT_TRUE(waits([] { take_turn(kernels::wait_for_each_other); }, c));
  }
  for (std::thread* t : {&a, &b, &c}) t->join();
}

TEST(DriverGate, ARunWaitsForAPauseThatHasBegunAndLaterPausesForTheRun) {
  std::thread earlier, run, later;
  {
    const driver_pause pause;
    EXPECT_TRUE(goes_on(take_pause, earlier));
    EXPECT_TRUE(waits([] { take_turn(kernels::wait_for_each_other); }, run));
    EXPECT_TRUE(waits(take_pause, later));
  }
  for (std::thread* t : {&earlier, &run, &later}) t->join();
}

TEST(DriverGate, ARunThatWaitsGoesBeforeThoseThatHaveNotBegun) {
  std::thread first, later, pause;
  {
    const run_turn turn(kernels::end_by_themselves);
    EXPECT_TRUE(waits([] { take_turn(kernels::wait_for_each_other); }, first));
    EXPECT_TRUE(waits([] { take_turn(kernels::end_by_themselves); }, later));
    EXPECT_TRUE(goes_on(take_pause, pause));  // the run that goes on may need it
  }
  for (std::thread* t : {&first, &later, &pause}) t->join();
}

TEST(DriverGate, PausesOneAfterTheOtherDoNotKeepARunOut) {
  std::atomic<bool> stop{false};
  std::atomic<int> pauses{0};
  std::vector<std::thread> others;
  for (int t = 0; t < 3; ++t)
    others.emplace_back([&] {
      while (!stop) {
        const driver_pause pause;
        ++pauses;
        std::this_thread::sleep_for(2ms);
      }
    });
  while (pauses < 3) std::this_thread::yield();
  std::thread a;
  EXPECT_TRUE(goes_on(
      [] {
        for (int i = 0; i < 20; ++i) take_turn(kernels::wait_for_each_other);
      },
      a));
  stop = true;
  a.join();
  for (std::thread& t : others) t.join();
}

TEST(DriverGate, ThreadsOfARunPassEverywhere) {
  std::thread of_the_run;
  const run_turn turn(kernels::wait_for_each_other);
  take_turn(kernels::wait_for_each_other);  // a run within a run
  take_pause();
  EXPECT_TRUE(goes_on(
      [] {
        const inside_run mine;
        take_turn(kernels::wait_for_each_other);
        take_turn(kernels::end_by_themselves);
        take_pause();
      },
      of_the_run));
  of_the_run.join();
}

std::atomic<int> given_back{0};
void note(int ordinal, void* what) noexcept {
  given_back += ordinal + *static_cast<int*>(what);
}
void note_twice(int ordinal, void* what) noexcept {
  note(ordinal, what);
  when_clear(note, ordinal, what);
}

TEST(DriverGate, WhatIsReturnedBesideARunIsLeftToItsEnd) {
  static int value = 10;
  given_back = 0;
  {
    const run_turn turn(kernels::wait_for_each_other);
    std::thread other([] {
      when_clear(note, 3, &value);
      when_clear(note_twice, 4, &value);
    });
    other.join();  // it did not wait
    EXPECT_EQ(given_back, 0);
    when_clear(note, 100, &value);  // the run's own thread
    EXPECT_EQ(given_back, 110);
  }
  EXPECT_EQ(given_back, 110 + 13 + 14 + 14);
  when_clear(note, 1, &value);
  EXPECT_EQ(given_back, 162);
  const run_turn turn(kernels::end_by_themselves);
  std::thread([] { when_clear(note, 2, &value); }).join();
  EXPECT_EQ(given_back, 174);
}

TEST(DriverGate, AStopEndsTheWaitForATurn) {
  for (const kernels kind : {kernels::wait_for_each_other, kernels::end_by_themselves}) {
    std::stop_source stop;
    std::atomic<int> cancelled{0};
    std::thread waiting;
    {
      const run_turn turn(kernels::wait_for_each_other);
      EXPECT_TRUE(waits(
          [&] {
            try {
              const run_turn mine(kind, stop.get_token());
            } catch (const cancelled_error& e) {
              cancelled +=
                  std::string(e.what()).find("another run has the GPUs") != std::string::npos;
            }
          },
          waiting));
      stop.request_stop();
      waiting.join();
      EXPECT_EQ(cancelled, 1);
    }
    take_turn(kernels::end_by_themselves);  // who gave up left nothing behind
    take_turn(kernels::wait_for_each_other);
  }
}

TEST(DriverGate, ManyThreadsNeverOverlapARunWhoseKernelsWait) {
  std::atomic<int> alone{0}, others{0}, wrong{0}, returned{0};
  static std::atomic<int>* count = &returned;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        if (t < 2) {
          const run_turn turn(kernels::wait_for_each_other);
          wrong += alone++ != 0 || others != 0;
          std::this_thread::yield();
          --alone;
        } else if (t < 4) {
          const run_turn turn(kernels::end_by_themselves);
          ++others;
          wrong += alone != 0;
          --others;
        } else {
          const driver_pause pause;
          ++others;
          wrong += alone != 0;
          --others;
        }
        when_clear([](int, void*) noexcept { ++*count; }, 0, nullptr);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(returned, 6 * 300);
}

}  // namespace
}  // namespace gossamer
