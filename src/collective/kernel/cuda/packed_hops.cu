// The kernel of packed_hops.hpp: thread j of the grid has the j-th pair of words of every message.
//
// A second hop begins when the pair is there: nothing of it is written to memory and read again.
//
// What limits it: epoch, source and credit in one trip to L2, the wire, and the end of a kernel
// before the next may read what it wrote. Addresses are in registers before the block's turn comes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "collective/kernel/cuda/launch.cuh"
#include "collective/kernel/packed_hops.hpp"
#include "collective/schedule/with_type.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer::collective_gpu {

namespace {

constexpr int peers = packed_hops::most_peers;

/// Eight bytes at pair j of a message, zeros behind its end.
__device__ std::uint64_t load_pair(const std::uint32_t* from, unsigned j, std::uint32_t bytes) {
  const std::uint32_t low = 8 * j < bytes ? from[2 * j] : 0;
  const std::uint32_t high = 8 * j + 4 < bytes ? from[2 * j + 1] : 0;
  return low | (static_cast<std::uint64_t>(high) << 32);
}
__device__ void store_pair(std::uint32_t* to, unsigned j, std::uint32_t bytes, std::uint64_t data) {
  if (8 * j < bytes) to[2 * j] = static_cast<std::uint32_t>(data);
  if (8 * j + 4 < bytes) to[2 * j + 1] = static_cast<std::uint32_t>(data >> 32);
}

/// False: gave up.
__device__ bool await_credit(const packed_hops& p, const device_guard& guard, int k,
                             std::uint64_t epoch) {
  const auto turns = static_cast<std::uint64_t>(p.turns);
  const std::uint64_t wanted = epoch > turns ? epoch - turns : 0;
  device_wait_bound bound(guard, p.credits[k].peer);
  while (true) {
    const auto seen = device_detail::load_acquire(p.credits[k].counter);
    if (seen >= wanted) return true;
    if (!bound.expired()) continue;
    bound.give_up(p.signals, static_cast<std::uint64_t>(p.credits[k].signal), wanted, seen);
    return false;
  }
}

/// The thread's pair of every message, all polled at once until the last is there. False: gave up.
__device__ bool receive(const packed_hops& p, const packed_hops::receiving (&from)[peers],
                        int count, const device_guard& guard, std::uint64_t offset, unsigned j,
                        std::uint64_t tag, word_pair (&seen)[peers]) {
  device_wait_bound bound(guard, from[0].peer);
  while (true) {
    bool all = true;
#pragma unroll
    for (int k = 0; k < peers; ++k) {
      seen[k] = {tag, tag};
      if (k < count && 8 * j < from[k].bytes)
        device_detail::load_relaxed(from[k].words + offset + 2 * j, seen[k].low, seen[k].high);
    }
#pragma unroll
    for (int k = 0; k < peers; ++k) all = all && seen[k].arrived(tag);
    if (all) return true;
    if (!bound.expired()) continue;
    std::uint64_t found = 0;
#pragma unroll
    for (int k = 0; k < peers; ++k) {
      if (seen[k].arrived(tag)) continue;
      bound.blame(from[k].peer);
      found = seen[k].low;
    }
    bound.give_up(p.inbox, offset + 2 * j, tag, found);
    return false;
  }
}

/// Operands in the order of ranks; as many values of T as eight bytes hold.
template <class T>
__device__ std::uint64_t sum_of(const packed_hops& p, std::uint64_t own,
                                const word_pair (&seen)[peers], reduction op) {
  constexpr int each = 8 / sizeof(T);
  T sum[each]{};
  const auto take = [&](std::uint64_t data, bool first) {
    T next[each];
    memcpy(next, &data, sizeof data);
    for (int e = 0; e < each; ++e) sum[e] = first ? next[e] : combine(sum[e], next[e], op);
  };
  if (p.own_part == 0) take(own, true);
#pragma unroll
  for (int k = 0; k < peers; ++k) {
    if (k >= p.receive_count) continue;
    take(seen[k].data(), k == 0 && p.own_part != 0);
    if (p.own_part == k + 1) take(own, false);
  }
  std::uint64_t data;
  memcpy(&data, sum, sizeof data);
  return data;
}

/// By a thread of each block, when the block has read the epoch: the last block's.
__device__ void count_epoch(const packed_hops& p, std::uint64_t epoch) {
  const bool last = gridDim.x == 1 || (atomicAdd(p.arrivals, 1u) + 1) % gridDim.x == 0;
  if (last) *p.epoch = epoch;
}

/// Two: with a second hop, which one alone does not pay for.
template <class T, bool Two>
__global__ void __launch_bounds__(packed_hops::most_threads, 1)
    hops_kernel(const __grid_constant__ packed_hops p, const __grid_constant__ device_guard guard,
                reduction op) {
  const unsigned me = threadIdx.x, j = blockIdx.x * blockDim.x + me;
  begin_turn();
  const std::uint64_t epoch = *p.epoch + 1;
  std::uint64_t data[peers];
#pragma unroll
  for (int k = 0; k < peers; ++k)
    data[k] = k < p.send_count ? load_pair(p.sends[k].from, j, p.sends[k].bytes) : 0;
  const std::uint64_t own = load_pair(p.kept, j, p.kept_bytes);
  bool alive = true;
  if (me < p.credit_count) alive = await_credit(p, guard, static_cast<int>(me), epoch);
  // All have read the epoch, and what others of the block may write over.
  alive = __syncthreads_and(alive) != 0;
  if (me == 0) count_epoch(p, epoch);
  if (!alive) return;

  const auto turn = static_cast<unsigned>(epoch) & static_cast<unsigned>(p.turns - 1);
  const std::uint64_t tag = epoch << 32;
#pragma unroll
  for (int k = 0; k < peers; ++k) {
    if (k >= p.send_count || 8 * j >= p.sends[k].bytes) continue;
    const auto pair = word_pair::of(data[k], tag);
    device_detail::store_relaxed(p.sends[k].words + turn * p.sends[k].stride + 2 * j, pair.low,
                                 pair.high);
  }
  if (j < p.grant_count && (turn & static_cast<unsigned>(p.turns / 2 - 1)) == 0)
    device_detail::store_relaxed(p.grants[j], epoch - 1);
  if (p.kept_to != nullptr) {
    store_pair(p.kept_to, j, p.kept_bytes, own);
    const unsigned threads = gridDim.x * blockDim.x;  // more is kept than a message has
    for (unsigned i = j + threads; 8 * i < p.kept_bytes; i += threads)
      store_pair(p.kept_to, i, p.kept_bytes, load_pair(p.kept, i, p.kept_bytes));
  }
  const std::uint64_t offset = std::uint64_t{turn} * p.stride;
  word_pair seen[peers];
  std::uint64_t passed = 0;
  if (p.receive_count != 0) {
    if (!receive(p, p.receives, p.receive_count, guard, offset, j, tag, seen)) return;
    passed = p.own_part >= 0 ? sum_of<T>(p, own, seen, op) : seen[0].data();
  }
  if constexpr (Two) {
    const auto pair = word_pair::of(passed, tag);
#pragma unroll
    for (int k = 0; k < peers; ++k)
      if (k < p.relay_count && 8 * j < p.relay_bytes)
        device_detail::store_relaxed(p.relays[k].words + turn * p.relays[k].stride + 2 * j,
                                     pair.low, pair.high);
  }
  if (p.own_part >= 0) {
    if (p.sum_to != nullptr) store_pair(p.sum_to, j, p.sum_bytes, passed);
  } else {
#pragma unroll
    for (int k = 0; k < peers; ++k)
      if (k < p.receive_count && p.receives[k].to != nullptr)
        store_pair(p.receives[k].to, j, p.receives[k].bytes, seen[k].data());
  }
  if constexpr (Two) {
    if (p.later_count == 0) return;
    if (!receive(p, p.later, p.later_count, guard, offset, j, tag, seen)) return;
#pragma unroll
    for (int k = 0; k < peers; ++k)
      if (k < p.later_count) store_pair(p.later[k].to, j, p.later[k].bytes, seen[k].data());
  }
}

}  // namespace

void run(element_type type, reduction op, const packed_hops& what, const device_guard& guard,
         const stream& on) {
  with_type(type, [&]<class T>(T) {
    const bool two = what.relay_count + what.later_count != 0;
    launch_early(two ? hops_kernel<T, true> : hops_kernel<T, false>, what.blocks, what.threads, on,
                 what, guard, op);
  });
}

}  // namespace gossamer::collective_gpu
