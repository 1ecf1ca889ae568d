// When several GPUs are worth it (algorithm/cg/ranks.hpp).
#include "algorithm/cg/ranks.hpp"

#include <gtest/gtest.h>

namespace gossamer::cg_detail {
namespace {

TEST(cg_ranks, several_pay_for_large_matrices) {
  const auto poisson = iteration_bytes(256 * 256 * 256, 7 * 256 * 256 * 256);
  const auto s1rmq4m1 = iteration_bytes(5489, 281111);
  for (const int ranks : {2, 3, 4, 8}) {
    EXPECT_TRUE(several_gpus_pay(poisson, ranks)) << ranks;
    EXPECT_FALSE(several_gpus_pay(s1rmq4m1, ranks)) << ranks;
  }
}

TEST(cg_ranks, more_ranks_need_more_work) {
  const std::int64_t enough_for_two = 25'000'000;
  EXPECT_TRUE(several_gpus_pay(enough_for_two, 2));
  EXPECT_FALSE(several_gpus_pay(enough_for_two, 4));
}

}  // namespace
}  // namespace gossamer::cg_detail
