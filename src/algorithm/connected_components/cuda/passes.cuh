// Kernels of components. A thread a vertex, but where rows are hooked whole: there a warp shares
// the arcs of its 32 rows evenly, collects those to be hooked until it has one a lane, and leaves
// long rows to a list of chunks, a warp each.
//
// Indices have 64 bits. Labels are read and written by hook.cuh's rules, all else is written by one
// kernel and read by later ones.
#pragma once

#include "algorithm/connected_components/cuda/hook.cuh"
#include "algorithm/connected_components/cuda/passes.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/cuda/warp.cuh"

namespace gossamer::components_detail::cuda {

using algorithm_detail::cuda::inclusive_sum;
using algorithm_detail::cuda::lane_id;
using algorithm_detail::cuda::lanes_below;
using algorithm_detail::cuda::row_of_arc;
using algorithm_detail::cuda::whole_warp;

inline constexpr int block_threads = 256;
inline constexpr int drawn_labels = 512;      ///< of guess_largest, which is one block
inline constexpr int compressed_at_once = 4;  ///< labels of a thread: 0.33 to 0.25 ms, road:5000

__device__ inline std::int64_t thread_number() {
  return std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
}
__device__ inline std::int64_t thread_count() {
  return std::int64_t{gridDim.x} * block_threads;
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    survey_kernel(const Id* columns, std::int64_t arcs, vertex_span* span) {
  long long low = span->from, high = span->to;
  for (std::int64_t k = thread_number(); k < arcs; k += thread_count()) {
    const long long v = columns[k];
    low = v < low ? v : low;
    high = v + 1 > high ? v + 1 : high;
  }
  for (int d = 16; d > 0; d /= 2) {
    const long long other_low = __shfl_xor_sync(whole_warp, low, d),
                    other_high = __shfl_xor_sync(whole_warp, high, d);
    low = other_low < low ? other_low : low;
    high = other_high > high ? other_high : high;
  }
  if (lane_id() != 0) return;
  atomicMin(reinterpret_cast<long long*>(&span->from), low);
  atomicMax(reinterpret_cast<long long*>(&span->to), high);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    begin_kernel(device_rows<Id> rows, vertex_span touched, Id* labels, run_state* state) {
  const std::int64_t v = touched.from + thread_number();
  if (thread_number() == 0) state->chunks = 0;
  if (v >= touched.to) return;
  const std::int64_t i = v - rows.first;
  Id label = static_cast<Id>(v);
  if (i >= 0 && i < rows.rows && rows.offsets[i] < rows.offsets[i + 1]) {
    const Id u = rows.columns[rows.offsets[i] - rows.base];
    label = u < label ? u : label;
  }
  labels[v] = label;
}

template <class Id>
__global__ void __launch_bounds__(block_threads) second_kernel(device_rows<Id> rows, Id* labels) {
  const std::int64_t i = thread_number();
  if (i >= rows.rows) return;
  const edge_offset begin = rows.offsets[i] - rows.base, end = rows.offsets[i + 1] - rows.base;
  if (begin == end) return;
  const Id v = static_cast<Id>(rows.first + i), u = rows.columns[begin];
  if (u > v) hook(labels, v, u);
  if (end - begin > 1) hook(labels, v, rows.columns[begin + 1]);
}

template <class Id>
__global__ void __launch_bounds__(block_threads) compress_kernel(vertex_span of, Id* labels) {
  const std::int64_t first = std::int64_t{blockIdx.x} * block_threads * compressed_at_once;
  const std::int64_t v = of.from + first + threadIdx.x;
  if (v < of.to) compress_labels<compressed_at_once>(labels, v, block_threads, of.to);
}

/// Every label drawn counts those equal to it: 512 broadcast reads of shared memory a thread.
template <class Id>
__global__ void __launch_bounds__(drawn_labels)
    guess_kernel(std::int64_t vertices, const Id* labels, run_state* state) {
  __shared__ Id drawn[drawn_labels];
  __shared__ unsigned most;
  const int count = vertices < drawn_labels ? static_cast<int>(vertices) : drawn_labels;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) most = 0;
  if (t < count) drawn[t] = root_of(labels, static_cast<Id>(vertices / count * t));
  __syncthreads();
  unsigned same = 0;
  if (t < count)
    for (int j = 0; j < count; ++j) same += drawn[j] == drawn[t];
  if (same != 0) atomicMax(&most, same * drawn_labels + static_cast<unsigned>(t));
  __syncthreads();
  if (t == 0) state->largest = drawn[most % drawn_labels];
}

template <class Id>
__global__ void note_kernel(Id vertex, const Id* labels, run_state* state) {
  state->largest = root_of(labels, vertex);
}

/// Whether the rest of row v is to be hooked. A row may be left out whenever its vertex is
/// connected with state->largest, from then on for ever: an arc that both ends' rows leave out
/// joins what is joined. On several ranks the vertex `largest` was the root of is the same, and
/// each may connect it in its own way: merged, both hold.
template <class Id>
__device__ inline bool wanted(const Id* labels, Id v, arcs_left which, Id largest) {
  if (which != arcs_left::outside) return true;
  if (load_label(labels, v, true) == largest) return false;
  return root_of(labels, v) != root_of(labels, largest);
}

/// Arcs that a warp has found and not hooked yet, in shared memory. A hook is a chain of reads, as
/// long for one lane as for all: so arcs wait until there is one for each.
template <class Id>
class arc_queue {
 public:
  struct arc {
    Id from, to;
  };
  static constexpr int capacity = 64;

  __device__ arc_queue(Id* labels, arc* slots) : labels_(labels), slots_(slots) {}

  /// This lane's arc, when `mine`. Whole warps call.
  __device__ void add(bool mine, Id from, Id to) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (mine) slots_[filled_ + __popc(who & lanes_below())] = {from, to};
    filled_ += __popc(who);
    __syncwarp();
    if (filled_ >= 32) hook_last(32);
  }
  __device__ void finish() { hook_last(filled_); }

 private:
  __device__ void hook_last(int count) {
    filled_ -= count;
    const int i = static_cast<int>(lane_id());
    if (i < count) {
      const arc a = slots_[filled_ + i];
      hook(labels_, a.from, a.to);
    }
    __syncwarp();  // places may be filled again
  }

  Id* labels_;
  arc* slots_;
  int filled_ = 0;  // the same in all lanes
};

template <class Id>
__device__ inline bool to_be_hooked(Id from, Id to, arcs_left which) {
  return which != arcs_left::smaller || to < from;
}

/// Lists the chunks of the warp's long rows; returns the arcs this lane's row has left here.
__device__ inline int list_chunks(run_state* state, row_chunk* chunks, std::int64_t row,
                                  edge_offset begin, edge_offset length) {
  const bool is_long = length >= chunk_arcs;
  if (__ballot_sync(whole_warp, is_long) == 0) return static_cast<int>(length);
  const unsigned long long mine =
      is_long ? static_cast<unsigned long long>((length + chunk_arcs - 1) / chunk_arcs) : 0;
  const unsigned long long up_to = inclusive_sum(mine);
  unsigned long long at = 0;
  if (lane_id() == 31) at = atomicAdd(&state->chunks, up_to);
  at = __shfl_sync(whole_warp, at, 31) + up_to - mine;
  for (unsigned long long c = 0; c < mine; ++c)
    chunks[at + c] = {row, begin + static_cast<edge_offset>(c) * chunk_arcs};
  return is_long ? 0 : static_cast<int>(length);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    rest_kernel(device_rows<Id> rows, arcs_left which, int done, Id* labels, run_state* state,
                row_chunk* chunks) {
  __shared__ typename arc_queue<Id>::arc slots[block_threads / 32][arc_queue<Id>::capacity];
  arc_queue<Id> found(labels, slots[threadIdx.x / 32]);
  for (std::int64_t i = thread_number(); i - lane_id() < rows.rows; i += thread_count()) {
    const Id v = static_cast<Id>(rows.first + i);
    edge_offset begin = 0, length = 0;
    if (i < rows.rows && wanted(labels, v, which, static_cast<Id>(state->largest))) {
      begin = rows.offsets[i] + done;
      length = rows.offsets[i + 1] - begin;
      length = length > 0 ? length : 0;
    }
    const int mine =
        chunks != nullptr ? list_chunks(state, chunks, i, begin, length) : static_cast<int>(length);
    const int up_to = inclusive_sum(mine), total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset base = begin - (up_to - mine);  // arc j of the warp is base + j in its row
    for (int first = 0; first < total; first += 32) {
      const int j = first + static_cast<int>(lane_id());
      const int row = row_of_arc(up_to, j);
      const edge_offset arc = __shfl_sync(whole_warp, base, row) + j;
      const Id from = __shfl_sync(whole_warp, v, row);
      const Id to = j < total ? rows.columns[arc - rows.base] : from;
      found.add(j < total && to_be_hooked(from, to, which), from, to);
    }
  }
  found.finish();
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    chunks_kernel(device_rows<Id> rows, arcs_left which, Id* labels, const run_state* state,
                  const row_chunk* chunks) {
  const auto count = static_cast<std::int64_t>(state->chunks);
  for (std::int64_t c = thread_number() / 32; c < count; c += thread_count() / 32) {
    const row_chunk chunk = chunks[c];
    const Id v = static_cast<Id>(rows.first + chunk.row);
    if (!wanted(labels, v, which, static_cast<Id>(state->largest))) continue;
    const edge_offset row_end = rows.offsets[chunk.row + 1], full = chunk.begin + chunk_arcs;
    const edge_offset end = row_end < full ? row_end : full;
    for (edge_offset k = chunk.begin + lane_id(); k < end; k += 32) {
      const Id to = rows.columns[k - rows.base];
      if (to_be_hooked(v, to, which)) hook(labels, v, to);
    }
  }
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    adopt_kernel(vertex_span of, std::int64_t lowest, const Id* theirs, Id* labels) {
  const std::int64_t i = thread_number(), v = of.from + i;
  if (v >= of.to) return;
  const Id label = theirs[i];
  labels[v] = label >= lowest && label < v ? label : static_cast<Id>(v);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    merge_kernel(vertex_span of, std::int64_t lowest, const Id* theirs, Id* labels) {
  const std::int64_t i = thread_number(), v = of.from + i;
  if (v >= of.to) return;
  const Id label = theirs[i];
  if (label >= lowest && label < v) hook(labels, static_cast<Id>(v), label);
}

}  // namespace gossamer::components_detail::cuda
