// Plans on fabric `mpi`: this program under `mpirun -n P`, one rank a process, with shared memory
// or by messages. Every process runs every test; one that fails anywhere fails the job.
#include <gtest/gtest.h>

#include "unit/collective/plan_agreement.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

TEST(plans_mpi, agree_with_a_sequential_reference) {
  auto m = machine::open("mpi:1");
  EXPECT_EQ(disagreement(m, m.size(), 24), "");
}

TEST(plans_mpi, have_any_root) {
  auto m = machine::open("mpi:1");
  EXPECT_EQ(disagreement_of_roots(m), "");
}

TEST(plans_mpi, allocate_nothing_when_started) {
  auto m = machine::open("mpi:1");
  const bool direct = m.size() == 1 || m.between(0, m.size() - 1).load_store;
  EXPECT_EQ(allocating(m, direct ? 0 : 10), "");
}

// Larger than the pieces that puts are sent in.
TEST(plans_mpi, move_large_messages) {
  auto m = machine::open("mpi:1");
  EXPECT_EQ(disagreement_of_large(m, 40000), "");
}

}  // namespace
}  // namespace gossamer
