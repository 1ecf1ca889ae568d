// Transport `sim`: every number of ranks from 1 to 17 on a system that makes chains of DMA, some on
// one that sends MPI's messages.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {
std::vector<std::string> specs() {
  std::vector<std::string> all;
  for (int p = 1; p <= 17; ++p) all.push_back("sim:peach2,ranks=" + std::to_string(p));
  for (const int p : {1, 2, 3, 5, 8, 13, 17})
    all.push_back("sim:hapacs-ib,ranks=" + std::to_string(p));
  return all;
}
}  // namespace

INSTANTIATE_TEST_SUITE_P(sim, fabric, ::testing::ValuesIn(specs()), spec_name<std::string>);

}  // namespace gossamer::conformance
