// The executor suite on CPU teams, and what only a team promises: how many threads it takes.
#include "gossamer/machine/executor.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "unit/machine/executor_suite.hpp"

namespace gossamer::testing {

template <int Threads>
struct cpu_fixture {
  static const char* missing() { return nullptr; }
  static cpu_team on() { return {Threads}; }
  static void finish() {}
  static memory_kind memory() { return memory_kind::host; }
  static int ordinal() { return -1; }
};

using cpu_fixtures = ::testing::Types<cpu_fixture<1>, cpu_fixture<2>, cpu_fixture<3>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, executor_suite, cpu_fixtures);

namespace {

struct note_thread {
  std::mutex* lock;
  std::set<std::thread::id>* seen;
  void operator()(std::int64_t) const {
    const std::lock_guard guard(*lock);
    seen->insert(std::this_thread::get_id());
  }
};

std::set<std::thread::id> threads_of(int team, std::int64_t n) {
  std::mutex lock;
  std::set<std::thread::id> seen;
  for_each(cpu_team{team}, n, note_thread{&lock, &seen});
  return seen;
}

TEST(CpuTeam, OneThreadIsTheCaller) {
  EXPECT_EQ(threads_of(1, 1000), std::set{std::this_thread::get_id()});
}

TEST(CpuTeam, OneIterationOpensNoParallelRegion) {
  EXPECT_EQ(threads_of(4, 1), std::set{std::this_thread::get_id()});
}

TEST(CpuTeam, TakesNoMoreThreadsThanItHas) {
  EXPECT_LE(threads_of(3, 3000).size(), 3U);
  EXPECT_TRUE(threads_of(3, 3000).contains(std::this_thread::get_id()));
}

}  // namespace
}  // namespace gossamer::testing
