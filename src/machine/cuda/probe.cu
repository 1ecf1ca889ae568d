// Do kernels in separate streams of one GPU run at the same time? Nothing promises it, so it is
// tried: `count` kernels of one block each say that they run, and stay until they have seen all
// others, or for a second.
#include <cuda_runtime.h>

#include <cuda/atomic>
#include <mutex>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/stream.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

struct roll_call {
  unsigned arrived, saw_all, gave_up;
};
__device__ roll_call roll;  // static: a probe allocates nothing beside kernels that may be running

constexpr unsigned long long patience_ns = 1'000'000'000;

__device__ unsigned long long now_ns() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Who comes after the first has lost patience leaves at once: the probe takes one second at most.
__global__ void answer(unsigned count) {
  using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  word(roll.arrived).fetch_add(1);
  const unsigned long long begin = now_ns();
  while (word(roll.arrived).load() < count) {
    if (word(roll.gave_up).load() == 0 && now_ns() - begin < patience_ns) continue;
    word(roll.gave_up).store(1);
    return;
  }
  word(roll.saw_all).fetch_add(1);
}

cudaStream_t native(const stream& s) {
  return static_cast<cudaStream_t>(s.native());
}

}  // namespace

bool kernels_run_together(int ordinal, int count) {
  static std::mutex one_at_a_time;
  const std::lock_guard only(one_at_a_time);
  const device_guard here(ordinal);
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = ordinal;
  std::vector<stream> streams;
  for (int i = 0; i < count; ++i) streams.emplace_back(d);
  cudaFuncAttributes attributes;  // loads the kernel: loading may wait for kernels that run
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, answer));
  const auto limit = steady::now() + std::chrono::seconds(10);
  // True once the stream is idle; false when other work keeps the GPU so long.
  auto drained = [&](const stream& s) {
    for (backoff pause; !s.idle();)
      if (pause.pause() && steady::now() > limit) return false;
    return true;
  };
  roll_call result{};
  GOSSAMER_CHECK_CUDA(cudaMemcpyToSymbolAsync(roll, &result, sizeof result, 0,
                                              cudaMemcpyHostToDevice, native(streams[0])));
  if (!drained(streams[0])) return false;
  for (const stream& s : streams) {
    answer<<<1, 1, 0, native(s)>>>(static_cast<unsigned>(count));
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  }
  for (const stream& s : streams)
    if (!drained(s)) return false;
  GOSSAMER_CHECK_CUDA(cudaMemcpyFromSymbolAsync(&result, roll, sizeof result, 0,
                                                cudaMemcpyDeviceToHost, native(streams[0])));
  // `result` must outlive the copy, whatever happens: into pageable memory it is done on return.
  return drained(streams[0]) && result.saw_all == static_cast<unsigned>(count);
}

}  // namespace gossamer::cuda_backend
