// A kernel that is launched for the first time beside one that waits for it: runs of several ranks
// have it loaded by then.
#include "gossamer/machine/kernels.cuh"

#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer {
namespace {

template <int By>
__global__ void count_up(int* at) {
  atomicAdd(at, By);
}

TEST(Kernels, AreLoadedBeforeRunsOfSeveralRanks) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  machine m = machine::open("cuda:0*2");
  if (shared_kernels(m[0]) != sharing::together) GTEST_SKIP() << "kernels of ranks take turns here";
  const auto at = make_native_buffer<int>(m[1], 1);
  fill_bytes(memory_kind::device, m[1].ordinal, at.data(), 0, sizeof(int));
  std::latch waits(1);
  run_options how;
  how.deadline = std::chrono::seconds(10);
  m.run(
      [&](rank& r) {
        const signal_set done = r.make_signals(1);
        if (r.id() == 0) {
          r.wait_signal(done[0], 1, 1);
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          waits.count_down();
        } else {
          waits.wait();
          const auto on = static_cast<cudaStream_t>(r.stream().native());
          count_up<3><<<2, 5, 0, on>>>(at.data());
          GOSSAMER_CHECK_CUDA(cudaGetLastError());
          r.raise(done[0], 0, 1);
        }
        r.synchronize();
      },
      how);
  int found = 0;
  copy_bytes(&found, at.data(), sizeof found);
  EXPECT_EQ(found, 30);
}

}  // namespace
}  // namespace gossamer
