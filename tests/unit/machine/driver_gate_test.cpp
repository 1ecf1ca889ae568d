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

void take_turn(gpu_use kind) {
  const run_turn turn(kind);
}
void take_pause() {
  const driver_pause pause;
}

TEST(DriverGate, ARunWhoseKernelsWaitIsAlone) {
  std::thread a, b, c;
  {
    const run_turn turn(gpu_use::kernels_that_wait);
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_wait); }, a));
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_end); }, b));
    EXPECT_TRUE(waits(take_pause, c));
  }
  for (std::thread* t : {&a, &b, &c}) t->join();
}

TEST(DriverGate, RunsWhoseKernelsEndGoOnBesideEachOtherAndPauses) {
  std::thread a, b, c;
  {
    const run_turn turn(gpu_use::kernels_that_end);
    EXPECT_TRUE(goes_on([] { take_turn(gpu_use::kernels_that_end); }, a));
    EXPECT_TRUE(goes_on(take_pause, b));
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_wait); }, c));
  }
  for (std::thread* t : {&a, &b, &c}) t->join();
}

TEST(DriverGate, ARunWaitsForAPauseThatHasBegunAndLaterPausesForTheRun) {
  std::thread earlier, run, later;
  {
    const driver_pause pause;
    EXPECT_TRUE(goes_on(take_pause, earlier));
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_wait); }, run));
    EXPECT_TRUE(waits(take_pause, later));
  }
  for (std::thread* t : {&earlier, &run, &later}) t->join();
}

TEST(DriverGate, ARunThatWaitsGoesBeforeThoseThatHaveNotBegun) {
  std::thread first, later, pause;
  {
    const run_turn turn(gpu_use::kernels_that_end);
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_wait); }, first));
    EXPECT_TRUE(waits([] { take_turn(gpu_use::kernels_that_end); }, later));
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
        for (int i = 0; i < 20; ++i) take_turn(gpu_use::kernels_that_wait);
      },
      a));
  stop = true;
  a.join();
  for (std::thread& t : others) t.join();
}

TEST(DriverGate, ReturnsOneAfterTheOtherDoNotKeepARunOut) {
  std::atomic<bool> stop{false};
  static std::atomic<int> returned;
  returned = 0;
  std::vector<std::thread> others;
  for (int t = 0; t < 3; ++t)
    others.emplace_back([&] {
      while (!stop) {
        when_clear(
            [](int, void*) noexcept {
              ++returned;
              std::this_thread::sleep_for(2ms);
            },
            0, nullptr);
        std::this_thread::yield();
      }
    });
  while (returned < 3) std::this_thread::yield();
  std::thread a;
  EXPECT_TRUE(goes_on([] { take_turn(gpu_use::kernels_that_wait); }, a));
  stop = true;
  a.join();
  for (std::thread& t : others) t.join();
}

/// The calling thread as one of a run that has its turn.
struct in_run {
  run_in_progress run;
  belongs_to inside{run};
};

TEST(DriverGate, ThreadsOfARunPass) {
  std::thread of_the_run;
  const run_turn turn(gpu_use::kernels_that_wait);
  const in_run mine{{nullptr, gpu_use::kernels_that_wait, nullptr}};
  take_turn(gpu_use::kernels_that_wait);  // a run within a run
  take_pause();
  EXPECT_TRUE(goes_on(
      [&mine] {
        const belongs_to too(mine.run);
        take_turn(gpu_use::kernels_that_wait);
        take_turn(gpu_use::kernels_that_end);
        take_pause();
      },
      of_the_run));
  of_the_run.join();
}

TEST(DriverGate, KernelsThatWaitBeginNowhereElse) {
  const auto refused = [] {
    try {
      take_turn(gpu_use::kernels_that_wait);
    } catch (const usage_error& e) {
      return std::string(e.what()).find("cannot begin inside a run of one GPU") !=
             std::string::npos;
    }
    return false;
  };
  {
    const run_turn turn(gpu_use::kernels_that_end);
    const in_run mine{{nullptr, gpu_use::kernels_that_end, nullptr}};
    EXPECT_TRUE(refused());
    take_turn(gpu_use::kernels_that_end);
    take_pause();
  }
  {
    const driver_pause pause;
    EXPECT_TRUE(refused());
    take_turn(gpu_use::kernels_that_end);
    take_pause();
  }
  EXPECT_EQ(thread_runs(), nullptr);
  take_turn(gpu_use::kernels_that_wait);
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
    const run_turn turn(gpu_use::kernels_that_wait);
    const in_run mine{{nullptr, gpu_use::kernels_that_wait, nullptr}};
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
  const run_turn turn(gpu_use::kernels_that_end);
  std::thread([] { when_clear(note, 2, &value); }).join();
  EXPECT_EQ(given_back, 174);
}

TEST(DriverGate, AStopEndsTheWaitForATurn) {
  for (const gpu_use kind : {gpu_use::kernels_that_wait, gpu_use::kernels_that_end}) {
    std::stop_source stop;
    std::atomic<int> cancelled{0};
    std::thread waiting;
    {
      const run_turn turn(gpu_use::kernels_that_wait);
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
    take_turn(gpu_use::kernels_that_end);  // who gave up left nothing behind
    take_turn(gpu_use::kernels_that_wait);
  }
}

TEST(DriverGate, AStopEndsTheWaitForAPause) {
  std::stop_source stop;
  std::atomic<bool> cancelled{false};
  std::thread waiting;
  const run_turn turn(gpu_use::kernels_that_wait);
  EXPECT_TRUE(waits(
      [&] {
        try {
          const driver_pause pause(stop.get_token());
        } catch (const cancelled_error&) {
          cancelled = true;
        }
      },
      waiting));
  stop.request_stop();
  waiting.join();
  EXPECT_TRUE(cancelled);
}

TEST(DriverGate, WhatIsLeftToARunThatGivesUpIsReturned) {
  static int value = 1;
  given_back = 0;
  std::stop_source stop;
  std::thread waiting;
  const auto give_up = [&] {
    try {
      const run_turn mine(gpu_use::kernels_that_wait, stop.get_token());
    } catch (const cancelled_error&) {
    }
  };
  {
    const driver_pause pause;
    EXPECT_TRUE(waits(give_up, waiting));
    std::thread([] { when_clear(note, 1, &value); }).join();
    EXPECT_EQ(given_back, 0) << "goes after the run that waits";
    stop.request_stop();
    waiting.join();
    EXPECT_EQ(given_back, 2);
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
          const run_turn turn(gpu_use::kernels_that_wait);
          wrong += alone++ != 0 || others != 0;
          std::this_thread::yield();
          --alone;
        } else if (t < 4) {
          const run_turn turn(gpu_use::kernels_that_end);
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
