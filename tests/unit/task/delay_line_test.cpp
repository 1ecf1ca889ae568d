// Delays: never shorter than asked for, one beside the other, and no sign of a deadlock meanwhile.
#include "gossamer/task/delay_line.hpp"

#include <gtest/gtest.h>

#include "gossamer/task/task_group.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

task<> pass(delay_line& line, int times, std::chrono::nanoseconds& shortest) {
  for (int i = 0; i < times; ++i) {
    const auto begin = steady::now();
    co_await line.pass();
    shortest = std::min<std::chrono::nanoseconds>(shortest, steady::now() - begin);
  }
}

TEST(delay_line, DelaysAllAtTheSameTime) {
  scheduler s;
  delay_line line(s, 20ms, 100);
  auto shortest = std::chrono::nanoseconds::max();
  const auto begin = steady::now();
  for (int t = 0; t < 100; ++t) s.spawn(pass(line, 3, shortest));
  s.run();
  EXPECT_GE(shortest, 20ms);
  // 300 delays of 20 ms, one after the other, take 6 s.
  EXPECT_GE(steady::now() - begin, 60ms);
  EXPECT_LT(steady::now() - begin, 3s);
  EXPECT_EQ(line.pending(), 0u);
}

task<> turns(bool& done, int& n) {
  while (!done) {
    ++n;
    co_await yield_now();
  }
}
task<> pass_once(delay_line& line, bool& done) {
  co_await line.pass();
  done = true;
}

TEST(delay_line, OthersRunMeanwhile) {
  scheduler s;
  delay_line line(s, 5ms, 1);
  bool done = false;
  int n = 0;
  s.spawn(pass_once(line, done));
  s.spawn(turns(done, n));
  s.run();
  EXPECT_GT(n, 1000);
}

TEST(delay_line, HasRoomForSoMany) {
  scheduler s;
  EXPECT_THROW(delay_line(s, 1ms, 0), usage_error);
  delay_line line(s, 1ms, 2);
  auto shortest = std::chrono::nanoseconds::max();
  for (int t = 0; t < 3; ++t) s.spawn(pass(line, 1, shortest));
  try {
    s.run();
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "delay_line: more operations than it was made for");
  }
}

}  // namespace
}  // namespace gossamer
