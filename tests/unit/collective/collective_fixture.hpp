// Machines and run options of the collective tests.
#pragma once

#include <chrono>
#include <string>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

inline run_options bounded() {
  run_options options;
  options.deadline = std::chrono::seconds(60);
  return options;
}

inline machine open_cpu(int p) {
  return machine::open("cpu:" + std::to_string(p) + "x1");
}

/// The text of the E that a run throws; a failure when it throws none.
template <class E, class F>
std::string run_error(int p, F program) {
  try {
    open_cpu(p).run(program, bounded());
  } catch (const E& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace gossamer
