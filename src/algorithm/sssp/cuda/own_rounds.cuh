// A round of a road network: a few thousand vertices with short rows, whose time is the chain of
// dependent accesses from vertex to vertex, and the meeting after it. So a block goes several steps
// alone before all meet, as threads of the CPU form do (bucket fusion, Zhang et al., CGO 2020):
// what it finds below the limit waits in a queue of its own, in shared memory, with the distance it
// was found at; an entry whose vertex has come nearer since is dropped, because whoever lowered it
// has queued it. Each step costs two dependent loads and one atomic, no look before it.
#pragma once

#include "algorithm/sssp/cuda/relax.cuh"

namespace gossamer::sssp_detail::cuda {

template <class Distance>
struct own_queues {
  struct entry {
    key_of<Distance> found;
    std::int32_t vertex;
  };
  entry waiting[2][own_entries];
  std::int32_t far[own_entries];
  unsigned count[3];  ///< of steps, in turn
  unsigned far_count;
};

template <class Distance>
class own_round {
 public:
  using key = key_of<Distance>;
  using entry = typename own_queues<Distance>::entry;

  __device__ own_round(const search_view<Distance>& v, const search_state& s, round_sums* sums,
                       own_queues<Distance>& own, unsigned long long& looks)
      : v_(v),
        s_(s),
        sums_(sums),
        own_(own),
        looks_(looks),
        limit_(static_cast<key>(s.limit)),
        near_mark_(v.near_mark[s.which ^ 1]) {}

  /// All blocks; the queue holds own_share entries a block at most.
  __device__ void run() {
    const auto queued = static_cast<std::int64_t>(s_.queued);
    const std::int64_t share = (queued + gridDim.x - 1) / gridDim.x, from = blockIdx.x * share;
    const std::int64_t left = queued - from;
    const int mine = static_cast<int>(left < 0 ? 0 : left < share ? left : share);
    if (threadIdx.x == 0) {
      own_.count[0] = own_.count[1] = 0;
      own_.far_count = 0;
    }
    __syncthreads();
    first_step(v_.queue[s_.which] + from, mine);
    int steps = 1;
    for (;; ++steps) {
      __syncthreads();
      const int n = waiting(steps);
      if (n == 0 || steps == own_steps) break;
      // Read by all before the last barrier, added to after the next.
      if (threadIdx.x == 0) own_.count[(steps + 1) % 3] = 0;
      for (int i = static_cast<int>(threadIdx.x); i < n; i += team_threads) {
        const entry e = own_.waiting[steps % 2][i];
        if (__ldcg(v_.keys + e.vertex) == e.found) relax(e.vertex, e.found, steps + 1);
      }
    }
    hand_over(steps);
  }

 private:
  /// Entries for a step, those that found room.
  [[nodiscard]] __device__ int waiting(int steps) const {
    const unsigned n = own_.count[(steps - 1) % 3];
    return static_cast<int>(n < own_entries ? n : own_entries);
  }

  __device__ void first_step(const std::int32_t* queue, int n) {
    static_assert(own_share <= team_threads, "a thread takes one vertex at most");
    const int i = static_cast<int>(threadIdx.x);
    if (i >= n) return;
    const std::int32_t vertex = __ldcg(queue + i);
    unmark(v_.near_mark[s_.which], vertex);
    relax(vertex, __ldcg(v_.keys + vertex), 1);
  }

  /// One thread a row; what it finds is for step `next`.
  __device__ void relax(std::int32_t vertex, key distance, int next) {
    constexpr int ahead = 4;  // independent chains a thread keeps in flight
    const edge_offset begin = v_.offsets[vertex], end = v_.offsets[vertex + std::int64_t{1}];
    looks_ += static_cast<unsigned long long>(end - begin);
    for (edge_offset a = begin; a < end; a += ahead) {
      std::int32_t to[ahead];
      key found[ahead];
      bool shorter[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        shorter[k] = a + k < end;
        if (!shorter[k]) continue;
        const packed_arc<Distance> arc = load_arc(v_.arcs + a + k);
        to[k] = arc.to;
        found[k] = keys<Distance>::along(distance, arc.weight);
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (shorter[k]) shorter[k] = found[k] < atomicMin(v_.keys + to[k], found[k]);
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (shorter[k]) enter(to[k], found[k], next);
    }
  }

  __device__ void enter(std::int32_t vertex, key found, int next) {
    if (found < limit_) {
      const unsigned at = atomicAdd(&own_.count[(next - 1) % 3], 1u);
      if (at < own_entries)
        own_.waiting[next % 2][at] = {found, vertex};
      else if (mark(near_mark_, vertex))
        v_.queue[s_.which ^ 1][atomicAdd(&sums_->queued, 1ull)] = vertex;
    } else if (mark(v_.far_mark, vertex)) {
      const unsigned at = atomicAdd(&own_.far_count, 1u);
      if (at < own_entries)
        own_.far[at] = vertex;
      else
        v_.pile[s_.pile][s_.far + atomicAdd(&sums_->far, 1ull)] = vertex;
    }
  }

  /// What waits for the next step, to all blocks; what was found beyond the limit, to the pile.
  __device__ void hand_over(int steps) {
    const int n = waiting(steps);
    const int far = static_cast<int>(own_.far_count < own_entries ? own_.far_count : own_entries);
    const int most = n > far ? n : far;
    for (int first = static_cast<int>(threadIdx.x / 32) * 32; first < most; first += team_threads) {
      const int i = first + static_cast<int>(lane_id());
      const entry e = i < n ? own_.waiting[steps % 2][i] : entry{0, 0};
      const bool stays = i < n && __ldcg(v_.keys + e.vertex) == e.found;
      append(stays && mark(near_mark_, e.vertex), e.vertex, v_.queue[s_.which ^ 1], &sums_->queued);
      append(i < far, i < far ? own_.far[i] : 0, v_.pile[s_.pile] + s_.far, &sums_->far);
    }
  }
  /// One place for each lane that asks; whole warps.
  __device__ static void append(bool mine, std::int32_t vertex, std::int32_t* list,
                                unsigned long long* tail) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (who == 0) return;
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(tail, static_cast<unsigned long long>(__popc(who)));
    at = __shfl_sync(whole_warp, at, 0);
    if (mine) list[at + __popc(who & algorithm_detail::cuda::lanes_below())] = vertex;
  }

  const search_view<Distance>& v_;
  const search_state& s_;
  round_sums* sums_;
  own_queues<Distance>& own_;
  unsigned long long& looks_;  // this thread's
  const key limit_;
  std::uint32_t* near_mark_;
};

}  // namespace gossamer::sssp_detail::cuda
