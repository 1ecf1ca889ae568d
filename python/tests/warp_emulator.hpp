// What the kernel of a vertex program needs of CUDA, on the host: a warp is 32 threads that meet at
// a barrier for every exchange, and blocks run one after the other. Its text stands behind this one, run_ranks() behind that
// (test_program_kernel.py).
#include <atomic>
#include <barrier>
#include <cstring>
#include <thread>
#include <vector>

#define __global__
#define __shared__ static
#define __launch_bounds__(threads)
struct index_of {
  unsigned int x;
};
struct emulated_warp {
  std::barrier<> all{32};
  unsigned long long slots[32];
};
static thread_local index_of threadIdx, blockIdx;
static index_of blockDim, gridDim;
static thread_local emulated_warp* warp;
struct emulated_block {
  explicit emulated_block(int threads) : all(threads) {}
  std::barrier<> all;
  std::atomic<int> votes[2] = {0, 0};
};
static emulated_block* block;  // one at a time: shared memory is static
static thread_local unsigned int ballots;

inline void __syncthreads() { block->all.arrive_and_wait(); }
inline int __syncthreads_or(bool mine) {
  std::atomic<int>& now = block->votes[ballots++ % 2];
  now.fetch_or(mine);
  __syncthreads();
  const int any = now.load();
  __syncthreads();
  now.store(0);
  return any;
}

template <class V>
V exchanged(V mine, int from) {
  unsigned long long word = 0;
  std::memcpy(&word, &mine, sizeof mine);
  warp->slots[threadIdx.x & 31] = word;
  warp->all.arrive_and_wait();
  word = warp->slots[from & 31];
  warp->all.arrive_and_wait();
  std::memcpy(&mine, &word, sizeof mine);
  return mine;
}
inline void __syncwarp() { warp->all.arrive_and_wait(); }
template <class V>
V __shfl_sync(unsigned int, V mine, int from) {
  return exchanged(mine, from);
}
template <class V>
V __shfl_down_sync(unsigned int, V mine, int step) {
  const int from = static_cast<int>(threadIdx.x & 31) + step;
  const V theirs = exchanged(mine, from);
  return from < 32 ? theirs : mine;
}
inline unsigned int __ballot_sync(unsigned int, bool mine) {
  unsigned int bits = 0;
  exchanged(mine, 0);
  warp->slots[threadIdx.x & 31] = mine;
  warp->all.arrive_and_wait();
  for (int lane = 0; lane < 32; ++lane) bits |= static_cast<unsigned>(warp->slots[lane]) << lane;
  warp->all.arrive_and_wait();
  return bits;
}
inline int __ffs(unsigned int bits) { return __builtin_ffs(static_cast<int>(bits)); }
template <class W>
W atomicMin_system(W* at, W value) {
  std::atomic_ref<W> word(*at);
  W seen = word.load();
  while (value < seen && !word.compare_exchange_weak(seen, value)) {
  }
  return seen;
}
inline void atomicOr_system(unsigned int* at, unsigned int bits) {
  std::atomic_ref<unsigned int>(*at).fetch_or(bits);
}
template <class W>
W atomicAdd(W* at, W more) {
  return std::atomic_ref<W>(*at).fetch_add(more);
}
