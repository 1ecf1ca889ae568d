// Results of narrow levels: the log of their vertices, level after level, scattered into parents
// and depths while the cluster goes on (narrow.cuh), by blocks that it does not need.
#pragma once

#include "algorithm/bfs/single_kernel/cuda/view.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer::bfs_detail::cuda {

template <class Id>
class settlement {
 public:
  /// Of the levels from s.level on; block `me` of `blocks` that share them.
  __device__ settlement(const search_view<Id>& v, const search_state& s, long long first_logged,
                        int me, int blocks, int cluster_blocks)
      : v_(v),
        log_(reinterpret_cast<const found_vertex*>(v.queue[s.which ^ 1])),
        levels_(v.settled + (s.level - first_logged)),
        depth_(static_cast<std::int32_t>(s.level)),
        me_(me),
        blocks_(blocks),
        cluster_blocks_(cluster_blocks) {}

  /// Until the last level; false: the wait for one ran out. All threads.
  __device__ bool run() {
    __shared__ std::uint32_t counts[settle_levels];
    __shared__ std::uint32_t last;
    __shared__ bool alive;
    std::int64_t offset = 0;
    for (std::int32_t first = 0;; first += settle_levels) {
      if (threadIdx.x == 0) {
        alive = await(static_cast<std::uint32_t>(first / settle_levels + 1));
        last = __ldcg(v_.progress + 1);
      }
      __syncthreads();
      if (!alive) return false;
      std::int32_t end = first + settle_levels;
      const bool ends = last != 0 && static_cast<std::int32_t>(last - 1) <= end;
      if (ends) end = static_cast<std::int32_t>(last - 1);
      for (int i = static_cast<int>(threadIdx.x); i < end - first; i += team_threads)
        counts[i] = __ldcg(levels_ + first + i);
      __syncthreads();
      for (std::int32_t level = first; level < end; ++level) {
        const auto n = static_cast<std::int64_t>(counts[level - first]);
        if (level % blocks_ == me_) write(offset, n, depth_ + level);
        offset += n;
      }
      __syncthreads();
      if (ends) return true;
    }
  }

 private:
  __device__ bool await(std::uint32_t batch) const {
    ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device> published(v_.progress[0]);
    const std::uint32_t wanted = batch * static_cast<std::uint32_t>(cluster_blocks_);
    device_wait_bound bound(v_.guard, v_.guard.rank);
    while (published.load(::cuda::memory_order_acquire) < wanted) {
      __nanosleep(1000);
      if (!bound.expired()) continue;
      bound.give_up(0, 0, wanted, 0);
      return false;
    }
    return true;
  }
  __device__ void write(std::int64_t from, std::int64_t n, std::int32_t depth) {
    for (std::int64_t i = threadIdx.x; i < n; i += team_threads) {
      const found_vertex u = entry(from + i);
      if (u.parent < 0) continue;  // has its results
      v_.parents[u.vertex] = u.parent;
      v_.depths[u.vertex] = depth;
    }
  }
  __device__ found_vertex entry(std::int64_t i) const {
    const long long both = __ldcg(reinterpret_cast<const long long*>(log_) + i);
    found_vertex u;
    memcpy(&u, &both, sizeof u);
    return u;
  }

  const search_view<Id>& v_;
  const found_vertex* log_;
  const std::uint32_t* levels_;
  const std::int32_t depth_;
  const int me_, blocks_, cluster_blocks_;
};

}  // namespace gossamer::bfs_detail::cuda
