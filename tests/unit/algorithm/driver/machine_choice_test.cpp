// Machine auto and CPUs beside GPUs: these are those of tests/fake_gpu, and nothing runs.
#include "gossamer/algorithm/machine_choice.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/generators.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

class MachineChoice : public ::testing::Test {
 protected:
  const testing::scoped_variable standard_{"GOSSAMER_MACHINE", nullptr};
  const graph path_ = generate(parse_generator("path:30000"), {});
};

TEST_F(MachineChoice, AutoTakesCpusForWhatIsDeep) {
  const machine m = machine::open("auto");
  ASSERT_TRUE(m[0].is_cuda());
  const auto chosen = choose_machine(m, path_, "bfs");
  EXPECT_EQ(chosen.spec, "cpu");
  EXPECT_TRUE(chosen.reason.starts_with("cpu in place of 2 GPUs: a call is estimated at "))
      << chosen.reason;
  EXPECT_NE(chosen.reason.find(" us on a GPU, by some "), std::string::npos) << chosen.reason;
  EXPECT_EQ(choose_machine(m, path_, "sssp").spec, "cpu");
  EXPECT_EQ(choose_machine(m, path_, "strong_components").spec, "cpu");
}

TEST_F(MachineChoice, AutoTakesCpusForWhatIsSmall) {
  const machine m = machine::open("auto");
  const graph few = generate(parse_generator("road:10"), {});
  for (const char* algorithm :
       {"triangles", "core_numbers", "strong_components", "spanning_forest", "communities",
        "betweenness", "distances", "diameter", "random_walks"}) {
    const auto chosen = choose_machine(m, few, algorithm);
    EXPECT_EQ(chosen.spec, "cpu") << algorithm;
    EXPECT_NE(chosen.reason.find(" us on a GPU"), std::string::npos) << chosen.reason;
  }
  EXPECT_EQ(choose_machine(m, few, "cg").spec, "auto");
}

TEST_F(MachineChoice, AutoStaysForWhatIsFasterThere) {
  const machine m = machine::open("auto");
  const graph flat = generate(parse_generator("kron:14"), {});
  for (const char* algorithm :
       {"bfs", "sssp", "components", "pagerank", "triangles", "core_numbers", "strong_components",
        "spanning_forest", "communities", "distances", "cg"}) {
    const auto chosen = choose_machine(m, flat, algorithm);
    EXPECT_EQ(chosen.spec, "auto") << algorithm;
    EXPECT_EQ(chosen.reason, "") << algorithm;
  }
}

TEST_F(MachineChoice, WhatWasNamedStays) {
  for (const char* spec : {"cuda", "cuda:0", "cpu:1x1"})
    EXPECT_EQ(choose_machine(machine::open(spec), path_, "bfs").spec, spec);
  const testing::scoped_variable named("GOSSAMER_MACHINE", "cuda:0");
  EXPECT_EQ(choose_machine(machine::open("auto"), path_, "bfs").spec, "auto");
}

TEST_F(MachineChoice, AGraphOfAGpuStays) {
  graph there = path_;
  there.gpu = 0;
  EXPECT_EQ(choose_machine(machine::open("auto"), there, "bfs").spec, "auto");
}

}  // namespace
}  // namespace gossamer
