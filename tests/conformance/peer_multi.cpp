// Transport `peer` between GPUs.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(peer_multi, fabric, ::testing::Values("cuda:0-1", "cuda:0-3"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance
