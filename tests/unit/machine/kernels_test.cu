// Kernels loaded before a run: on the GPU that was named, whatever GPU is current.
#include <gtest/gtest.h>

#include <string>

#include "gossamer/machine/kernels.cuh"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::testing {

__global__ void count_up(int* at, int by) {
  atomicAdd(at, by);
}

TEST(LoadKernel, LeavesTheCurrentDevice) {
  const auto gpus = cuda_devices();
  if (gpus.empty()) GTEST_SKIP() << cuda_unavailable_reason();
  int before = -1, after = -1;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&before));
  for (const device& d : gpus) {
    load_kernel(d, count_up);
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&after));
    EXPECT_EQ(after, before);
    const auto at = make_native_buffer<int>(d, 1);
    fill_bytes(memory_kind::device, d.ordinal, at.data(), 0, sizeof(int));
    const current_device here(d.ordinal);
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&after));
    EXPECT_EQ(after, d.ordinal);
    count_up<<<3, 5>>>(at.data(), d.ordinal + 1);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    GOSSAMER_CHECK_CUDA(cudaDeviceSynchronize());
    int found = 0;
    copy_bytes(&found, at.data(), sizeof found);
    EXPECT_EQ(found, 15 * (d.ordinal + 1));
  }
}

TEST(LoadKernel, RefusesWhatIsNoGpu) {
  const machine m = machine::open("cpu:1x1");
  try {
    load_kernel(m[0], count_up);
    ADD_FAILURE() << "a CPU was taken";
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()), m[0].name + " runs no kernels; give the machine GPUs (cuda)");
  }
}

}  // namespace gossamer::testing
