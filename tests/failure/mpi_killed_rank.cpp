// One process of an MPI job is killed in a run. With recovery (see mpi_killed_rank.sh) the others
// find out by its missing heartbeats, name it, write what they saw, and exit with code 4.
//
// With "end" nobody waits for it but for the end of the run, and processes of its host find out at
// once.
//
//   mpirun -n P --enable-recovery test_mpi_killed_rank FOLDER [end]
#include <csignal>
#include <cstdio>
#include <fstream>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"

int main(int count, char** arguments) {
  using namespace gossamer;
  machine m = machine::open("mpi:1");
  const int victim = m.size() - 1;
  int self = 0;
  while (!m.here(self)) ++self;
  std::ofstream report(std::string(arguments[1]) + "/rank" + std::to_string(self));
  run_options options;
  options.deadline = std::chrono::seconds(2);
  const bool at_end = count > 2 && std::string(arguments[2]) == "end";
  const auto program = [&](rank& r) {
    for (int i = 0;; ++i) {
      if (at_end && i == 20 && r.id() != victim) return;
      if (r.id() == victim && i == 20) std::raise(SIGKILL);
      r.barrier();
    }
  };
  const auto start = std::chrono::steady_clock::now();
  try {
    m.run(program, options);
  } catch (const rank_error& e) {
    // Who waited for the victim names it; others are told by that one.
    const bool late = at_end && std::chrono::steady_clock::now() - start > 2 * *options.deadline;
    report << (e.timed_out() && e.peer() == victim && !late ? "named the victim" : "wrong") << ": "
           << e.what() << "\n";
  }
  try {
    m.run(program, options);
  } catch (const foreign_error& e) {
    report << "refused: " << e.what() << "\n";
  }
  report.flush();
  return 4;
}
