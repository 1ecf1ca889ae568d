// Names of tests that are parameterised by a machine's spec.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace gossamer::testing_machines {

/// "cpu:1x2+cuda:0-1" as a test's name: cpu1x2andcuda0to1. The sanitizer's run on a GPU leaves out
/// tests by these names (tools/gpu_check.sh).
template <class Text>
std::string spec_name(const ::testing::TestParamInfo<Text>& info) {
  std::string name;
  for (const char c : std::string(info.param)) {
    if (c == '*') name += "by";
    if (c == '-') name += "to";
    if (c == '+') name += "and";
    if (c == ',') name += "then";
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  }
  return name;
}

}  // namespace gossamer::testing_machines
