// One process of an MPI job is killed in a run. With recovery (see mpi_killed_rank.sh) the others
// find out by its missing heartbeats, name it, write what they saw, and exit with code 4.
//
// With "end" nobody waits for it but for the end of the run, and processes of its host find out at
// once.
//
//   mpirun -n P --enable-recovery test_mpi_killed_rank FOLDER [end]
#include <csignal>

#include "failure/mpi_killed.hpp"

int main(int count, char** arguments) {
  using namespace gossamer;
  const bool at_end = count > 2 && std::string(arguments[2]) == "end";
  return survive(
      arguments[1],
      [&](rank& r, int victim) {
        for (int i = 0;; ++i) {
          if (at_end && i == 20 && r.id() != victim) return;
          if (r.id() == victim && i == 20) std::raise(SIGKILL);
          r.barrier();
        }
      },
      // Who waited for the victim names it; others are told by that one.
      [&](const rank_error&, int, auto took) {
        return !at_end || took <= std::chrono::seconds(4);
      });
}
