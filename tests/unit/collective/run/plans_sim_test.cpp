// Plans on fabric `sim`: the cases of plans_test.cpp for 1 … 17 modelled ranks. One system has DMA
// chains; the other has MPI messages, which puts and signals reach in different orders.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gossamer/collective/rules.hpp"
#include "unit/collective/run/plan_agreement.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

class plans_sim : public ::testing::TestWithParam<int> {
 protected:
  static machine open(const std::string& system) {
    return machine::open("sim:" + system + ",ranks=" + std::to_string(GetParam()));
  }
};

TEST_P(plans_sim, agree_with_a_sequential_reference) {
  const int p = GetParam(), cases = p <= 5 ? 24 : 12;
  auto chains = open("peach2"), messages = open("hapacs-ib");
  EXPECT_EQ(disagreement(chains, p, cases), "");
  EXPECT_EQ(disagreement(messages, p, cases / 2), "");
}

TEST_P(plans_sim, have_any_root) {
  auto chains = open("peach2"), messages = open("hapacs-ib");
  EXPECT_EQ(disagreement_of_roots(chains), "");
  EXPECT_EQ(disagreement_of_roots(messages), "");
}

INSTANTIATE_TEST_SUITE_P(ranks, plans_sim, ::testing::Range(1, 18));

// What the model keeps of transfers on their way is recycled.
TEST(plan_allocations, starting_in_virtual_time_allocates_nothing) {
  for (const char* spec : {"sim:peach2,ranks=5", "sim:hapacs-ib,ranks=4", "sim:m60,ranks=3"}) {
    auto m = machine::open(spec);
    EXPECT_EQ(plan_cases::allocating(m, 20), "") << spec;
  }
}

// Root's result in the device's memory, everything else in the host's: one algorithm all the same.
TEST(plan, buffers_of_ranks_in_different_memories) {
  for (const char* spec : {"sim:peach2,ranks=5", "sim:hapacs-ib,ranks=4"})
    machine::open(spec).run(
        [&](rank& r) {
          const auto p = static_cast<std::size_t>(r.size());
          const auto in = r.scratch<std::int32_t>(3, home::host);
          const auto all = r.scratch<std::int32_t>(r.id() == 0 ? 3 * p : 0);
          std::ranges::fill(in, r.id() + 1);
          plan_gather<std::int32_t>(r, in, all, 0).run();
          for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(all[i], static_cast<std::int32_t>(i / 3) + 1) << spec;
          const auto sum = r.scratch<std::int32_t>(3, r.id() == 0 ? home::native : home::host);
          plan_allreduce<std::int32_t>(r, in, sum, reduction::sum).run();
          EXPECT_EQ(sum[2], r.size() * (r.size() + 1) / 2) << spec;
        },
        bounded());
}

TEST(plan, large_messages_in_virtual_time) {
  for (const char* spec : {"sim:peach2,ranks=5", "sim:hapacs-ib,ranks=4"}) {
    auto m = machine::open(spec);
    EXPECT_EQ(disagreement_of_large(m, 20000), "") << spec;
  }
}

// What a system's own software does, until someone has tuned the operation for that machine.
TEST(plan, of_a_system_follows_its_tuned_file) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "gossamer-sim-rules-test";
  std::filesystem::remove_all(folder);
  const testing::scoped_variable config("XDG_CONFIG_HOME", folder.c_str());
  auto m = machine::open("sim:peach2,ranks=4");
  const auto planned = [&] {
    std::string name;
    m.run(
        [&](rank& r) {
          const auto in = r.scratch<std::int64_t>(1), all = r.scratch<std::int64_t>(4);
          const auto plan = plan_allgather<std::int64_t>(r, in, all);
          if (r.id() == 0) name = plan.what().algorithm().name;
        },
        bounded());
    return name;
  };
  EXPECT_TRUE(left_to_system(m, collective_op::allgather));
  EXPECT_EQ(planned(), "recursive_doubling");
  const auto path = selection_rules::file_of(m);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "broadcast:0-inf:@flat\n";
  EXPECT_EQ(planned(), "recursive_doubling");
  std::ofstream(path) << "allgather:0-inf:@ring\n";
  EXPECT_FALSE(left_to_system(m, collective_op::allgather));
  EXPECT_TRUE(left_to_system(m, collective_op::broadcast));
  EXPECT_EQ(planned(), "ring");
  EXPECT_FALSE(left_to_system(machine::open("cpu:1x1"), collective_op::allgather));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gossamer
