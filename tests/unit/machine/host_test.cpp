// host(): never more cores than the affinity mask, and bound threads see fewer.
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

TEST(Host, HasANameAndCores) {
  const auto found = host();
  EXPECT_FALSE(found.name.empty());
  EXPECT_GE(found.cores, 1);
  EXPECT_LE(found.cores, static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(Host, FollowsTheAffinityMask) {
  int cores = 0;
  std::thread([&] {
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    int first = 0;
    while (!CPU_ISSET(first, &set)) ++first;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    cores = host().cores;
  }).join();
  EXPECT_EQ(cores, 1);
}

TEST(Host, NoGpuHasAReason) {
  EXPECT_EQ(cuda_devices().empty(), !cuda_unavailable_reason().empty());
  EXPECT_EQ(cuda_reach(0, 0), reach::self);
}

TEST(Configuration, BindIsASwitch) {
  {
    const testing::scoped_variable off("GOSSAMER_BIND", "off");
    EXPECT_FALSE(configuration::bind_allowed());
  }
  {
    const testing::scoped_variable unset("GOSSAMER_BIND", nullptr);
    EXPECT_TRUE(configuration::bind_allowed());
  }
  const testing::scoped_variable bad("GOSSAMER_BIND", "maybe");
  try {
    configuration::bind_allowed();
    FAIL() << "accepted";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "GOSSAMER_BIND: expected on or off, got maybe");
  }
}

}  // namespace
}  // namespace gossamer
