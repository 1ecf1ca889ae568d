// Checking a tree in parts on a GPU: a thread a vertex, then a warp a row.
#include "algorithm/bfs/verify/verify_part.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::bfs_detail::cuda {

namespace {

using word = unsigned long long;

constexpr unsigned whole_warp = 0xffffffffu;
constexpr unsigned threads = 256;
/// Enough to fill any GPU some times over; rows are then strided.
constexpr std::int64_t most_blocks = 1 << 16;

__device__ std::int64_t thread_id() {
  return std::int64_t{blockIdx.x} * threads + threadIdx.x;
}
__device__ std::int64_t all_threads() {
  return std::int64_t{gridDim.x} * threads;
}

__device__ unsigned lane_id() {
  return threadIdx.x % 32;
}

template <class Level>
__global__ void narrow_kernel(const std::int32_t* depths, std::int64_t rows, Level* own) {
  for (std::int64_t i = thread_id(); i < rows; i += all_threads())
    own[i] = static_cast<Level>(depths[i]);
}

template <class Id, class Level>
__global__ void vertices_kernel(part_view<Id, Level> part, word* first) {
  for (std::int64_t i = thread_id(); i < part.rows; i += all_threads())
    if (part.vertex(i) != vertex_fault::none) atomicMin(first, static_cast<word>(i));
}

template <class Id, class Level>
__global__ void rows_kernel(part_view<Id, Level> part, word* first) {
  for (std::int64_t i = thread_id() / 32; i < part.rows; i += all_threads() / 32) {
    if (part.levels[part.first + i] == part_view<Id, Level>::unreached) continue;
    bool met = part.first + i == part.source;
    const bool holds = part.arcs_hold(i, lane_id(), 32, met);
    if (__all_sync(whole_warp, holds) == 0 || __any_sync(whole_warp, met) == 0)
      if (lane_id() == 0) atomicMin(first, static_cast<word>(i));
  }
}

__global__ void deepest_kernel(const std::int32_t* depths, std::int64_t rows, word* most) {
  int mine = -1;
  for (std::int64_t i = thread_id(); i < rows; i += all_threads())
    mine = depths[i] > mine ? depths[i] : mine;
  mine = __reduce_max_sync(whole_warp, mine);
  if (lane_id() == 0) atomicMax(most, static_cast<word>(mine + 1));
}

__global__ void ends_kernel(const std::int32_t* depths, const std::int64_t* ends, std::int64_t rows,
                            word* sum) {
  word mine = 0;
  for (std::int64_t i = thread_id(); i < rows; i += all_threads())
    if (depths[i] >= 0) mine += static_cast<word>(ends[i]);
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(whole_warp, mine, d);
  if (lane_id() == 0 && mine != 0) atomicAdd(sum, mine);
}

void launched() {
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

/// A word of device memory that kernels of a rank's stream agree on.
class shared_word {
 public:
  shared_word(rank& r, std::int64_t begin)
      : rank_(r), word_(make_native_buffer<std::int64_t>(r.dev(), 1)) {
    copy_bytes(word_.data(), &begin, sizeof begin);
  }
  [[nodiscard]] word* data() const { return reinterpret_cast<word*>(word_.data()); }
  /// Its value after all that was launched.
  [[nodiscard]] std::int64_t wait() const {
    launched();
    rank_.synchronize();
    std::int64_t value = 0;
    copy_bytes(&value, word_.data(), sizeof value);
    return value;
  }

 private:
  rank& rank_;
  buffer<std::int64_t> word_;
};

/// kernel(arguments…) over `items` threads' worth of work.
template <class... Parameters, class... Arguments>
void start(const rank& r, std::int64_t items, void (*kernel)(Parameters...),
           const Arguments&... arguments) {
  if (items == 0) return;
  const auto blocks = static_cast<unsigned>(std::min(most_blocks, (items + threads - 1) / threads));
  kernel<<<blocks, threads, 0, static_cast<cudaStream_t>(r.stream().native())>>>(arguments...);
}

}  // namespace

template <class Id, class Level>
void narrow_depths(rank& r, const part_view<Id, Level>& part, Level* own) {
  start(r, part.rows, narrow_kernel<Level>, part.depths, part.rows, own);
  launched();
  r.synchronize();
}

template <class Id, class Level>
std::int64_t first_fault(rank& r, const part_view<Id, Level>& part, bool arcs) {
  const shared_word first(r, no_fault);
  if (arcs)
    start(r, part.rows * 32, rows_kernel<Id, Level>, part, first.data());
  else
    start(r, part.rows, vertices_kernel<Id, Level>, part, first.data());
  return first.wait();
}

std::int64_t deepest(rank& r, const std::int32_t* depths, std::int64_t rows) {
  const shared_word most(r, 0);
  start(r, rows, deepest_kernel, depths, rows, most.data());
  return most.wait() - 1;
}

std::int64_t ends_of_reached(rank& r, const std::int32_t* depths, const std::int64_t* ends,
                             std::int64_t rows) {
  const shared_word sum(r, 0);
  start(r, rows, ends_kernel, depths, ends, rows, sum.data());
  return sum.wait();
}

GOSSAMER_VERIFY_PARTS

}  // namespace gossamer::bfs_detail::cuda
