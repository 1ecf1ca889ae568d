// Kernels and functors by which arcs get into the rows that are built: counted, keyed by the slot
// of their target, and put where their row goes on.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "algorithm/pagerank/sync/cuda/row_steps.cuh"
#include "gossamer/base/ids.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer::pagerank_detail::cuda {

/// Neighbouring arcs of a block: their sources lie close together, so that it looks at few.
inline constexpr std::int64_t block_arcs = 8 * build_threads;

/// In-degrees, of which the prefix sums are in-offsets.
template <class Id>
struct count_in_arcs {
  const Id* columns;
  edge_offset* after;  ///< in-offsets + 1
  __device__ void operator()(std::int64_t k) const {
    atomicAdd(reinterpret_cast<word*>(after + columns[k]), word{1});
  }
};

/// Arcs in the order in which their sources offer.
template <class Id>
struct arcs_by_source {
  std::int64_t n;
  const edge_offset* begin;    ///< [n + 1] where the arcs of the source at a place begin
  const vertex32* source_at;   ///< null: sources offer in their own order
  const edge_offset* offsets;  ///< the graph's
  const Id* columns;
  const vertex32* slot;
};

/// What is sorted, and what goes along: where the source offers, or, with weights, which of the lot
/// an arc is.
struct arc_lot {
  std::uint32_t* keys;
  vertex32* values;
};

/// What the arcs of a lot have beside keys.
template <class Value>
struct arc_shares {
  vertex32* places;
  Value* shares;
};

/// The row among [low, high) that arc `a` lies in: offsets[low] <= a < offsets[high].
[[nodiscard]] __device__ inline std::int64_t row_at(const edge_offset* offsets, std::int64_t low,
                                                    std::int64_t high, edge_offset a) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    if (offsets[middle] <= a)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Keys of arcs [first, last) in the order of their sources. Weight: no_weight without shares.
template <class Id, class Value, class Weight>
__global__ void __launch_bounds__(build_threads)
    key_arcs(const arcs_by_source<Id> arcs, edge_offset first, edge_offset last, arc_lot lot,
             const Weight* weights, const double* sums, arc_shares<Value> apart) {
  __shared__ std::int64_t row[2];
  const edge_offset from = first + std::int64_t{blockIdx.x} * block_arcs;
  const edge_offset to = from + block_arcs < last ? from + block_arcs : last;
  if (threadIdx.x < 2)
    row[threadIdx.x] = row_at(arcs.begin, 0, arcs.n, threadIdx.x == 0 ? from : to - 1);
  __syncthreads();
  for (edge_offset a = from + threadIdx.x; a < to; a += build_threads) {
    const std::int64_t at = row_at(arcs.begin, row[0], row[1] + 1, a);
    const std::int64_t u = arcs.source_at != nullptr ? arcs.source_at[at] : at;
    const edge_offset k = arcs.offsets[u] + (a - arcs.begin[at]);
    const edge_offset i = a - first;
    lot.keys[i] = static_cast<std::uint32_t>(arcs.slot[arcs.columns[k]]);
    if constexpr (std::is_same_v<Weight, no_weight>) {
      lot.values[i] = static_cast<vertex32>(at);
    } else {
      const double whole = sums[u];
      lot.values[i] = static_cast<vertex32>(i);
      apart.places[i] = static_cast<vertex32>(at);
      apart.shares[i] = static_cast<Value>(whole > 0 ? static_cast<double>(weights[k]) / whole : 0);
    }
  }
}

/// `next`, where a row's next arc goes, made to count from the lot's first arc instead of the row's
/// first in the lot: once for each row, by its first arc there.
struct begin_lot {
  const std::uint32_t* keys;
  edge_offset* next;
  __device__ void operator()(std::int64_t i) const {
    if (i == 0 || keys[i] != keys[i - 1]) next[keys[i]] -= i;
  }
};

/// And back, behind its last.
struct end_lot {
  const std::uint32_t* keys;
  std::int64_t count;
  edge_offset* next;
  __device__ void operator()(std::int64_t i) const {
    if (i + 1 == count || keys[i] != keys[i + 1]) next[keys[i]] += i + 1;
  }
};

/// Sorted arcs into their rows. A graph that says it is symmetric and is not may lead elsewhere,
/// but not out of the array.
template <class Value>
struct put_arcs {
  arc_lot lot;
  arc_shares<Value> apart;  ///< null: no shares
  const edge_offset* next;
  std::int64_t arcs;
  vertex32* columns;
  Value* shares;
  __device__ void operator()(std::int64_t i) const {
    const edge_offset to = next[lot.keys[i]] + i;
    if (to < 0 || to >= arcs) return;
    const vertex32 value = lot.values[i];
    if (apart.places == nullptr) {
      columns[to] = value;
      return;
    }
    columns[to] = apart.places[value];
    shares[to] = apart.shares[value];
  }
};

}  // namespace gossamer::pagerank_detail::cuda
