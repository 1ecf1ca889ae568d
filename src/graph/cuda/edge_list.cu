// edge_list: three kernels over the caller's arrays, for each type of ids and size of weights.
#include <limits>
#include <vector>

#include "graph/arc_keys.hpp"
#include "graph/cuda/device_arrays.cuh"
#include "graph/cuda/edge_list.cuh"
#include "graph/listed_both_ways.hpp"

namespace gossamer::detail {
namespace {

/// Edges that a thread reads before it works on them: so many loads are on their way at once.
constexpr int reads = 4;
/// Edges of a thread between two meetings of its block in put_arcs.
constexpr int put_reads = 8;
constexpr int block_warps = block_threads / 32;

/// The arrays as a kernel reads them. Bits: void without weights.
template <class Id, class Bits>
struct edge_arrays {
  const Id* sources;
  const Id* targets;
  const Bits* weights;
  bool real;  ///< weights are floating numbers
  std::int64_t count;
};

struct survey_words {
  long long least, largest;
  word loops, difference, any, all;
};
constexpr survey_words nothing_seen{std::numeric_limits<long long>::max(), -1, 0, 0, 0, ~word{0}};

template <class Id, class Bits>
__global__ void survey_edges(edge_arrays<Id, Bits> list, bool mirrors, std::uint64_t seed,
                             survey_words* found) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  long long least = nothing_seen.least, largest = -1;
  word loops = 0, difference = 0, any = 0, all = ~word{0};
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       i < list.count; i += reads * step) {
    Id u[reads], v[reads];
#pragma unroll
    for (int j = 0; j < reads; ++j) {
      const std::int64_t k = i + j * step < list.count ? i + j * step : i;
      u[j] = list.sources[k];
      v[j] = list.targets[k];
    }
#pragma unroll
    for (int j = 0; j < reads; ++j) {
      if (i + j * step >= list.count) break;
      const auto from = static_cast<std::int64_t>(u[j]), to = static_cast<std::int64_t>(v[j]);
      const long long low = from < to ? from : to, high = from < to ? to : from;
      least = low < least ? low : least;
      largest = high > largest ? high : largest;
      loops += from == to;
      std::uint64_t weight = 0;
      if constexpr (!std::is_void_v<Bits>) {
        const Bits bits = order_bits(list.weights[i + j * step], list.real);
        any |= bits;
        all &= bits;
        if (mirrors) weight = mix64(bits);
      }
      if (mirrors) difference += mirror_difference(seed, from, to, weight);
    }
  }
  least = least_over_warp(least);
  largest = most_over_warp(largest);
  loops = sum_over_warp(loops);
  difference = sum_over_warp(difference);
  any = over_warp(any, [](word a, word b) { return a | b; });
  all = over_warp(all, [](word a, word b) { return a & b; });
  if (threadIdx.x % 32 != 0) return;
  atomicMin(&found->least, least);
  atomicMax(&found->largest, largest);
  if (loops != 0) atomicAdd(&found->loops, loops);
  if (difference != 0) atomicAdd(&found->difference, difference);
  if constexpr (!std::is_void_v<Bits>) {
    atomicOr(&found->any, any);
    atomicAnd(&found->all, all);
  }
}

template <class Id>
__global__ void find_negative(const Id* ids, std::int64_t count, word* lowest) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       i < count; i += step)
    if (static_cast<std::int64_t>(ids[i]) < 0) {
      atomicMin(lowest, static_cast<word>(i));
      return;  // this thread's others come later
    }
}

/// The rows [first, first + rows).
struct row_range {
  std::int64_t first, rows;
  [[nodiscard]] __device__ bool has(std::int64_t v) const {
    return static_cast<word>(v - first) < static_cast<word>(rows);
  }
};

/// counts[b] += arcs of the rows of bucket b, of 2^shift rows each.
template <class Id>
__global__ void count_arcs(edge_arrays<Id, void> list, arcs_wanted wanted, row_range range,
                           int shift, word* counts) {
  __shared__ unsigned mine[edge_list::buckets];
  for (int b = threadIdx.x; b < edge_list::buckets; b += block_threads) mine[b] = 0;
  __syncthreads();
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       i < list.count; i += reads * step) {
    Id u[reads], v[reads];
#pragma unroll
    for (int j = 0; j < reads; ++j) {
      const std::int64_t k = i + j * step < list.count ? i + j * step : i;
      u[j] = list.sources[k];
      v[j] = list.targets[k];
    }
#pragma unroll
    for (int j = 0; j < reads; ++j) {
      if (i + j * step >= list.count) break;
      const auto from = static_cast<std::int64_t>(u[j]), to = static_cast<std::int64_t>(v[j]);
      const bool loop = from == to;
      if (range.has(from) && !(loop && wanted.remove_loops))
        atomicAdd(&mine[(from - range.first) >> shift], 1u);
      if (wanted.mirror && !loop && range.has(to))
        atomicAdd(&mine[(to - range.first) >> shift], 1u);
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < edge_list::buckets; b += block_threads)
    if (mine[b] != 0) atomicAdd(&counts[b], word{mine[b]});
}

/// Keys of the arcs of `range`, from `cursor` on. A block adds to the cursor once for block_threads
/// * put_reads edges; places within come from votes of its warps, whose lanes so write side by
/// side. Nothing is written at `capacity` or behind it, whatever others do to the list meanwhile.
template <class Id, class Bits>
__global__ void put_arcs(edge_arrays<Id, Bits> list, arcs_wanted wanted, row_range range,
                         int id_bits, key_type* keys, Bits* weights, word capacity, word* cursor) {
  constexpr std::int64_t tile = block_threads * put_reads;
  __shared__ unsigned sums[block_warps];
  __shared__ word base;
  const unsigned warp = threadIdx.x / 32, before = (1u << (threadIdx.x % 32)) - 1;
  for (std::int64_t start = blockIdx.x * tile; start < list.count; start += gridDim.x * tile) {
    Id u[put_reads], v[put_reads];
    unsigned out = 0, back = 0;  // bit j: of edge j, (u,v) and (v,u)
#pragma unroll
    for (int j = 0; j < put_reads; ++j) {
      const std::int64_t k = start + j * block_threads + threadIdx.x;
      u[j] = list.sources[k < list.count ? k : start];
      v[j] = list.targets[k < list.count ? k : start];
    }
    unsigned sum = 0;
#pragma unroll
    for (int j = 0; j < put_reads; ++j) {
      const bool exists = start + j * block_threads + threadIdx.x < list.count;
      const auto from = static_cast<std::int64_t>(u[j]), to = static_cast<std::int64_t>(v[j]);
      const bool loop = from == to;
      const bool puts = exists && range.has(from) && !(loop && wanted.remove_loops);
      const bool puts_back = exists && wanted.mirror && !loop && range.has(to);
      out |= static_cast<unsigned>(puts) << j;
      back |= static_cast<unsigned>(puts_back) << j;
      sum += __popc(__ballot_sync(~0u, puts)) + __popc(__ballot_sync(~0u, puts_back));
    }
    if (threadIdx.x % 32 == 0) sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned total = 0;
      for (int w = 0; w < block_warps; ++w) total += sums[w];
      base = atomicAdd(cursor, word{total});
    }
    __syncthreads();
    word at = base;
    for (unsigned w = 0; w < warp; ++w) at += sums[w];
    const auto put = [&](bool puts, std::int64_t row, std::int64_t column, std::int64_t k) {
      const unsigned votes = __ballot_sync(~0u, puts);
      const word slot = at + __popc(votes & before);
      at += __popc(votes);
      if (!puts || slot >= capacity) return;
      keys[slot] =
          static_cast<key_type>(row - range.first) << id_bits | static_cast<key_type>(column);
      if constexpr (!std::is_void_v<Bits>) weights[slot] = order_bits(list.weights[k], list.real);
    };
#pragma unroll
    for (int j = 0; j < put_reads; ++j) {
      const std::int64_t k = start + j * block_threads + threadIdx.x;
      const auto from = static_cast<std::int64_t>(u[j]), to = static_cast<std::int64_t>(v[j]);
      put((out >> j & 1u) != 0, from, to, k);
      if (wanted.mirror) put((back >> j & 1u) != 0, to, from, k);
    }
    __syncthreads();  // `sums` and `base` are used again
  }
}

template <class Id, class Bits>
edge_arrays<Id, Bits> arrays_of(const device_edges& edges) {
  edge_arrays<Id, Bits> list{static_cast<const Id*>(edges.sources.data),
                             static_cast<const Id*>(edges.targets.data), nullptr, false,
                             edges.sources.count};
  if constexpr (!std::is_void_v<Bits>) {
    list.weights = static_cast<const Bits*>(edges.weights->data);
    list.real = edges.weights->type != element::int32;
  }
  return list;
}

/// Calls f(edge_arrays) with the types of ids and of weights' bits.
template <class F>
void with_arrays(const device_edges& edges, const F& f) {
  with_ids(edges.sources.type, [&]<class Id>(Id) {
    if (!edges.weights)
      f(arrays_of<Id, void>(edges));
    else if (element_bytes(edges.weights->type) == 4)
      f(arrays_of<Id, std::uint32_t>(edges));
    else
      f(arrays_of<Id, std::uint64_t>(edges));
  });
}

}  // namespace

edge_list::edge_list(const device_edges& edges)
    : edges_(edges), words_(memory_kind::device, edges.ordinal, buckets) {}

edge_survey edge_list::survey(bool mirrors, waited_stream& on) const {
  edge_survey seen;
  if (count() == 0) return seen;
  static_assert(sizeof(survey_words) <= buckets * sizeof(word));
  auto* found = reinterpret_cast<survey_words*>(words_.data());
  copy_bytes(found, &nothing_seen, sizeof nothing_seen);
  with_arrays(edges_, [&](const auto& list) {
    survey_edges<<<filling_blocks(count()), block_threads, 0, on.native()>>>(
        list, mirrors, seed_of_process(), found);
  });
  on.wait();
  const survey_words words = value_at(found, 0);
  seen.least = words.least;
  seen.largest = words.largest;
  seen.loops = static_cast<std::int64_t>(words.loops);
  seen.difference = words.difference;
  if (edges_.weights) seen.differing = words.any & ~words.all;
  return seen;
}

std::int64_t edge_list::first_negative(const device_view& ids, waited_stream& on) const {
  constexpr word none = ~word{0};
  copy_bytes(words_.data(), &none, sizeof none);
  with_ids(ids.type, [&]<class Id>(Id) {
    find_negative<<<filling_blocks(ids.count), block_threads, 0, on.native()>>>(
        static_cast<const Id*>(ids.data), ids.count, words_.data());
  });
  on.wait();
  const word lowest = value_at(words_.data(), 0);
  return lowest == none ? -1 : static_cast<std::int64_t>(lowest);
}

std::vector<row_piece> edge_list::divide(const row_piece& of, arcs_wanted wanted,
                                         waited_stream& on) const {
  int shift = 0;
  while (((of.rows - 1) >> shift) >= buckets) ++shift;
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(words_.data(), 0, buckets * sizeof(word), on.native()));
  with_ids(edges_.sources.type, [&]<class Id>(Id) {
    count_arcs<<<filling_blocks(count()), block_threads, 0, on.native()>>>(
        arrays_of<Id, void>(edges_), wanted, row_range{of.first, of.rows}, shift, words_.data());
  });
  on.wait();
  std::vector<word> counts(buckets);
  copy_bytes(counts.data(), words_.data(), buckets * sizeof(word));
  std::vector<row_piece> parts;
  for (std::int64_t row = 0; row < of.rows; row += std::int64_t{1} << shift)
    parts.push_back({of.first + row, std::min(std::int64_t{1} << shift, of.rows - row),
                     static_cast<std::int64_t>(counts[static_cast<std::size_t>(row >> shift)])});
  return parts;
}

void edge_list::put(const row_piece& piece, arcs_wanted wanted, int id_bits, key_type* keys,
                    void* weights, waited_stream& on) const {
  if (piece.arcs == 0) return;
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(words_.data(), 0, sizeof(word), on.native()));
  const std::int64_t tiles = (count() + put_reads - 1) / put_reads;
  with_arrays(edges_, [&]<class Id, class Bits>(const edge_arrays<Id, Bits>& list) {
    put_arcs<<<filling_blocks(tiles), block_threads, 0, on.native()>>>(
        list, wanted, row_range{piece.first, piece.rows}, id_bits, keys,
        static_cast<Bits*>(weights), static_cast<word>(piece.arcs), words_.data());
  });
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer::detail
