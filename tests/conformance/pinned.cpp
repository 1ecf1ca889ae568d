// Transport `pinned` on one GPU: the same specs as peer.cpp and mixed.cpp, peer access off.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(pinned, fabric,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0*5",
                                           "cpu:1x1+cuda:0", "cpu:2x1+cuda:0*2"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  return gossamer::conformance::run_tests_with("GOSSAMER_PEER", "off", argc, argv);
}
