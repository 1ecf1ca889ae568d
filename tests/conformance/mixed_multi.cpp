// CPU ranks and several GPUs.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mixed_multi, fabric, ::testing::Values("cpu:1x2+cuda:0-1"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance
