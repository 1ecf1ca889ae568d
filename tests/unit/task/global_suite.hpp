// What is tested of memory and tasks over ranks on every kind of machine. On MPI each process runs
// one rank of every test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

class global_suite : public ::testing::TestWithParam<std::string> {
 protected:
  machine m = machine::open(GetParam());

  /// What a run throws, as text. On MPI another process's failure may come first.
  template <class Error = error>
  std::string thrown(const std::function<void(rank&)>& program) {
    try {
      m.run(program);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was thrown";
  }
};

inline std::string spec_text(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace gossamer
