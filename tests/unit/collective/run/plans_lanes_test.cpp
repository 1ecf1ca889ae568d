// Lanes as streams: plans on GPUs that are not there (tests/fake_gpu), one a process under
// `mpirun -n P`. A stream is a thread that is late now and then, so that a step which does not wait
// for what it depends on is found out.
#include <gtest/gtest.h>

#include "gossamer/machine/topology.hpp"
#include "unit/collective/run/plan_agreement.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

TEST(plans_lanes, ranks_have_a_gpu_each) {
  const auto m = machine::open("mpi:cuda");
  for (int r = 0; r < m.size(); ++r) {
    EXPECT_TRUE(m[r].is_cuda());
    EXPECT_TRUE(m[r].own_engines);
  }
}

TEST(plans_lanes, agree_with_a_sequential_reference) {
  auto m = machine::open("mpi:cuda");
  EXPECT_EQ(disagreement(m, m.size(), 12, plan_runner::steps), "");
}

TEST(plans_lanes, move_large_messages) {
  auto m = machine::open("mpi:cuda");
  EXPECT_EQ(disagreement_of_large(m, 40000, plan_runner::steps, true), "");
}

TEST(plans_lanes, many_epochs_without_a_barrier) {
  auto m = machine::open("mpi:cuda");
  EXPECT_EQ(disagreement_over_many_epochs(m, plan_runner::steps), "");
}

}  // namespace
}  // namespace gossamer
