// Transport `pinned` between GPUs: the specs of *_multi.cpp, peer access off.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(pinned_multi, fabric,
                         ::testing::Values("cuda:0-1", "cuda:0-3", "cpu:1x2+cuda:0-1"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  return gossamer::conformance::run_tests_with("GOSSAMER_PEER", "off", argc, argv);
}
