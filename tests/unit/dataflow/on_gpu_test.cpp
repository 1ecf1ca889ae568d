// The suite on GPU ranks of one process, alone and with CPU teams: GPUs that address each other,
// and such that do not (CMakeLists.txt says so by the environment). Without CUDA on the stand-ins
// of tests/fake_gpu, whose memory the host cannot read either.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(gpu, dataflow_suite,
                         ::testing::Values("cuda:0", "cuda:0*3", "cpu:1x1+cuda:0",
                                           "cpu:2x1+cuda:0*2", "cuda:0-1", "cuda:0-3"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
