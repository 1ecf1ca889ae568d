// The suite in virtual time: chains of DMA, MPI's messages, and the paper's own machines.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(sim, dataflow_suite,
                         ::testing::Values("sim:peach2,ranks=1", "sim:peach2,ranks=2",
                                           "sim:peach2,ranks=5", "sim:hapacs-ib,ranks=3",
                                           "sim:m60,ranks=8", "sim:k40c-m4000,ranks=2"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
