// The suite on the stand-ins of tests/fake_gpu, under `mpirun -n P`, on a host without a GPU. Their
// memory is open, since tests look into it.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(mpi_gpu, dataflow_suite, ::testing::Values("mpi:cuda"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
