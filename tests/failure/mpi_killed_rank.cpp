// One process of an MPI job is killed in a run. With recovery (see mpi_killed_rank.sh) the others
// find out by its missing heartbeats, name it, write what they saw, and exit with code 4.
//
//   mpirun -n P --enable-recovery test_mpi_killed_rank FOLDER
#include <csignal>
#include <cstdio>
#include <fstream>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"

int main(int, char** arguments) {
  using namespace gossamer;
  machine m = machine::open("mpi:1");
  const int victim = m.size() - 1;
  int self = 0;
  while (!m.here(self)) ++self;
  std::ofstream report(std::string(arguments[1]) + "/rank" + std::to_string(self));
  run_options options;
  options.deadline = std::chrono::seconds(2);
  const auto program = [&](rank& r) {
    for (int i = 0;; ++i) {
      if (r.id() == victim && i == 20) std::raise(SIGKILL);
      r.barrier();
    }
  };
  try {
    m.run(program, options);
  } catch (const rank_error& e) {
    // Who waited for the victim names it; others are told by that one.
    report << (e.timed_out() && e.peer() == victim ? "named the victim" : "wrong") << ": "
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
