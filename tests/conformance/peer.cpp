// Transport `peer`: ranks that share one GPU.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(peer, fabric,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0*5", "cuda:0*7",
                                           "cuda:0*10"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance
