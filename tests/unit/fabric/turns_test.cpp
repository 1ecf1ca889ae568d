// Runs of several GPU ranks beside other threads of the process, which take and return GPU memory
// only when no such run goes on. On a GPU, or on the stand-in of tests/fake_gpu: no kernel is
// needed. What real kernels do meanwhile is in tests/unit/algorithm/beside_other_threads_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "gossamer/base/memory_use.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/memory.hpp"
#include "run_beside.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using block = buffer<std::byte>;
constexpr std::size_t bytes = 1 << 20;

class Turns : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  }
  /// Until `what` holds, within 20 s.
  static bool comes(const std::function<bool()>& what) {
    for (int i = 0; i < 20000 && !what(); ++i) std::this_thread::sleep_for(1ms);
    return what();
  }
};

TEST_F(Turns, OtherThreadsTakeAndReturnMemoryWhenARunOfSeveralRanksHasEnded) {
  const auto before = memory_in_use(0).now;
  machine m = machine::open("cuda:0*2");
  m.run([](rank&) {});  // its arenas are taken
  const auto arenas = memory_in_use(0).now - before;
  std::optional<block> mine(std::in_place, memory_kind::device, 0, bytes);
  std::atomic<bool> running{false}, returned{false}, go_on{false};
  std::atomic<std::int64_t> taken_at{0}, ended_at{0};
  std::atomic<int> clock{0};
  std::thread taker;
  std::thread other([&] {
    ASSERT_TRUE(comes([&] { return running.load(); }));
    mine.reset();  // does not wait
    returned = true;
    taker = std::thread([&] {
      const block later(memory_kind::device, 0, bytes);
      taken_at = ++clock;
    });
    std::this_thread::sleep_for(50ms);
    go_on = true;
  });
  m.run([&](rank& r) {
    const block own(memory_kind::device, 0, bytes);  // ranks of the run pass
    running = true;
    EXPECT_TRUE(comes([&] { return go_on.load(); }));
    r.barrier();
    if (r.id() == 0) {
      EXPECT_TRUE(returned);
      EXPECT_EQ(taken_at, 0);
      EXPECT_EQ(memory_in_use(0).now - before - arenas, static_cast<std::int64_t>(3 * bytes))
          << "what another thread returned is the driver's again";
      ended_at = ++clock;
    }
    r.barrier();
  });
  other.join();
  taker.join();
  EXPECT_GT(taken_at, ended_at);
  EXPECT_EQ(memory_in_use(0).now - before - arenas, 0);
}

TEST_F(Turns, RunsOfSeveralGpuRanksTakeTurnsWhateverTheirMachines) {
  std::atomic<int> together{0}, most{0};
  const auto work = [&] {
    machine m = machine::open("cuda:0*2");
    for (int i = 0; i < 20; ++i)
      m.run([&](rank& r) {
        if (r.id() != 0) return;
        const int now = ++together;
        int seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) continue;
        std::this_thread::sleep_for(200us);
        --together;
      });
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  EXPECT_EQ(most, 1);
}

TEST_F(Turns, AStopEndsTheWaitForAnotherRun) {
  machine several = machine::open("cuda:0*2");
  // Opening a machine may switch peer access on, which waits: before the run.
  machine m = machine::open("cuda:0");
  const run_beside other(several);
  EXPECT_EQ(cancelled_while_waiting(m), "cancelled before it began: another run has the GPUs");
}

TEST_F(Turns, ARunOnTheCpuNeedsNone) {
  machine several = machine::open("cuda:0*2");
  const run_beside other(several);
  std::atomic<int> ran{0};
  machine::open("cpu:2x1").run([&](rank&) { ++ran; });
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace gossamer
