// Transport `pinned` between GPUs: the specs of *_multi.cpp, peer access off.
#include <cstdlib>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(pinned_multi, fabric,
                         ::testing::Values("cuda:0-1", "cuda:0-3", "cpu:1x2+cuda:0-1"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  setenv("GOSSAMER_PEER", "off", 1);  // before any machine is opened
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
