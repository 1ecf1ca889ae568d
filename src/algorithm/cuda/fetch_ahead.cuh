// What a kernel will read soon, asked for before.
#pragma once

namespace gossamer::algorithm_detail::cuda {

/// The line that `at` is in comes to the L2 cache; nobody waits for it.
__device__ inline void fetch_ahead(const void* at) {
#ifdef __CUDA_ARCH__  // GPUs that are emulated have no such cache
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
  static_cast<void>(at);
#endif
}

}  // namespace gossamer::algorithm_detail::cuda
