// Queues of vertices from whose rows work is dealt: a queue, and a list of those with long rows,
// cut into chunks that any warp may take.
#pragma once

#include "gossamer/base/ids.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::dataflow::cuda {

/// Rows of this many arcs and more are cut into chunks for the whole grid.
inline constexpr int long_row = 256;
inline constexpr int row_chunk = 512;
/// Warps that share a chunk, where there are fewer chunks than warps: a chunk is a chain of
/// dependent accesses four times as long as it need be.
__device__ inline int warps_a_chunk(std::int64_t chunks, std::int64_t warps) {
  return 4 * chunks <= warps ? 4 : 2 * chunks <= warps ? 2 : 1;
}
/// An entry of a list of long rows has the number of its first chunk in the bits above this one and
/// the local vertex below. The count of such entries has rows above and chunks below, so that one
/// atomic reserves both.
inline constexpr int long_vertex_bits = 31;
inline constexpr int long_count_bit = 36;

/// The list of long rows lies behind the queue, in the same memory, and grows towards it: a vertex
/// is in one of the two, and eight bytes are reserved for each.
__device__ inline unsigned long long* long_entry(std::int32_t* queue, std::int64_t rows,
                                                 std::int64_t i) {
  return reinterpret_cast<unsigned long long*>(queue) + (rows - 1 - i);
}

__device__ inline unsigned long long chunks_of(edge_offset length) {
  return static_cast<unsigned long long>((length + row_chunk - 1) / row_chunk);
}
/// Where this lane's `amount` begins, behind what others have reserved of `end`. Whole warps.
__device__ inline unsigned long long reserve(unsigned long long* end, unsigned long long amount) {
  const unsigned long long up_to = inclusive_sum(amount);
  unsigned long long at = 0;
  if (lane_id() == 31 && up_to != 0) at = atomicAdd(end, up_to);
  return __shfl_sync(whole_warp, at, 31) + up_to - amount;
}

/// One warp's additions to a queue and its list of long rows, gathered in shared memory. Their rows
/// are looked at, and places reserved, for about a hundred at a time. Otherwise the atomics of a
/// step with millions of finds, all on one address, would cost more than the step. Whole warps
/// call. View has `offsets` and `rows`. Sums has `queued`, `longs` and, if it likes, `arcs`, added
/// up between meetings.
/// `Apart`: as warp_queue_of has it.
template <class View, class Sums, bool Apart = false>
class found_rows {
 public:
  /// `before`: what an earlier step has put there.
  __device__ found_rows(const View& v, std::int32_t* queue, Sums* sums, std::int32_t* slots,
                        const Sums& before = {})
      : v_(v),
        queue_(queue),
        sums_(sums),
        slots_(slots),
        queued_before_(before.queued),
        longs_before_(before.longs) {}

  /// This lane's vertex, when `mine`.
  __device__ void add(bool mine, std::int32_t vertex) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (who == 0) return;
    if (mine) slots_[filled_ + __popc(who & lanes_below())] = vertex;
    filled_ += __popc(who);
    if (filled_ > warp_queue::capacity - 32) flush();
  }
  __device__ void finish() {
    flush();
    if constexpr (counts_arcs) add_of_warp(&sums_->arcs, arcs_);
  }
  /// As finish(), by all warps of a block together. What thousands of warps add to one address
  /// takes longer than the rest of a step that finds some vertices each.
  __device__ void finish_block() {
    if (__syncthreads_or(filled_ != 0 || arcs_ != 0) == 0) return;
    put_of_block(v_.offsets, v_.rows, here(), arcs_);
    filled_ = 0;
    arcs_ = 0;
  }

 private:
  static constexpr int parts = warp_queue::capacity / 32;
  static constexpr bool counts_arcs = requires(Sums s) { s.arcs; };

  struct additions {
    const std::int32_t* slots;
    int filled;
    std::int32_t* queue;
    Sums* sums;
    unsigned long long queued_before, longs_before;
  };
  /// This lane's vertices and what is known of their rows: first how many there are, then where
  /// they go.
  struct looked_at {
    std::int32_t vertex[parts];
    edge_offset length[parts];
    int queued;
    unsigned long long longs;  ///< as Sums counts them
    unsigned long long arcs;
  };
  struct shares {
    unsigned long long queued, longs, arcs;
  };

  [[nodiscard]] __device__ additions here() const {
    return {slots_, filled_, queue_, sums_, queued_before_, longs_before_};
  }
  __device__ void flush() {
    if (filled_ == 0) return;
    arcs_ += Apart ? put_apart(v_.offsets, v_.rows, here()) : put(v_.offsets, v_.rows, here());
    filled_ = 0;
  }

  static __device__ __noinline__ unsigned long long put_apart(const edge_offset* offsets,
                                                              std::int64_t rows, additions from) {
    return put(offsets, rows, from);
  }
  /// This lane's arcs, where they count.
  static __device__ __forceinline__ unsigned long long put(const edge_offset* offsets,
                                                           std::int64_t rows,
                                                           const additions& from) {
    looked_at found;
    look(offsets, from, found);
    const unsigned long long queued =
        reserve(&from.sums->queued, static_cast<unsigned long long>(found.queued));
    unsigned long long longs = 0;
    if (__any_sync(whole_warp, found.longs != 0) != 0)
      longs = reserve(&from.sums->longs, found.longs);
    write(rows, from, found, queued, longs);
    return found.arcs;
  }
  /// All warps of the block. `arcs`: this lane's of before.
  static __device__ __noinline__ void put_of_block(const edge_offset* offsets, std::int64_t rows,
                                                   additions from, unsigned long long arcs) {
    __shared__ shares of_warp[32];
    const unsigned warp = threadIdx.x / 32;
    looked_at found;
    look(offsets, from, found);
    shares up_to{inclusive_sum(static_cast<unsigned long long>(found.queued)),
                 inclusive_sum(found.longs), inclusive_sum(found.arcs + arcs)};
    if (lane_id() == 31) of_warp[warp] = up_to;
    __syncthreads();
    if (warp == 0) {
      const bool there = lane_id() < blockDim.x / 32;
      shares mine = there ? of_warp[lane_id()] : shares{};
      mine.queued = reserve(&from.sums->queued, mine.queued);
      mine.longs = reserve(&from.sums->longs, mine.longs);
      if constexpr (counts_arcs) add_of_warp(&from.sums->arcs, mine.arcs);
      if (there) of_warp[lane_id()] = mine;
    }
    __syncthreads();
    write(rows, from, found,
          of_warp[warp].queued + up_to.queued - static_cast<unsigned long long>(found.queued),
          of_warp[warp].longs + up_to.longs - found.longs);
  }

  static __device__ __forceinline__ void look(const edge_offset* offsets, const additions& from,
                                              looked_at& found) {
    found.queued = 0;
    found.longs = found.arcs = 0;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      const int i = k * 32 + static_cast<int>(lane_id());
      const std::int32_t vertex = found.vertex[k] = i < from.filled ? from.slots[i] : -1;
      found.length[k] = vertex < 0 ? 0 : offsets[vertex + std::int64_t{1}] - offsets[vertex];
    }
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      if constexpr (counts_arcs) found.arcs += static_cast<unsigned long long>(found.length[k]);
      if (found.vertex[k] < 0) continue;
      if (found.length[k] < long_row)
        ++found.queued;
      else
        found.longs += (1ull << long_count_bit) + chunks_of(found.length[k]);
    }
  }
  /// From these places on, behind what was there before.
  static __device__ __forceinline__ void write(std::int64_t rows, const additions& from,
                                               const looked_at& found, unsigned long long queued,
                                               unsigned long long longs) {
    auto at = static_cast<std::int64_t>(from.queued_before + queued);
    unsigned long long place = from.longs_before + longs;
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      if (found.vertex[k] < 0) continue;
      if (found.length[k] < long_row) {
        from.queue[at++] = found.vertex[k];
        continue;
      }
      const unsigned long long first = place & ((1ull << long_count_bit) - 1);
      *long_entry(from.queue, rows, static_cast<std::int64_t>(place >> long_count_bit)) =
          first << long_vertex_bits | static_cast<unsigned long long>(found.vertex[k]);
      place += (1ull << long_count_bit) + chunks_of(found.length[k]);
    }
    __syncwarp();
  }

  const View& v_;
  std::int32_t* queue_;
  Sums* sums_;
  std::int32_t* slots_;
  const unsigned long long queued_before_, longs_before_;
  int filled_ = 0;               // the same in all lanes
  unsigned long long arcs_ = 0;  // this lane's
};

/// The entry of the row that chunk c belongs to. The list ascends in first chunks. A whole warp
/// searches it with 32 probes a round.
__device__ inline unsigned long long row_of_chunk(std::int32_t* queue, std::int64_t rows,
                                                  unsigned long long longs, std::int64_t c) {
  std::int64_t low = 0, high = static_cast<std::int64_t>(longs >> long_count_bit);
  while (high - low > 1) {
    const std::int64_t step = (high - low + 31) / 32;
    const std::int64_t probe = low + lane_id() * step;
    const bool before =
        probe < high &&
        static_cast<std::int64_t>(__ldcg(long_entry(queue, rows, probe)) >> long_vertex_bits) <= c;
    const int last = 31 - __clz(static_cast<int>(__ballot_sync(whole_warp, before)));
    low += last * step;
    high = high < low + step ? high : low + step;
  }
  return __ldcg(long_entry(queue, rows, low));
}

}  // namespace gossamer::dataflow::cuda
