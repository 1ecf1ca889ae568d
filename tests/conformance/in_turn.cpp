// GPUs whose kernels take turns (by force): programs driven by their hosts go on, kernels that
// would wait for each other are refused.
#include "conformance/fabric_suite.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::conformance {

TEST(in_turn, kernels_that_wait_for_each_other_are_refused) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  auto m = machine::open("cuda:0*2");
  EXPECT_EQ(shared_kernels(m[0]), sharing::in_turn);
  EXPECT_NE(describe(m).find("share 1 of 2, kernels take turns"), std::string::npos) << describe(m);
  try {
    m.run([](rank& r) { static_cast<void>(r.guard()); });
    ADD_FAILURE() << "kernels may wait";
  } catch (const usage_error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("kernels of the 2 ranks that share cuda:0 take turns"), std::string::npos)
        << text;
  }
  auto alone = machine::open("cuda:0");
  alone.run([](rank& r) { static_cast<void>(r.guard()); });
}

INSTANTIATE_TEST_SUITE_P(in_turn, fabric,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cpu:2x1+cuda:0*2"),
                         spec_name<std::string>);

}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  return gossamer::conformance::run_tests_with("GOSSAMER_SHARED_KERNELS", "off", argc, argv);
}
