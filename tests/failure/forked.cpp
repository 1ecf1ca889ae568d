// A process made by fork() uses machines that its parent used: their threads are gone there.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/window.hpp"
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

}  // namespace
}  // namespace gossamer
