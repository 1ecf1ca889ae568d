// The suite under `mpirun -n P`, one rank a process: every process runs every test.
#include "unit/task/global_suite.hpp"

namespace gossamer {

INSTANTIATE_TEST_SUITE_P(mpi, global_suite, ::testing::Values("mpi:1", "mpi:1 thread"), spec_text);

}  // namespace gossamer
