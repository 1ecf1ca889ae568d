// Kernels of components. Most have a thread for each vertex. Where rows are hooked whole, a warp
// shares the arcs of its 32 rows evenly, and collects those to be hooked until it has one a lane.
// Long rows go to a list of chunks, a warp each.
//
// Indices have 64 bits. Labels are read and written by hook.cuh's rules, all else is written by one
// kernel and read by later ones.
#pragma once

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/sync/cuda/arc_queue.cuh"
#include "algorithm/components/sync/cuda/hook.cuh"
#include "algorithm/components/sync/cuda/launch_passes.cuh"
#include "algorithm/components/sync/cuda/passes.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::components_detail::cuda {

using dataflow::cuda::inclusive_sum;
using dataflow::cuda::lane_id;
using dataflow::cuda::row_of_arc;
using dataflow::cuda::whole_warp;

inline constexpr int drawn_labels = 512;      ///< of guess_largest, which is one block
inline constexpr int compressed_at_once = 4;  ///< labels of a thread: 0.33 to 0.25 ms, road:5000

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
    label = u < label && u >= rows.lowest ? u : label;
  }
  labels[v] = label;
}

template <class Id>
__global__ void __launch_bounds__(block_threads) second_kernel(device_rows<Id> rows, Id* labels) {
  const std::int64_t i = thread_number();
  const bool row = i < rows.rows;
  const edge_offset begin = row ? rows.offsets[i] - rows.base : 0,
                    end = row ? rows.offsets[i + 1] - rows.base : 0;
  const Id v = static_cast<Id>(rows.first + i);
  const Id first = begin < end ? rows.columns[begin] : v;
  hook(labels, first > v, v, first);
  const bool more = begin + 1 < end;
  hook(labels, more, v, more ? rows.columns[begin + 1] : v);
}

/// Joins without swaps, over compressed labels: of all roots that a root might be hooked onto the
/// last one written stays. A root that has an arc to a smaller one stops being a root all the same,
/// so that two passes leave few.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    loose_kernel(device_rows<Id> rows, int arc, Id* labels) {
  const std::int64_t i = thread_number();
  if (i >= rows.rows) return;
  const edge_offset at = rows.offsets[i] + arc;
  if (at >= rows.offsets[i + 1]) return;
  const Id a = root_of(labels, static_cast<Id>(rows.first + i)),
           b = root_of(labels, rows.columns[at - rows.base]);
  if (a != b) store_label(labels, a < b ? b : a, a < b ? a : b);
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

template <class Id>
__device__ inline bool to_be_hooked(Id from, Id to, arcs_left which, std::int64_t lowest) {
  return which != arcs_left::smaller || (to < from && to >= lowest);
}

/// Which row a lane has next: warps take `run` times 32 rows at a time, in turns.
class rows_in_runs {
 public:
  __device__ explicit rows_in_runs(std::int64_t run) : run_(run), left_(run) {}
  __device__ std::int64_t first() { return at_ = thread_number() / 32 * run_ * 32 + lane_id(); }
  __device__ std::int64_t next() {
    at_ += 32;
    if (--left_ > 0) return at_;
    left_ = run_;
    return at_ += (thread_count() / 32 - 1) * run_ * 32;
  }

 private:
  std::int64_t run_, left_, at_ = 0;
};

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
                row_chunk* chunks, std::int64_t run) {
  __shared__ typename arc_queue<Id>::arc slots[block_threads / 32][arc_queue<Id>::capacity];
  arc_queue<Id> found(labels, slots[threadIdx.x / 32]);
  rows_in_runs mine_of(run);
  for (std::int64_t i = mine_of.first(); i - lane_id() < rows.rows; i = mine_of.next()) {
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
      found.add(j < total && to_be_hooked(from, to, which, rows.lowest), from, to);
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
    const bool look = wanted(labels, v, which, static_cast<Id>(state->largest));
    if (!__any_sync(whole_warp, look)) continue;  // labels change: lanes may have seen others
    const edge_offset row_end = rows.offsets[chunk.row + 1], full = chunk.begin + chunk_arcs;
    const edge_offset end = row_end < full ? row_end : full;
    for (edge_offset from = chunk.begin; from < end; from += 32) {
      const edge_offset k = from + lane_id();
      const Id to = k < end ? rows.columns[k - rows.base] : v;
      hook(labels, to != v && to_be_hooked(v, to, which, rows.lowest), v, to);
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
  const Id own = static_cast<Id>(v), label = v < of.to ? theirs[i] : own;
  hook(labels, label >= lowest && label < own, own, label);
}

}  // namespace gossamer::components_detail::cuda
