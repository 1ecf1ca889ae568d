// Starting a plan allocates nothing: operator new is counted, by thread, and in the program for
// GPUs what the library asks of the CUDA runtime.
#include <gtest/gtest.h>

#include <memory>

#include "gossamer/machine/topology.hpp"
#include "on_machine.hpp"
#include "unit/collective/run/plan_agreement.hpp"

namespace gossamer {
namespace {

class plan_allocations : public testing_machines::OnMachine {};

TEST_P(plan_allocations, starting_and_waiting_allocate_nothing) {
  EXPECT_EQ(plan_cases::allocating(*machine_, 0, plan_runner::steps), "");
}

TEST_P(plan_allocations, one_kernel_allocates_nothing) {
  if (!machine_->all_direct()) GTEST_SKIP() << "not every pair is direct";
  for (int r = 0; r < machine_->size(); ++r)
    if ((*machine_)[r].is_cuda() && shared_kernels((*machine_)[r]) == sharing::in_turn)
      GTEST_SKIP() << "the GPU runs the kernels of its ranks in turn";
  EXPECT_EQ(plan_cases::allocating(*machine_, 0, plan_runner::one_kernel), "");
}

TEST(counting, sees_an_allocation) {
  const auto before = testing::allocations;
  std::vector<int>(100).swap(*std::make_unique<std::vector<int>>());
  EXPECT_NE(testing::allocations, before) << "the counter does not count";
#if defined(GOSSAMER_TEST_GPU)
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  const auto here = testing::allocations;
  const buffer<char> pinned(memory_kind::pinned, 0, 100);
  EXPECT_NE(testing::allocations, here) << "cudaHostAlloc is not counted";
#endif
}

INSTANTIATE_TEST_SUITE_P(machines, plan_allocations,
                         ::testing::ValuesIn(testing_machines::cpus_or_gpus(
                             {"cpu:1x1", "cpu:2x1", "cpu:3x1"},
                             {"cuda:0", "cuda:0*3", "cpu:1x1+cuda:0", "cuda:0-1", "cuda:0-3",
                              "cpu:1x2+cuda:0-1"})),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
