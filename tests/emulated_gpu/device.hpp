// A GPU's block on one CPU thread: what kernels of worklists and of steps use of CUDA, so that they
// run where there is no GPU. Threads of a block are fibers that take turns where they wait for each
// other; blocks are processes that share memory. Time counts calls. Data races between blocks
// happen as they would; those inside a block show only where fibers take turns: at waits, fences,
// and now and then at atomics and loads that look for others' stores.
#pragma once

#undef _FORTIFY_SOURCE  // it takes a jump to another fiber's stack for a fault
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __shared__ static

/// Of a block: as many as the kernels that are emulated take.
#ifndef EMULATED_THREADS
#define EMULATED_THREADS 1024
#endif

struct emulated_dim {
  unsigned x;
};
inline emulated_dim threadIdx{0}, blockIdx{0}, gridDim{1}, blockDim{EMULATED_THREADS};
struct int2 {
  int x, y;
};
struct int4 {
  int x, y, z, w;
};

namespace emulated {

constexpr unsigned threads = EMULATED_THREADS;
inline ucontext_t outside, fiber[threads];  // where fibers begin
inline jmp_buf place[threads];              // where they were left: no call of the system
inline bool started[threads], ended[threads];
inline std::function<void()> body;

inline unsigned next_of(unsigned me) {
  unsigned n = me;
  do n = (n + 1) % threads;
  while (ended[n] && n != me);
  return n;
}
inline void go_on(unsigned n) {
  threadIdx.x = n;
  if (started[n]) _longjmp(place[n], 1);
  started[n] = true;
  setcontext(&fiber[n]);
}
/// Another thread of the block goes on.
inline void take_turns() {
  const unsigned me = threadIdx.x, n = next_of(me);
  if (n != me && _setjmp(place[me]) == 0) go_on(n);
}
inline void sometimes() {
  if ((rand() & 7) == 0) take_turns();
}
struct barrier {
  unsigned count = 0, generation = 0;
  void wait(unsigned all) {
    const unsigned before = generation;
    if (++count == all) {
      count = 0;
      ++generation;
    }
    while (generation == before) take_turns();
  }
};
inline barrier block, warps[threads / 32];
inline std::uint64_t lanes[threads / 32][32];

inline void begin() {
  body();
  ended[threadIdx.x] = true;
  const unsigned n = next_of(threadIdx.x);
  if (ended[n]) setcontext(&outside);
  go_on(n);
}
/// A block, to its end.
inline void run_block(std::function<void()> kernel) {
  static std::vector<std::vector<char>> stacks(threads, std::vector<char>(1 << 16));
  body = std::move(kernel);
  for (unsigned i = 0; i < threads; ++i) {
    started[i] = ended[i] = false;
    getcontext(&fiber[i]);
    fiber[i].uc_stack.ss_sp = stacks[i].data();
    fiber[i].uc_stack.ss_size = stacks[i].size();
    fiber[i].uc_link = nullptr;
    makecontext(&fiber[i], begin, 0);
  }
  threadIdx.x = 0;
  started[0] = true;
  swapcontext(&outside, &fiber[0]);
}

/// Blocks that run side by side, each a process; they share what shared() gave.
class blocks {
 public:
  /// As a rank launches so many.
  template <class F>
  void launch(unsigned count, const F& kernel, unsigned rank = 0) {
    gridDim.x = count;
    running_ += count;
    for (unsigned b = 0; b < count; ++b)
      if (fork() == 0) {
        srand(100 * rank + b);
        blockIdx.x = b;
        run_block(kernel);
        _exit(0);
      }
  }
  /// Waits for all; whether they ended well.
  bool end() {
    bool well = true;
    for (; running_ > 0; --running_) {
      int status = 0;
      ::wait(&status);
      well = well && status == 0;
    }
    return well;
  }

 private:
  unsigned running_ = 0;
};
/// One launch, to its end.
template <class F>
bool run_blocks(unsigned count, const F& kernel) {
  blocks all;
  all.launch(count, kernel);
  return all.end();
}

/// What a lane of the own warp gave.
template <class T>
T from_lane(T value, int which) {
  const unsigned warp = threadIdx.x / 32;
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  lanes[warp][threadIdx.x % 32] = word;
  warps[warp].wait(32);
  std::memcpy(&value, &lanes[warp][which & 31], sizeof value);
  warps[warp].wait(32);
  return value;
}
template <class T, class F>
T change(T* at, const F& f) {
  T before, after;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  do after = f(before);
  while (
      !__atomic_compare_exchange(at, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  sometimes();
  return before;
}

/// Memory that blocks share.
template <class T>
T* shared(std::size_t n) {
  return static_cast<T*>(
      mmap(nullptr, n * sizeof(T) + 16, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

}  // namespace emulated

inline void __syncthreads() {
  emulated::block.wait(emulated::threads);
}
inline void __syncwarp() {
  emulated::warps[threadIdx.x / 32].wait(32);
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  emulated::sometimes();
}
inline void __threadfence_system() {
  __threadfence();
}
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  return emulated::from_lane(value, lane);
}
template <class T>
T __shfl_up_sync(unsigned, T value, int by) {
  const int me = static_cast<int>(threadIdx.x % 32);
  return emulated::from_lane(value, me < by ? me : me - by);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int by) {
  const int me = static_cast<int>(threadIdx.x % 32);
  return emulated::from_lane(value, me + by > 31 ? me : me + by);
}
inline unsigned __ballot_sync(unsigned, bool is) {
  unsigned all = 0;
  const int mine = is ? 1 : 0;
  for (int lane = 0; lane < 32; ++lane)
    all |= static_cast<unsigned>(emulated::from_lane(mine, lane)) << lane;
  return all;
}
inline int __any_sync(unsigned lanes, bool is) {
  return __ballot_sync(lanes, is) != 0;
}
inline int __all_sync(unsigned lanes, bool is) {
  return __ballot_sync(lanes, is) == 0xffffffffu;
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return emulated::from_lane(value, static_cast<int>(threadIdx.x % 32) ^ mask);
}
/// Of all threads of the block.
inline int __syncthreads_and(int is) {
  static int all;
  __syncthreads();
  all = 1;
  __syncthreads();
  if (is == 0) all = 0;
  __syncthreads();
  const int found = all;
  __syncthreads();
  return found;
}
inline int __syncthreads_or(int is) {
  return __syncthreads_and(is == 0) == 0 ? 1 : 0;
}
inline int __popc(unsigned word) {
  return __builtin_popcount(word);
}
inline int __clz(int word) {
  return word == 0 ? 32 : __builtin_clz(static_cast<unsigned>(word));
}
inline double __longlong_as_double(long long bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline long long __double_as_longlong(double value) {
  long long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __dsub_rn(double a, double b) {
  return a - b;
}
inline unsigned long long max(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
inline int __ffs(int word) {
  return __builtin_ffs(word);
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
T __ldcg(const T* from) {
  return *from;
}

#define EMULATED_ATOMIC(name, after)                                                               \
  template <class T, class U>                                                                      \
  T name(T* at, U given) {                                                                         \
    return emulated::change(at, [value = static_cast<T>(given)](T before) -> T { return after; }); \
  }                                                                                                \
  template <class T, class U>                                                                      \
  T name##_system(T* at, U given) {                                                                \
    return name(at, given);                                                                        \
  }
EMULATED_ATOMIC(atomicAdd, before + value)
EMULATED_ATOMIC(atomicMin, value < before ? value : before)
EMULATED_ATOMIC(atomicMax, before < value ? value : before)
EMULATED_ATOMIC(atomicOr, before | value)
EMULATED_ATOMIC(atomicAnd, before& value)
EMULATED_ATOMIC(atomicExch, value)
#undef EMULATED_ATOMIC
template <class T>
T atomicCAS(T* at, T expected, T desired) {
  emulated::sometimes();
  __atomic_compare_exchange(at, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
template <class T>
T atomicCAS_system(T* at, T expected, T desired) {
  return atomicCAS(at, expected, desired);
}
