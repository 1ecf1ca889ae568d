// Where rank threads run: disjoint cores for ranks that fill the host, and nothing otherwise.
#include "machine/binding.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/spec.hpp"
#include "machine/machine_state.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using testing::scoped_variable;

class Binding : public ::testing::Test {
 protected:
  const scoped_variable bind_{"GOSSAMER_BIND", nullptr};
  const scoped_variable omp_{"OMP_PROC_BIND", nullptr};
  const scoped_variable places_{"OMP_PLACES", nullptr};
  const scoped_variable gomp_{"GOMP_CPU_AFFINITY", nullptr};
  const std::string full_ = "cpu:" + std::to_string(host().cores) + "x1";
};

cpu_set_t mask_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

TEST_F(Binding, RanksThatFillTheHostGetCoresOfTheirOwn) {
  const auto m = machine::open(full_);
  auto& state = m.internals();
  if (!state.places.active()) GTEST_SKIP() << "no hwloc, or cores shared by a quota";
  const cpu_set_t before = mask_of_this_thread();
  std::vector<cpu_set_t> masks(static_cast<std::size_t>(m.size()));
  state.threads.run(
      [&](int rank) { masks[static_cast<std::size_t>(rank)] = mask_of_this_thread(); });
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const cpu_set_t& mask : masks) {
    EXPECT_EQ(CPU_COUNT(&mask), 1);
    CPU_OR(&all, &all, &mask);
  }
  EXPECT_EQ(CPU_COUNT(&all), m.size()) << "no core twice";
  const cpu_set_t after = mask_of_this_thread();
  EXPECT_TRUE(CPU_EQUAL(&before, &after)) << "the caller is left alone";
}

TEST_F(Binding, ATeamGetsARangeForAllItsThreads) {
  const auto m = machine::open("cpu");
  auto& state = m.internals();
  if (!state.places.active()) GTEST_SKIP() << "no hwloc, or cores shared by a quota";
  int cores = 0;
  state.threads.run([&](int) {
    const cpu_set_t mask = mask_of_this_thread();
    cores = CPU_COUNT(&mask);
  });
  EXPECT_EQ(cores, m[0].threads);
}

TEST_F(Binding, TooManyOrTooFewThreadsStayFree) {
  EXPECT_FALSE(binding(resolve_spec("cpu:" + std::to_string(host().cores + 1) + "x1")).active());
  if (host().cores < 2) return;
  EXPECT_FALSE(binding(resolve_spec("cpu:1x1")).active());
}

TEST_F(Binding, DoesWithoutWhereTheAddressSpaceIsNearlyFull) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const auto spec = resolve_spec(full_);
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit tight{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 19),
                     before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const bool active = binding(spec).active();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_FALSE(active);
}

TEST_F(Binding, CanBeSwitchedOff) {
  const scoped_variable off("GOSSAMER_BIND", "off");
  EXPECT_FALSE(binding(resolve_spec(full_)).active());
}

TEST_F(Binding, LeavesOpenMpsOwnPlacementAlone) {
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
    const scoped_variable set(name, "true");
    EXPECT_FALSE(binding(resolve_spec(full_)).active()) << name;
  }
}

}  // namespace
}  // namespace gossamer
