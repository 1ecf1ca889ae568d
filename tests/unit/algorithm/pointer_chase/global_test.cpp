// Pointer chasing over the global heap: arrivals, rates of a modelled network, and refusals.
#include "gossamer/algorithm/global_chase.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

TEST(global_chase, ArrivesOnAnyMachine) {
  for (const char* spec : {"cpu:2x1", "cpu:3x1", "sim:grappa,ranks=2", "sim:grappa,ranks=7"})
    for (const int in_flight : {1, 5, 300}) {
      SCOPED_TRACE(std::string(spec) + ", " + std::to_string(in_flight));
      machine m = machine::open(spec);
      // A list of few nodes is gone round more than once.
      const auto r = chase_global(m, {.in_flight = in_flight, .references = 2000, .nodes = 101});
      const std::int64_t steps = (2000 + in_flight - 1) / in_flight;
      EXPECT_EQ(r.references, steps * in_flight * m.size());
      EXPECT_GT(r.seconds, 0);
      EXPECT_DOUBLE_EQ(r.rate, static_cast<double>(r.references) / r.seconds);
      EXPECT_GT(r.parcels, 0);
      EXPECT_GE(r.messages_a_parcel, 1);
    }
}

TEST(global_chase, ByEachManager) {
  machine cpu = machine::open("cpu:2x1");
  EXPECT_GT(chase_global(cpu, {.references = 3000, .manager = chase_manager::thread}).rate, 0);
  machine sim = machine::open("sim:grappa,ranks=2");
  const auto soft = chase_global(sim, {.in_flight = 2000, .references = 100'000});
  const auto hard = chase_global(
      sim, {.in_flight = 2000, .references = 100'000, .manager = chase_manager::hardware});
  EXPECT_GT(hard.rate, 1.05 * soft.rate) << "the core's time has gone";
}

/// Paper D's round trip and message rate, with nothing else that takes time: no bandwidth limits,
/// no memory.
std::string network_alone(int ranks) {
  return "sim:grappa,ranks=" + std::to_string(ranks) +
         ",network.bandwidth=1e15,network.port_bandwidth=1e15,transfer.message.bandwidth=1e15,"
         "kernel.bandwidth=1e15";
}

TEST(global_chase, ThreeHundredUnderWayAreAHundredMillionASecond) {
  machine m = machine::open(network_alone(2));
  const auto r = chase_global(m, {.in_flight = 300, .references = 300'000});
  EXPECT_NEAR(r.rate / m.size(), 100e6, 10e6);
}

TEST(global_chase, FollowsLittlesLawBelow) {
  machine m = machine::open(network_alone(2));
  for (const int in_flight : {1, 10, 100}) {
    const auto r = chase_global(m, {.in_flight = in_flight, .references = in_flight * 1000});
    EXPECT_NEAR(r.rate / m.size(), in_flight / 3e-6, 0.1 * in_flight / 3e-6) << in_flight;
  }
}

TEST(global_chase, RefusesWhatMakesNoSense) {
  machine one = machine::open("cpu:1x1"), two = machine::open("cpu:2x1"),
          sim = machine::open("sim:grappa,ranks=2");
  const auto text = [](machine& m, const global_chase_options& o) -> std::string {
    return message_of<usage_error>([&] { chase_global(m, o); });
  };
  EXPECT_NE(text(one, {}).find("two ranks at least"), std::string::npos);
  EXPECT_NE(text(two, {.in_flight = 0}).find("must be positive"), std::string::npos);
  EXPECT_NE(text(two, {.references = -1}).find("must be positive"), std::string::npos);
  EXPECT_NE(text(two, {.nodes = 0}).find("must be positive"), std::string::npos);
  EXPECT_NE(text(two, {.manager = chase_manager::hardware}).find("a hardware unit is modelled"),
            std::string::npos);
  EXPECT_NE(text(sim, {.manager = chase_manager::thread}).find("modelled machines have no threads"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer
