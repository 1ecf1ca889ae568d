// CPU and GPU ranks of one machine.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mixed, fabric, ::testing::Values("cpu:1x1+cuda:0", "cpu:2x1+cuda:0*2"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance
