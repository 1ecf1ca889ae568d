// The machine that a test runs on, as a fixture; for algorithms, CPU specs or, with
// GOSSAMER_TEST_GPU, specs with GPUs. The environment variable GOSSAMER_TEST_MACHINES (specs
// separated by spaces) replaces the list.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/machine/device.hpp"
#include "gossamer/machine/machine.hpp"
#include "spec_name.hpp"

namespace gossamer::testing_machines {

#ifdef GOSSAMER_TEST_GPU
inline constexpr bool for_gpus = true;
#else
inline constexpr bool for_gpus = false;
#endif

/// What a program opens, which is for CPUs or for GPUs.
inline std::vector<std::string> cpus_or_gpus(std::vector<std::string> cpus,
                                             std::vector<std::string> gpus) {
  return for_gpus ? gpus : cpus;
}

inline std::vector<std::string> machine_specs() {
  std::vector<std::string> specs;
  if (const char* given = std::getenv("GOSSAMER_TEST_MACHINES")) {
    std::istringstream words(given);
    for (std::string word; words >> word;) specs.push_back(word);
    return specs;
  }
  return cpus_or_gpus({"cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "cpu:2x2", "cpu:5x1", "cpu:7",
                       "cpu:17x1", "sim:peach2,ranks=4"},
                      {"cuda:0", "cuda:0*3", "cpu:1x1+cuda:0", "cuda:0-1", "cuda:0-3"});
}

/// GPUs a host must have for a spec, the highest ordinal it names and one; 0 for CPU specs.
inline int gpus_of(const std::string& spec) {
  int needed = 0;
  for (auto at = spec.find("cuda"); at != std::string::npos; at = spec.find("cuda", at)) {
    needed = std::max(needed, 1);
    // cuda, cuda:2, cuda:0-3, cuda:0,2; what follows * is a number of ranks.
    for (at += 4; at < spec.size() && std::strchr(":-,0123456789", spec[at]) != nullptr; ++at)
      if (std::isdigit(static_cast<unsigned char>(spec[at])) &&
          !std::isdigit(static_cast<unsigned char>(spec[at - 1])))
        needed = std::max(needed, std::atoi(spec.c_str() + at) + 1);
  }
  return needed;
}

/// Why this host cannot open a spec: "" where it can.
inline std::string lacking(const std::string& spec) {
  const int needed = gpus_of(spec), there = static_cast<int>(cuda_devices().size());
  if (needed <= there) return {};
  return spec + " needs " + std::to_string(needed) + " GPUs, this host has " +
         std::to_string(there);
}

/// Machines of GPUs alone: `specs`, where the environment does not replace them.
inline std::vector<std::string> gpu_specs(std::vector<std::string> specs = {"cuda:0", "cuda:0*3",
                                                                            "cuda:0-1"}) {
  return std::getenv("GOSSAMER_TEST_MACHINES") != nullptr ? machine_specs() : specs;
}
/// Of CPUs or of GPUs, for engines that run on both but not together.
inline std::vector<std::string> unmixed_specs() {
  return for_gpus ? gpu_specs() : machine_specs();
}

/// Opens the machine of its parameter. Skips where GPUs are missing, and only there: any other
/// reason for which a spec does not open fails the test.
class OnMachine : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string why = lacking(GetParam()); !why.empty()) GTEST_SKIP() << why;
    machine_.emplace(machine::open(GetParam()));
  }
  std::optional<machine> machine_;
};

}  // namespace gossamer::testing_machines
