// Where wide levels put the vertices they find: a queue, and a list of those with long rows.
#pragma once

#include "algorithm/bfs/cuda/persistent/view.hpp"
#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// The list of long rows lies behind the queue, in the same memory, and grows towards it: a vertex
/// is in one of the two, and eight bytes are reserved for each.
__device__ inline unsigned long long* long_entry(std::int32_t* queue, std::int64_t rows,
                                                 std::int64_t i) {
  return reinterpret_cast<unsigned long long*>(queue) + (rows - 1 - i);
}

/// One warp's additions to the next frontier, gathered in shared memory: their rows are looked at,
/// and places reserved, for about a hundred at a time. All on one address, the atomics of a level
/// with millions of finds would else cost more than the level. Whole warps call.
template <class Id>
class found_frontier {
 public:
  /// `before`: what an earlier step of the level has put there.
  __device__ found_frontier(const search_view<Id>& v, std::int32_t* queue, level_sums* sums,
                            std::int32_t* slots, const level_sums& before = {})
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
    add_of_warp(&sums_->arcs, arcs_);
  }

 private:
  static constexpr int parts = warp_queue::capacity / 32;

  __device__ void flush() {
    if (filled_ == 0) return;
    __syncwarp();
    std::int32_t vertex[parts];
    edge_offset length[parts];
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      const int i = k * 32 + static_cast<int>(lane_id());
      vertex[k] = i < filled_ ? slots_[i] : -1;
      length[k] = 0;
      if (vertex[k] >= 0)
        length[k] = v_.offsets[vertex[k] + std::int64_t{1}] - v_.offsets[vertex[k]];
    }
    int mine = 0, long_ones = 0;
    unsigned long long chunks = 0;
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      arcs_ += static_cast<unsigned long long>(length[k]);
      if (vertex[k] < 0) continue;
      if (length[k] < long_row) {
        ++mine;
      } else {
        ++long_ones;
        chunks += chunks_of(length[k]);
      }
    }
    auto at = static_cast<std::int64_t>(
        queued_before_ + reserve(&sums_->queued, static_cast<unsigned long long>(mine)));
    unsigned long long place = 0;
    if (__any_sync(whole_warp, long_ones != 0) != 0)
      place = longs_before_ +
              reserve(&sums_->longs,
                      (static_cast<unsigned long long>(long_ones) << long_count_bit) + chunks);
#pragma unroll
    for (int k = 0; k < parts; ++k) {
      if (vertex[k] < 0) continue;
      if (length[k] < long_row) {
        queue_[at++] = vertex[k];
        continue;
      }
      const unsigned long long first = place & ((1ull << long_count_bit) - 1);
      *long_entry(queue_, v_.rows, static_cast<std::int64_t>(place >> long_count_bit)) =
          first << long_vertex_bits | static_cast<unsigned long long>(vertex[k]);
      place += (1ull << long_count_bit) + chunks_of(length[k]);
    }
    __syncwarp();
    filled_ = 0;
  }
  __device__ static unsigned long long chunks_of(edge_offset length) {
    return static_cast<unsigned long long>((length + row_chunk - 1) / row_chunk);
  }
  /// Where this lane's `amount` begins.
  __device__ static unsigned long long reserve(unsigned long long* end, unsigned long long amount) {
    const unsigned long long up_to = inclusive_sum(amount);
    unsigned long long at = 0;
    if (lane_id() == 31 && up_to != 0) at = atomicAdd(end, up_to);
    return __shfl_sync(whole_warp, at, 31) + up_to - amount;
  }

  const search_view<Id>& v_;
  std::int32_t* queue_;
  level_sums* sums_;
  std::int32_t* slots_;
  const unsigned long long queued_before_, longs_before_;
  int filled_ = 0;               // the same in all lanes
  unsigned long long arcs_ = 0;  // this lane's
};

}  // namespace gossamer::bfs_detail::cuda
