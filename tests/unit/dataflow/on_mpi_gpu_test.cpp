// The suite on GPUs of processes, under `mpirun -n P`: real ones, or the stand-ins of
// tests/fake_gpu where CUDA is left out.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(mpi_gpu, dataflow_suite, ::testing::Values("mpi:cuda"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
