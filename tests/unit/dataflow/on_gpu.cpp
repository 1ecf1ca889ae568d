// The suite on the stand-ins of tests/fake_gpu in one process, with open memory: once as GPUs that
// address each other, once as such that do not (CMakeLists.txt says so by the environment).
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(gpu, dataflow_suite, ::testing::Values("cuda:0", "cuda:0-2"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
