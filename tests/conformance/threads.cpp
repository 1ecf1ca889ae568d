// Transport `threads`: every number of ranks from 1 to 17, and ranks that are teams.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {
std::vector<std::string> specs() {
  std::vector<std::string> all = {"cpu:2x2"};
  for (int p = 1; p <= 17; ++p) all.push_back("cpu:" + std::to_string(p) + "x1");
  return all;
}
}  // namespace

INSTANTIATE_TEST_SUITE_P(threads, fabric, ::testing::ValuesIn(specs()), spec_name<std::string>);

}  // namespace gossamer::conformance
