// What is left of an MPI job whose last process is killed in a run: the others write what they saw
// into a folder, and exit with code 4.
#pragma once

#include <chrono>
#include <fstream>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// Runs program(rank, victim); a time-out that names the victim is right where
/// right(error, victim, time since the start) says so. Runs once more, which has to be refused.
template <class Program, class Right>
int survive(const std::string& folder, const Program& program, const Right& right) {
  using clock = std::chrono::steady_clock;
  machine m = machine::open("mpi:1");
  const int victim = m.size() - 1;
  int self = 0;
  while (!m.here(self)) ++self;
  std::ofstream report(folder + "/rank" + std::to_string(self));
  run_options options;
  options.deadline = std::chrono::seconds(2);
  const auto run = [&] { m.run([&](rank& r) { program(r, victim); }, options); };
  const auto begin = clock::now();
  try {
    run();
  } catch (const rank_error& e) {
    const bool named = e.timed_out() && e.peer() == victim;
    report << (named && right(e, victim, clock::now() - begin) ? "named the victim" : "wrong")
           << ": " << e.what() << "\n";
  }
  try {
    run();
  } catch (const foreign_error& e) {
    report << "refused: " << e.what() << "\n";
  }
  report.flush();
  return 4;
}

}  // namespace gossamer
