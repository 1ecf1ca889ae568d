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
#include "machine/run_lock.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

/// Threads beside the test's own; joined at the end, so declared before what they wait for.
class others {
 public:
  others() = default;
  ~others() { join(); }
  others(const others&) = delete;
  others& operator=(const others&) = delete;

  /// Whether `body`, in a thread of its own, ends while the caller keeps what it has.
  bool go_on(const std::function<void()>& body) { return ends(body, 20s); }
  bool wait(const std::function<void()>& body) { return !ends(body, 50ms); }
  void join() {
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  bool ends(const std::function<void()>& body, std::chrono::milliseconds limit) {
    auto done = std::make_shared<std::atomic<bool>>(false);
    threads_.emplace_back([body, done] {
      body();
      *done = true;
    });
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!*done && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return *done;
  }

  std::vector<std::thread> threads_;
};

void take_turn(gpu_use kind) {
  const run_turn turn(kind);
}
void run_alone() {
  take_turn(gpu_use::kernels_that_wait);
}
void run_to_the_end() {
  take_turn(gpu_use::kernels_that_end);
}
void take_pause() {
  const driver_pause pause;
}

TEST(DriverGate, ARunWhoseKernelsWaitIsAlone) {
  others beside;
  const run_turn turn(gpu_use::kernels_that_wait);
  for (const auto body : {run_alone, run_to_the_end, take_pause}) EXPECT_TRUE(beside.wait(body));
}

TEST(DriverGate, RunsWhoseKernelsEndGoOnBesideEachOtherAndPauses) {
  others beside;
  const run_turn turn(gpu_use::kernels_that_end);
  for (const auto body : {run_to_the_end, take_pause}) EXPECT_TRUE(beside.go_on(body));
  EXPECT_TRUE(beside.wait(run_alone));
  EXPECT_TRUE(beside.wait(run_to_the_end)) << "goes after the one that waits";
}

TEST(DriverGate, WhatARunThatGoesOnMayWaitForPassesThoseThatWait) {
  others beside;
  const run_turn turn(gpu_use::kernels_that_end);
  EXPECT_TRUE(beside.wait(run_alone));
  EXPECT_TRUE(beside.go_on(take_pause));
  EXPECT_TRUE(beside.go_on(run_to_the_end));
}

TEST(DriverGate, ARunWaitsForAPauseThatHasBegunAndLaterPausesForTheRun) {
  others beside;
  const driver_pause pause;
  EXPECT_TRUE(beside.go_on(take_pause));
  EXPECT_TRUE(beside.wait(run_alone));
  EXPECT_TRUE(beside.wait(take_pause));
}

TEST(DriverGate, RunsOneAfterTheOtherDoNotKeepOthersOut) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)  // one of them always waits
    threads.emplace_back([&] {
      while (!stop) {
        const run_turn turn(gpu_use::kernels_that_wait);
        std::this_thread::sleep_for(2ms);
      }
    });
  others beside;
  for (const auto body : {take_pause, run_to_the_end}) EXPECT_TRUE(beside.go_on(body));
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST(DriverGate, PausesOneAfterTheOtherDoNotKeepARunOut) {
  std::atomic<bool> stop{false};
  std::atomic<int> pauses{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop) {
        const driver_pause pause;
        ++pauses;
        std::this_thread::sleep_for(2ms);
      }
    });
  while (pauses < 3) std::this_thread::yield();
  others beside;
  EXPECT_TRUE(beside.go_on([] {
    for (int i = 0; i < 20; ++i) run_alone();
  }));
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST(DriverGate, ReturnsOneAfterTheOtherDoNotKeepARunOut) {
  std::atomic<bool> stop{false};
  static std::atomic<int> returned;
  returned = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop) {
        when_clear([](int, void*) noexcept { ++returned; }, 0, nullptr);
        std::this_thread::yield();
      }
    });
  while (returned < 3) std::this_thread::yield();
  others beside;
  EXPECT_TRUE(beside.go_on(run_alone));
  stop = true;
  for (std::thread& t : threads) t.join();
}

// Ten returns, each of which is made by another thread while the one before is done.
std::atomic<int> chained{0};
void chain(int, void*) noexcept {
  if (++chained < 10) std::thread([] { when_clear(chain, 0, nullptr); }).join();
}

TEST(DriverGate, WhatIsReturnedWhileARunGivesBackIsLeftToItsEnd) {
  chained = 0;
  std::atomic<int> at_its_begin{0};
  {
    others beside;
    const driver_pause pause;
    EXPECT_TRUE(beside.wait([&at_its_begin] {
      const run_turn turn(gpu_use::kernels_that_wait);
      at_its_begin = chained.load();
    }));
    std::thread([] { when_clear(chain, 0, nullptr); }).join();  // left to the run that waits
    EXPECT_EQ(chained, 0);
  }
  EXPECT_EQ(at_its_begin, 1);
  EXPECT_EQ(chained, 10);
}

/// The calling thread as one of a run that has its turn.
struct in_run {
  run_in_progress run;
  belongs_to inside{run};
};

TEST(DriverGate, ThreadsOfARunPass) {
  others beside;
  const run_turn turn(gpu_use::kernels_that_wait);
  const in_run mine{{nullptr, gpu_use::kernels_that_wait, nullptr}};
  const auto all = {run_alone, run_to_the_end, take_pause};
  for (const auto body : all) body();  // a run within a run
  EXPECT_TRUE(beside.go_on([&] {
    const belongs_to too(mine.run);
    for (const auto body : all) body();
  }));
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
  run_alone();
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

TEST(DriverGate, WhatAThreadReturnedIsDoneBeforeItTakesMore) {
  static std::atomic<bool> done;
  const auto slow = [](int, void*) noexcept {
    std::this_thread::sleep_for(5ms);
    done = true;
  };
  for (int i = 0; i < 10; ++i) {
    done = false;
    others beside;
    const run_turn turn(gpu_use::kernels_that_wait);
    EXPECT_TRUE(beside.wait([&] {
      when_clear(slow, 0, nullptr);
      const driver_pause pause;
      EXPECT_TRUE(done);
    }));
  }
}

/// Whether Waiter(arguments..., stop) ends because of the stop.
template <class Waiter, class... Arguments>
bool cancelled(const std::stop_source& stop, Arguments... arguments) {
  try {
    const Waiter mine(arguments..., stop.get_token());
  } catch (const cancelled_error& e) {
    return std::string(e.what()).find("another run has the GPUs") != std::string::npos;
  }
  return false;
}

TEST(DriverGate, AStopEndsEveryWait) {
  std::stop_source stop;
  std::atomic<int> ended{0};
  {
    others beside;
    const run_turn turn(gpu_use::kernels_that_wait);
    for (const gpu_use kind : {gpu_use::kernels_that_wait, gpu_use::kernels_that_end})
      EXPECT_TRUE(beside.wait([&, kind] { ended += cancelled<run_turn>(stop, kind); }));
    EXPECT_TRUE(beside.wait([&] { ended += cancelled<driver_pause>(stop); }));
    stop.request_stop();
    beside.join();
    EXPECT_EQ(ended, 3);
  }
  run_to_the_end();  // who gave up left nothing behind
  run_alone();
}

/// What Waiter(arguments...) says when it gives up; "" when it does not.
template <class Waiter, class... Arguments>
std::string given_up(const Arguments&... arguments) {
  try {
    const Waiter mine(arguments...);
  } catch (const rank_error& e) {
    return (e.timed_out() ? "timed out: " : "") + std::string(e.what());
  }
  return "";
}

TEST(DriverGate, ARunThatMakesNoProgressIsGivenUpAndNamed) {
  const run_signs stuck("cuda:0*2", 20ms), mine("cuda:1", 30ms);
  const std::stop_token never;
  for (const gpu_use has : {gpu_use::kernels_that_wait, gpu_use::kernels_that_end}) {
    const run_turn turn(has, never, &stuck);
    std::string said;
    std::thread([&] {
      said = given_up<run_turn>(gpu_use::kernels_that_wait, never, &mine);
    }).join();
    EXPECT_EQ(said.rfind("timed out: machine 'cuda:1': waited for the GPUs, which a run of machine "
                         "'cuda:0*2' has that has made no progress for 1.",
                         0),
              0u)
        << said;
  }
  run_to_the_end();  // who gave up left nothing behind
  run_alone();
}

TEST(DriverGate, ARunThatMakesProgressIsWaitedFor) {
  run_signs works("cuda:0*2", 10ms);
  std::atomic<std::uint64_t> beats{0};
  works.follow([&] { return beats.load(); });
  const run_signs mine("cuda:1", 10ms);
  const std::stop_token never;
  others beside;
  std::atomic<int> done{0};
  {
    const run_turn turn(gpu_use::kernels_that_wait, never, &works);
    for (const gpu_use kind : {gpu_use::kernels_that_wait, gpu_use::kernels_that_end})
      EXPECT_TRUE(
          beside.wait([&, kind] { done += given_up<run_turn>(kind, never, &mine).empty(); }));
    const auto end = std::chrono::steady_clock::now() + 1500ms;  // more than 2 x 10 ms and a second
    for (; std::chrono::steady_clock::now() < end; ++beats) std::this_thread::sleep_for(2ms);
    EXPECT_EQ(done, 0);
  }
  beside.join();
  EXPECT_EQ(done, 2);
}

TEST(DriverGate, ARunWhoseProgramWaitsForOneThatWorksIsNotStuck) {
  run_signs works("cuda:0*2", 10ms);
  const run_signs outer("cpu:1", 10ms), mine("cpu:1", 10ms), inner("cuda:1", 10ms);
  const std::stop_token never;
  others beside;
  run_lock machine;
  std::atomic<int> done{0};
  {
    const run_turn turn(gpu_use::kernels_that_wait, never, &works);
    EXPECT_TRUE(beside.wait([&] {
      const run_lock::hold held(machine, outer, never);
      const run_in_progress run{&machine, gpu_use::none, nullptr, &outer};
      const belongs_to inside(run);
      done += given_up<run_turn>(gpu_use::kernels_that_end, never, &inner).empty();
    }));
    EXPECT_TRUE(beside.wait([&] {
      done += given_up<run_lock::hold>(std::ref(machine), std::cref(mine), never).empty();
    }));
    const auto end = std::chrono::steady_clock::now() + 1500ms;
    for (; std::chrono::steady_clock::now() < end; works.alive()) std::this_thread::sleep_for(2ms);
    EXPECT_EQ(done, 0);
  }
  beside.join();
  EXPECT_EQ(done, 2);
}

TEST(DriverGate, WhatIsLeftToARunThatGivesUpIsReturned) {
  static int value = 1;
  given_back = 0;
  std::stop_source stop;
  others beside;
  const driver_pause pause;
  EXPECT_TRUE(
      beside.wait([&] { EXPECT_TRUE(cancelled<run_turn>(stop, gpu_use::kernels_that_wait)); }));
  std::thread([] { when_clear(note, 1, &value); }).join();
  EXPECT_EQ(given_back, 0) << "goes after the run that waits";
  stop.request_stop();
  beside.join();
  EXPECT_EQ(given_back, 2);
}

TEST(DriverGate, ManyThreadsNeverOverlapARunWhoseKernelsWait) {
  std::atomic<int> alone{0}, beside{0}, wrong{0}, returned{0};
  static std::atomic<int>* count = &returned;
  const auto among_others = [&] {
    ++beside;
    wrong += alone != 0;
    --beside;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        if (t < 2) {
          const run_turn turn(gpu_use::kernels_that_wait);
          wrong += alone++ != 0 || beside != 0;
          std::this_thread::yield();
          --alone;
        } else if (t < 4) {
          const run_turn turn(gpu_use::kernels_that_end);
          among_others();
        } else {
          const driver_pause pause;
          among_others();
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
