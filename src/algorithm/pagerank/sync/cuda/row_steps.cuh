// Kernels and functors that rows are built with: what their lengths say, orders of vertices, where
// rows and chunks begin, sums of weights.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::pagerank_detail::cuda {

using word = unsigned long long;

inline constexpr int build_threads = 256;

/// What is known of all rows together.
struct row_facts {
  word class_rows[row_classes] = {};
  word chunks = 0;
  word at_hubs = 0, in_at_hubs = 0;  ///< arcs of rows with `hub` arcs or more
  word wrong_weights = 0;
  word moved = 0;  ///< some offer does not lie at its row's slot
};

struct row_lengths {
  const edge_offset* offsets;
  [[nodiscard]] __device__ std::int64_t operator()(std::int64_t v) const {
    return offsets[v + 1] - offsets[v];
  }
  [[nodiscard]] __device__ int bits(std::int64_t v) const { return 64 - __clzll((*this)(v)); }
};

[[nodiscard]] __device__ inline std::int64_t chunks_of(std::int64_t length) {
  return (length + chunk_arcs - 1) / chunk_arcs;
}

static __global__ void __launch_bounds__(build_threads)
    look_at_rows(row_lengths out, row_lengths in, std::int64_t n, std::int64_t hub,
                 row_facts* facts) {
  using dataflow::cuda::add_of_warp;
  word rows[row_classes] = {}, chunks = 0, at_hubs = 0, in_at_hubs = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * build_threads;
  for (std::int64_t v = std::int64_t{blockIdx.x} * build_threads + threadIdx.x; v < n; v += step) {
    const std::int64_t length = out(v), in_length = in(v);
    const row_class mine = class_of_bits(in.bits(v));
    for (int c = 0; c < row_classes; ++c) rows[c] += c == mine ? 1 : 0;
    if (mine == split) chunks += static_cast<word>(chunks_of(in_length));
    if (length >= hub) at_hubs += static_cast<word>(length);
    if (in_length >= hub) in_at_hubs += static_cast<word>(in_length);
  }
  for (int c = 0; c < row_classes; ++c) add_of_warp(&facts->class_rows[c], rows[c]);
  add_of_warp(&facts->chunks, chunks);
  add_of_warp(&facts->at_hubs, at_hubs);
  add_of_warp(&facts->in_at_hubs, in_at_hubs);
}

/// Keys that rise as lengths fall, by powers of two, or those of classes.
struct key_vertices {
  row_lengths rows;
  bool powers;
  std::uint32_t* keys;
  vertex32* vertices;
  static constexpr int bits = 6;
  __device__ void operator()(std::int64_t v) const {
    const int length_bits = rows.bits(v);
    keys[v] = static_cast<std::uint32_t>(powers ? 63 - length_bits : class_of_bits(length_bits));
    vertices[v] = static_cast<vertex32>(v);
  }
};

/// back[there[i]] = i.
struct invert_order {
  const vertex32* there;
  vertex32* back;
  __device__ void operator()(std::int64_t i) const { back[there[i]] = static_cast<vertex32>(i); }
};

/// Where each row's vertex offers, and whether that is ever another place than its slot.
struct find_places {
  const vertex32* vertex_of;
  const vertex32* position;  ///< null: by vertex
  vertex32* place;
  row_facts* facts;
  __device__ void operator()(std::int64_t s) const {
    const vertex32 v = vertex_of[s], at = position != nullptr ? position[v] : v;
    place[s] = at;
    if (at != s) facts->moved = 1;  // whoever writes it, it is the same
  }
};

/// Row lengths in an order of vertices; 0 behind the last.
struct order_lengths {
  row_lengths rows;
  const vertex32* vertex_of;
  std::int64_t n;
  edge_offset* lengths;
  __device__ void operator()(std::int64_t s) const { lengths[s] = s < n ? rows(vertex_of[s]) : 0; }
};

/// As lay_rows() of the host: `begin` in 32 bits, and in 64 once for so many rows.
struct write_offsets {
  const edge_offset* begin;
  std::int64_t n, splits;
  std::uint32_t* offsets;
  std::int64_t* bases;
  __device__ void operator()(std::int64_t s) const {
    const edge_offset at = begin[s];
    offsets[s] = static_cast<std::uint32_t>(at);
    if (s >= splits && s < n && (s - splits) % base_rows == 0) bases[(s - splits) / base_rows] = at;
  }
};

struct count_chunks {
  const edge_offset* begin;
  std::int64_t splits;
  std::int64_t* chunks;
  __device__ void operator()(std::int64_t s) const {
    chunks[s] = s < splits ? chunks_of(begin[s + 1] - begin[s]) : 0;
  }
};

struct write_chunks {
  const edge_offset* begin;
  const std::int64_t* chunk_first;
  chunk* chunks;
  __device__ void operator()(std::int64_t s) const {
    chunk* to = chunks + chunk_first[s];
    for (edge_offset at = begin[s]; at < begin[s + 1]; at += chunk_arcs) {
      const std::int64_t left = begin[s + 1] - at;
      *to++ = {at, left < chunk_arcs ? left : chunk_arcs};
    }
  }
};

template <class Weight>
[[nodiscard]] __device__ bool is_wrong(Weight w) {
  if constexpr (std::is_floating_point_v<Weight>)
    return !(w >= 0) || isinf(w);
  else
    return w < 0;
}

/// Weights of each row added up in the order of its arcs, which gives the host's bits. A lane adds
/// a short row. For a long one a warp reads ahead and every lane adds all of it, one after the
/// other. That goes at the pace of additions that wait for each other: a million arcs take some
/// milliseconds.
template <class Weight>
__global__ void __launch_bounds__(build_threads)
    add_weights(const edge_offset* offsets, std::int64_t n, const Weight* weights, double* sums,
                row_facts* facts) {
  constexpr unsigned everyone = dataflow::cuda::whole_warp;
  constexpr int ahead = 4;  // arcs of a lane
  const auto lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t warp = (std::int64_t{blockIdx.x} * build_threads + threadIdx.x) / 32;
  const std::int64_t warps = std::int64_t{gridDim.x} * (build_threads / 32);
  word wrong = 0;
  const auto read = [&](edge_offset k, edge_offset end) {
    if (k >= end) return 0.0;  // which no sum of weights is changed by
    const Weight w = weights[k];
    wrong += is_wrong(w) ? 1 : 0;
    return static_cast<double>(w);
  };
  for (std::int64_t first = warp * 32; first < n; first += warps * 32) {
    const std::int64_t v = first + lane;
    const edge_offset begin = v < n ? offsets[v] : 0, end = v < n ? offsets[v + 1] : 0;
    const bool is_long = end - begin > 32;
    double sum = 0;
    if (!is_long)
      for (edge_offset k = begin; k < end; ++k) sum += read(k, end);
    for (unsigned left = __ballot_sync(everyone, is_long); left != 0; left &= left - 1) {
      const int whose = __ffs(static_cast<int>(left)) - 1;
      const edge_offset from = __shfl_sync(everyone, begin, whose);
      const edge_offset to = __shfl_sync(everyone, end, whose);
      double next[ahead], all = 0;
      for (int u = 0; u < ahead; ++u) next[u] = read(from + u * 32 + lane, to);
      for (edge_offset k = from; k < to; k += ahead * 32) {
        double now[ahead];
#pragma unroll
        for (int u = 0; u < ahead; ++u) {
          now[u] = next[u];
          next[u] = read(k + (ahead + u) * 32 + lane, to);
        }
#pragma unroll
        for (int u = 0; u < ahead; ++u)
          for (int j = 0; j < 32; ++j) all += __shfl_sync(everyone, now[u], j);
      }
      if (lane == whose) sum = all;
    }
    if (v >= n) continue;
    sums[v] = sum;
    wrong += isinf(sum) ? 1 : 0;
  }
  dataflow::cuda::add_of_warp(&facts->wrong_weights, wrong);
}

/// 1 / W by slot; 1 where arcs have shares; 0 where there is no W.
template <class Value>
struct write_inverse {
  row_lengths out;
  const double* sums;  ///< null: 1 an arc
  const vertex32* slot;
  Value* inverse;
  __device__ void operator()(std::int64_t v) const {
    const double whole = sums != nullptr ? sums[v] : static_cast<double>(out(v));
    inverse[slot[v]] = whole > 0 ? static_cast<Value>(sums != nullptr ? 1 : 1 / whole) : Value{0};
  }
};

}  // namespace gossamer::pagerank_detail::cuda
