// The suite under `mpirun -n P`, one rank a process: every process runs every test.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(mpi, dataflow_suite, ::testing::Values("mpi:1"), spec_name<std::string>);

}  // namespace gossamer::dataflow
