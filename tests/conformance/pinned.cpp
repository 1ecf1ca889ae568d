// Transport `pinned` on one GPU: the same specs as peer.cpp and mixed.cpp, peer access off.
#include <cstdlib>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(pinned, fabric,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0*5",
                                           "cpu:1x1+cuda:0", "cpu:2x1+cuda:0*2"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  setenv("GOSSAMER_PEER", "off", 1);  // before any machine is opened
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
