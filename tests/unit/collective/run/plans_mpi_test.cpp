// Plans on fabric `mpi`: this program under `mpirun -n P`, one rank a process, with shared memory
// or by messages; with GOSSAMER_TEST_GPU, ranks are GPUs. Every process runs every test; one that
// fails anywhere fails the job.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "unit/collective/run/plan_agreement.hpp"

namespace gossamer {
namespace {

using namespace plan_cases;

#ifdef GOSSAMER_TEST_GPU
constexpr const char* spec = "mpi:cuda";
#else
constexpr const char* spec = "mpi:1";
#endif

class plans_mpi : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef GOSSAMER_TEST_GPU
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
#endif
  }
};

TEST_F(plans_mpi, agree_with_a_sequential_reference) {
  auto m = machine::open(spec);
  EXPECT_EQ(disagreement(m, m.size(), 24), "");
}

TEST_F(plans_mpi, have_any_root) {
  auto m = machine::open(spec);
  EXPECT_EQ(disagreement_of_roots(m), "");
}

TEST_F(plans_mpi, allocate_nothing_when_started) {
  auto m = machine::open(spec);
  const bool direct = m.size() == 1 || m.between(0, m.size() - 1).load_store;
  EXPECT_EQ(allocating(m, direct ? 0 : 10), "");
}

// Who waits long looks whether the others live.
TEST_F(plans_mpi, allocate_nothing_however_long_they_wait) {
  auto m = machine::open(spec);
  m.run([](rank& r) {
    std::vector<double> in(9), out(9);
    variant v;
    v.count = in.size();
    auto plan =
        make_plan<double>(r, collective_op::allreduce, in, output_range<double>(out), v, {});
    for (int warm = 0; warm < 10; ++warm) plan.run();
    r.barrier();
    if (r.id() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const auto before = testing::allocations;
    plan.run();
    r.synchronize();
    EXPECT_EQ(testing::allocations - before, 0u);
    r.barrier();
  });
}

// Larger than the pieces that puts are sent in.
TEST_F(plans_mpi, move_large_messages) {
  auto m = machine::open(spec);
  EXPECT_EQ(disagreement_of_large(m, 40000), "");
}

}  // namespace
}  // namespace gossamer
