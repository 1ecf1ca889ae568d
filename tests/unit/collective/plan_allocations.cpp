// Starting a plan allocates nothing: operator new is counted, by thread.
#include <gtest/gtest.h>

#include "unit/collective/plan_agreement.hpp"

namespace gossamer {
namespace {

TEST(plan_allocations, starting_and_waiting_allocate_nothing) {
  const auto before = testing::allocations;
  std::vector<int>(100).swap(*std::make_unique<std::vector<int>>());
  ASSERT_NE(testing::allocations, before) << "the counter does not count";
  for (const int p : {2, 3}) {
    auto m = open_cpu(p);
    EXPECT_EQ(plan_cases::allocating(m, 0), "");
  }
}

}  // namespace
}  // namespace gossamer
