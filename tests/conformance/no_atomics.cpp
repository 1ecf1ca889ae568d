// Transport `peer` where pairs have no remote atomics, as over PCIe: the specs of peer.cpp and
// mixed.cpp, atomics sent to the owner by force.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

TEST(no_atomics, are_requests_in_the_table) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  const auto m = machine::open("cuda:0*2");
  EXPECT_EQ(m.between(0, 1).transport, "peer");
  EXPECT_TRUE(m.between(0, 1).load_store);
  EXPECT_TRUE(m.between(0, 1).proxied);
  EXPECT_FALSE(m.between(0, 1).atomic);
  EXPECT_TRUE(m.between(0, 0).atomic);
}

INSTANTIATE_TEST_SUITE_P(no_atomics, fabric,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0*5",
                                           "cpu:1x1+cuda:0", "cpu:2x1+cuda:0*2"),
                         spec_name<std::string>);
INSTANTIATE_TEST_SUITE_P(no_atomics_multi, fabric, ::testing::Values("cuda:0-1", "cuda:0-3"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  return gossamer::conformance::run_tests_with("GOSSAMER_PEER", "no-atomics", argc, argv);
}
