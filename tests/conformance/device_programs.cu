// Kernels of device_programs.hpp.
#include "conformance/device_programs.hpp"

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/scalar_device.cuh"
#include "gossamer/fabric/barrier_device.cuh"

namespace gossamer::conformance {

namespace {

__device__ std::uint64_t word(int from, int to, int index, int round) {
  std::uint64_t x = ((static_cast<std::uint64_t>(from) * 64 + to) * 65536 + round) * 65536 + index;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

__device__ void note(device_findings* found, bool right) {
  atomicAdd(&found->checked, 1u);
  if (!right) atomicAdd(&found->wrong, 1u);
}

__device__ void note_gave_up(device_findings* found) {
  found->gave_up = 1;
}

// A warp's result: every lane has it.
__device__ void note_once(device_findings* found, bool right) {
  right = __all_sync(0xffffffffu, right) != 0;
  if (threadIdx.x % 32 == 0) note(found, right);
}

// One thread waits, all learn the outcome.
__device__ bool block_wait(const device_signals& s, const device_guard& guard, std::size_t index,
                           std::uint64_t value, int from) {
  __shared__ bool ok;
  __syncthreads();
  if (threadIdx.x == 0) ok = s.wait(guard, index, value, from);
  __syncthreads();
  return ok;
}

__global__ void put_rounds(device_guard guard, device_window<std::uint64_t> w,
                           device_signals arrived, device_signals read, std::uint64_t* from, int n,
                           int rounds, device_findings* found) {
  const int me = guard.rank, p = guard.ranks;
  for (int round = 1; round <= rounds; ++round) {
    for (int k = 0; k < p; ++k) {
      const int peer = (me + k) % p;
      if (!block_wait(read, guard, peer, round - 1, peer)) {
        found->gave_up = 1;
        return;
      }
      for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
        from[i] = word(me, peer, i, round);
      __syncthreads();
      put_signal_block(w, peer, static_cast<std::size_t>(me) * n, from, n, arrived, me, round);
    }
    for (int peer = 0; peer < p; ++peer) {
      if (!block_wait(arrived, guard, peer, round, peer)) {
        found->gave_up = 1;
        return;
      }
      for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
        note(found, w.mine[static_cast<std::size_t>(peer) * n + i] == word(peer, me, i, round));
      __syncthreads();
      if (threadIdx.x == 0) read.set(peer, me, round);
    }
  }
}

__global__ void gets(device_guard guard, device_window<std::uint64_t> w, device_signals met,
                     std::uint64_t* into, int n, int rounds, device_findings* found) {
  const int me = guard.rank, p = guard.ranks, thread = static_cast<int>(threadIdx.x);
  std::uint64_t epoch = 0;
  for (int round = 1; round <= rounds; ++round) {
    for (int i = thread; i < n; i += static_cast<int>(blockDim.x))
      w.mine[i] = word(me, 0, i, round);
    if (!rank_barrier(guard, met, 0, ++epoch)) return note_gave_up(found);
    for (int k = 0; k < p; ++k) {
      const int peer = (me + k) % p;
      w.get_block(peer, 0, into, n);
      for (int i = thread; i < n; i += static_cast<int>(blockDim.x))
        note(found, into[i] == word(peer, 0, i, round));
      if (n > 0 && thread == 0) note(found, w.get(peer, n - 1) == word(peer, 0, n - 1, round));
      __syncthreads();
    }
    if (!rank_barrier(guard, met, 0, ++epoch)) return note_gave_up(found);
  }
}

// Elements 0 and 1 of every rank: counted by additions, and by swaps.
template <class T>
__global__ void counts(device_guard guard, device_window<T> w, int times, device_findings* found) {
  for (int i = 0; i < times; ++i)
    for (int peer = 0; peer < guard.ranks; ++peer) {
      const T before = w.fetch_add(peer, 0, 1);
      note(found, before < static_cast<T>(guard.ranks * times * static_cast<int>(blockDim.x)));
      T seen = w.get(peer, 1);
      for (T now = w.compare_and_swap(peer, 1, seen, seen + 1); now != seen;
           now = w.compare_and_swap(peer, 1, seen, seen + 1))
        seen = now;
    }
}

__global__ void adds(device_guard guard, device_signals flags, int times) {
  for (int i = 0; i < times; ++i)
    for (int peer = 0; peer < guard.ranks; ++peer) flags.add(peer, 0, 1);
}

__global__ void ring(device_guard guard, device_window<std::uint64_t> w, device_signals flags,
                     int laps, device_findings* found) {
  const int me = guard.rank, p = guard.ranks, next = (me + 1) % p, before = (me + p - 1) % p;
  for (int lap = 1; lap <= laps; ++lap) {
    std::uint64_t token = 0;
    if (me != 0 || lap > 1) {
      if (!flags.wait(guard, 0, me == 0 ? lap - 1 : lap, before)) {
        found->gave_up = 1;
        return;
      }
      token = *w.mine;
      note(found, token == static_cast<std::uint64_t>(lap - 1) * p + me);
    }
    w.put(next, 0, token + 1);
    flags.set(next, 0, lap);
  }
}

template <class T>
__device__ T value_of(int rank, int epoch) {
  return static_cast<T>((rank + 1) * 3 + epoch % 100);
}

template <class T>
__device__ void one_epoch(const device_scalar<T>& handle, int epoch, T* all, bool& ok,
                          device_findings* found) {
  scalar_caller<T> s(handle);
  const int p = handle.guard.ranks;
  const T mine = value_of<T>(handle.guard.rank, epoch);
  T sum = value_of<T>(0, epoch), low = sum, high = sum;
  for (int r = 1; r < p; ++r) {
    const T v = value_of<T>(r, epoch);
    sum = sum + v;
    low = v < low ? v : low;
    high = high < v ? v : high;
  }
  const auto order = epoch % 2 == 0 ? scalar_order::none : scalar_order::both;
  note_once(found, s.allreduce(mine, device_sum{}, ok, order) == sum);
  note_once(found, s.allreduce(mine, device_min{}, ok) == low);
  note_once(found, s.allreduce(mine, device_max{}, ok) == high);
  s.allgather(mine, all, ok, order);
  for (int r = 0; r < p; ++r) note_once(found, all[r] == value_of<T>(r, epoch));
}

__global__ void scalars(device_scalar<std::int32_t> a, device_scalar<std::uint64_t> b,
                        device_scalar<double> c, device_scalar<float> d, std::uint64_t* room,
                        int first, int epochs, device_findings* found) {
  bool ok = true;
  for (int e = first; e < first + epochs && ok; ++e) {
    one_epoch(a, e, reinterpret_cast<std::int32_t*>(room), ok, found);
    one_epoch(b, e, room, ok, found);
    one_epoch(c, e, reinterpret_cast<double*>(room), ok, found);
    one_epoch(d, e, reinterpret_cast<float*>(room), ok, found);
    std::uint64_t bits = 0;
    for (int r = 0; r < b.guard.ranks; ++r) bits |= std::uint64_t{1} << (r + e % 40);
    scalar_caller<std::uint64_t> s(b);
    note_once(found, s.allreduce(std::uint64_t{1} << (b.guard.rank + e % 40), device_bit_or{},
                                 ok) == bits);
  }
  if (!ok) found->gave_up = 1;
}

__global__ void grid_barriers(device_guard guard, std::uint32_t* state, std::uint32_t* slots,
                              int rounds, device_findings* found) {
  for (std::uint32_t round = 1; round <= static_cast<std::uint32_t>(rounds); ++round) {
    if (threadIdx.x == blockDim.x - 1) slots[blockIdx.x] = round;
    if (!grid_barrier(guard, state, gridDim.x)) {
      found->gave_up = 1;
      return;
    }
    if (threadIdx.x < gridDim.x)
      note(found, *const_cast<volatile std::uint32_t*>(slots + threadIdx.x) == round);
    if (!grid_barrier(guard, state, gridDim.x)) return;
  }
}

__global__ void wait_only(device_guard guard, device_signals flags, std::size_t index,
                          std::uint64_t value, int from, device_findings* found) {
  if (!flags.wait(guard, index, value, from)) found->gave_up = 1;
}

__global__ void lonely(device_scalar<std::int32_t> s, device_findings* found) {
  bool ok = true;
  scalar_caller<std::int32_t>(s).allreduce(1, device_sum{}, ok);
  if (!ok) found->gave_up = 1;
}

__global__ void incomplete(device_guard guard, std::uint32_t* state, device_findings* found) {
  if (blockIdx.x == 1) return;
  if (!grid_barrier(guard, state, gridDim.x)) found->gave_up = 1;
}

cudaStream_t native(rank& r) {
  return static_cast<cudaStream_t>(r.stream().native());
}

// Code is loaded at the first use of a kernel, which may wait for running kernels: load it on all
// ranks before any rank's kernel waits for another's.
template <class Kernel>
void load_everywhere(rank& r, Kernel kernel) {
  cudaFuncAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  r.barrier();
}

std::uint32_t* zeroed(rank& r, std::size_t n) {
  auto memory = r.scratch<std::uint32_t>(n);
  r.fill(memory.data(), 0, n * sizeof(std::uint32_t));
  return memory.data();
}

}  // namespace

void queue_put_rounds(rank& r, const window<std::uint64_t>& w, const signal_set& arrived,
                      const signal_set& read, int n, int rounds, device_findings* found) {
  auto from = r.scratch<std::uint64_t>(static_cast<std::size_t>(n));
  load_everywhere(r, put_rounds);
  put_rounds<<<1, 64, 0, native(r)>>>(r.guard(), device_handle(w), device_handle(arrived),
                                      device_handle(read), from.data(), n, rounds, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void queue_gets(rank& r, const window<std::uint64_t>& w, const signal_set& met, int n, int rounds,
                device_findings* found) {
  auto into = r.scratch<std::uint64_t>(static_cast<std::size_t>(n));
  load_everywhere(r, gets);
  gets<<<1, 64, 0, native(r)>>>(r.guard(), device_handle(w), device_handle(met), into.data(), n,
                                rounds, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

template <class T>
void queue_counts(rank& r, const window<T>& w, int times, device_findings* found) {
  load_everywhere(r, counts<T>);
  counts<<<1, 32, 0, native(r)>>>(r.guard(), device_handle(w), times, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}
template void queue_counts(rank&, const window<std::uint32_t>&, int, device_findings*);
template void queue_counts(rank&, const window<std::uint64_t>&, int, device_findings*);

void queue_adds(rank& r, const signal_set& flags, int times) {
  load_everywhere(r, adds);
  adds<<<2, 32, 0, native(r)>>>(r.guard(), device_handle(flags), times);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void queue_ring(rank& r, const window<std::uint64_t>& w, const signal_set& flags, int laps,
                device_findings* found) {
  load_everywhere(r, ring);
  ring<<<1, 1, 0, native(r)>>>(r.guard(), device_handle(w), device_handle(flags), laps, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void queue_scalars(rank& r, int epochs, int launches, device_findings* found,
                   std::uint32_t first_epoch) {
  auto a = make_device_scalar<std::int32_t>(r, first_epoch);
  auto b = make_device_scalar<std::uint64_t>(r, first_epoch);
  auto c = make_device_scalar<double>(r, first_epoch);
  auto d = make_device_scalar<float>(r, first_epoch);
  auto room = r.scratch<std::uint64_t>(static_cast<std::size_t>(r.size()));
  load_everywhere(r, scalars);
  for (int k = 0; k < launches; ++k) {
    scalars<<<1, 32, 0, native(r)>>>(a, b, c, d, room.data(), k * epochs, epochs, found);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  }
}

void queue_grid_barriers(rank& r, int blocks, int rounds, device_findings* found) {
  auto* state = zeroed(r, 2);
  auto* slots = zeroed(r, static_cast<std::size_t>(blocks));
  load_everywhere(r, grid_barriers);
  for (int k = 0; k < 2; ++k) {  // the state serves the next kernel as well
    grid_barriers<<<blocks, 32, 0, native(r)>>>(r.guard(), state, slots, rounds, found);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  }
}

void queue_wait(rank& r, const signal_set& flags, std::size_t index, std::uint64_t value, int from,
                device_findings* found) {
  load_everywhere(r, wait_only);
  wait_only<<<1, 1, 0, native(r)>>>(r.guard(), device_handle(flags), index, value, from, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void queue_lonely_allreduce(rank& r, bool joins, device_findings* found) {
  auto s = make_device_scalar<std::int32_t>(r);
  load_everywhere(r, lonely);
  if (!joins) return;
  lonely<<<1, 32, 0, native(r)>>>(s, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void queue_incomplete_grid_barrier(rank& r, device_findings* found) {
  auto* state = zeroed(r, 2);
  load_everywhere(r, incomplete);
  incomplete<<<3, 32, 0, native(r)>>>(r.guard(), state, found);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer::conformance
