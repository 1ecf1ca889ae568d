// A process made by fork() uses machines that its parent used: their threads are gone there. And
// one that is stopped, as a whole, in a run.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/window.hpp"
#include "gossamer/machine/forks.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {
namespace {

/// What the child's body returned; -1 when it did not end within ten seconds.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
    }
    ::_exit(code);
  }
  for (int i = 0; i < 1000; ++i) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return -1;
}

/// Every rank adds its number to the next one's cell; the sum of what arrived.
int around(machine& m) {
  std::atomic<int> sum = 0;
  m.run([&](rank& r) {
    auto cells = r.make_window<int>(1);
    auto flag = r.make_signal();
    const int next = (r.id() + 1) % r.size();
    const int mine = r.id() + 1;
    r.put_signal(cells, next, 0, std::span(&mine, 1), flag, 1);
    r.wait_signal(flag, 1);
    sum += cells.local()[0];
  });
  return sum;
}

TEST(Forked, AMachineUsedBeforeRunsInTheChild) {
  for (const char* spec : {"cpu:1", "cpu:3", "cpu:2x2", "sim:peach2,ranks=2"}) {
    machine m = machine::open(spec);
    const int expected = around(m);
    EXPECT_EQ(in_child([&] { return around(m); }), expected) << spec;
    EXPECT_EQ(around(m), expected) << spec;
  }
}

TEST(Forked, AChildOfAChildAndOneThatNeverRuns) {
  machine m = machine::open("cpu:2");
  around(m);
  EXPECT_EQ(in_child([&] { return in_child([&] { return around(m); }); }), 3);
  EXPECT_EQ(in_child([&] {
              { const machine gone = std::move(m); }  // joins nobody
              return 7;
            }),
            7);
}

TEST(Forked, WhileAnotherThreadIsInARun) {
  machine m = machine::open("cpu:2");
  std::atomic<bool> inside = false, leave = false;
  std::thread other([&] {
    m.run([&](rank& r) {
      inside = true;
      while (!leave) {
        r.progress();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  });
  while (!inside) std::this_thread::yield();
  EXPECT_EQ(in_child([&] { return around(m); }), 3);
  leave = true;
  other.join();
  EXPECT_EQ(around(m), 3);
}

/// Counts how often what it guards was lost.
struct counted_call : call_lock {
  int lost = 0;

 private:
  void lose() noexcept override { ++lost; }
};

TEST(Forked, ACallOfAnotherThreadIsLostAndItsLockFree) {
  counted_call call;
  const auto lost_in_child = [&] {
    return in_child([&] {
      const std::lock_guard lock(call);
      return call.lost;
    });
  };
  EXPECT_EQ(lost_in_child(), 0);
  {
    std::mutex leave;
    leave.lock();
    std::atomic<bool> inside = false;
    std::thread other([&] {
      const std::lock_guard lock(call);
      inside = true;
      leave.lock();
    });
    while (!inside) std::this_thread::yield();
    EXPECT_EQ(lost_in_child(), 1);
    leave.unlock();
    other.join();
  }
  EXPECT_EQ(lost_in_child(), 0);
  EXPECT_EQ(call.lost, 0);
}

// Who is stopped (Ctrl-Z) has not waited meanwhile.
TEST(Stopped, ForLongerThanTheDeadlineOfItsWaits) {
  machine m = machine::open("cpu:2");
  const pid_t self = ::getpid();
  run_options options;
  options.deadline = std::chrono::milliseconds(1500);
  std::atomic<bool> continued = false;
  std::thread other([&] {
    const int code = in_child([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ::kill(self, SIGSTOP);
      std::this_thread::sleep_for(std::chrono::seconds(3));
      ::kill(self, SIGCONT);
      return 0;
    });
    EXPECT_EQ(code, 0);
    continued = true;
  });
  m.run(
      [&](rank& r) {
        auto flag = r.make_signal();
        if (r.id() == 1) return r.wait_signal(flag, 1);
        while (!continued) {  // it computes, and says so now and then
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
          r.progress();
        }
        r.raise(flag, 1, 1);
      },
      options);
  other.join();
}

}  // namespace
}  // namespace gossamer
