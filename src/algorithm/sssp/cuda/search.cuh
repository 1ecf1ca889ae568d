// The kernel of shortest paths: from the source to final distances, round by round.
//
// Every block keeps its own copy of the search's state in shared memory and changes it the same way
// after every meeting, so that nobody is told what to do next. Sums of consecutive steps lie in
// three places in turn: one is read after a meeting while the next step already adds to the second,
// and the third, which nobody reads any more, is zeroed.
#pragma once

#include "algorithm/cuda/meeting.cuh"
#include "algorithm/sssp/cuda/own_rounds.cuh"

namespace gossamer::sssp_detail::cuda {

/// Shared memory of a block; the ways of working take turns.
template <class Distance>
union team_memory {
  warp_slots slots[team_warps];
  own_queues<Distance> own;
};

template <class Distance>
class search_loop {
 public:
  using key = key_of<Distance>;

  __device__ search_loop(const search_view<Distance>& v, search_state& s, round_sums& found,
                         team_memory<Distance>& memory, unsigned long long& looks)
      : v_(v), s_(s), found_(found), memory_(memory), looks_(looks) {}

  __device__ void run() {
    bool alive = s_.next != step::begin || start();
    for (std::uint32_t i = 0; alive && s_.next != step::finished && i < launch_rounds; ++i)
      alive = s_.next == step::relax ? relax() : split();
    algorithm_detail::cuda::add_of_warp(v_.looks, looks_);
    // Nobody reads it any more: all have met since they copied it.
    if (alive && blockIdx.x == 0 && threadIdx.x == 0) *v_.state = s_;
  }

 private:
  __device__ warp_slots& slots() { return memory_.slots[threadIdx.x / 32]; }
  [[nodiscard]] __device__ round_sums* sums() const { return v_.sums + s_.meetings % 3; }

  /// All threads of all blocks. Everything written before is seen by all after; then one thread of
  /// each block changes its state by what was found: change(sums). False: a wait ran out or the run
  /// is over, every block leaves.
  template <class F>
  __device__ bool meet(F change) {
    __shared__ bool alive;
    round_sums* added = sums();
    __syncthreads();
    if (threadIdx.x == 0) {
      const std::uint32_t number = ++s_.meetings;
      const bool last = algorithm_detail::cuda::arrive(v_.arrived, number);
      alive = last || algorithm_detail::cuda::await_meeting(v_.arrived, number, v_.guard);
      if (last) {
        v_.sums[(number + 1) % 3] = {};
        algorithm_detail::cuda::hold(v_.arrived, number);
      }
      found_ = {__ldcg(&added->queued), __ldcg(&added->longs), __ldcg(&added->arcs),
                __ldcg(&added->far), __ldcg(&added->nearest)};
      if (alive) change();
    }
    __syncthreads();
    return alive;
  }

  /// Distances, marks, the source.
  __device__ bool start() {
    const std::int64_t step_size = std::int64_t{gridDim.x} * team_threads;
    const std::int64_t me = std::int64_t{blockIdx.x} * team_threads + threadIdx.x;
    for (std::int64_t i = me; i < v_.rows; i += step_size)
      v_.keys[i] = i == v_.source ? 0 : keys<Distance>::unreached;
    for (std::int64_t w = me; w < v_.words; w += step_size)
      v_.near_mark[0][w] = v_.near_mark[1][w] = v_.far_mark[w] = 0;
    near_queue<Distance> to(v_, v_.queue[0], sums(), slots().near);
    to.add(me == 0, static_cast<std::int32_t>(v_.source));
    to.finish();
    return meet([&] {
      s_.limit = keys<Distance>::limit(0, v_.delta);
      adopt_queue();
      s_.next = step::relax;
    });
  }

  __device__ bool relax() {
    const bool alone = v_.short_rows && s_.queued <= std::uint64_t{gridDim.x} * own_share;
    if (alone)
      own_round<Distance>(v_, s_, sums(), memory_.own, looks_).run();
    else
      wide_round<Distance>(v_, s_, sums(), slots(), looks_).run();
    return meet([&] {
      ++s_.rounds;
      s_.which ^= 1;
      s_.far += found_.far;
      adopt_queue();
      if (s_.queued + s_.longs != 0) return;
      s_.next = s_.far == 0 ? step::finished : step::split;
      if (s_.far != 0) raise_limit(s_.limit);
    });
  }

  /// What lies below the old limit was settled in the rounds since it came here.
  __device__ bool split() {
    near_queue<Distance> to(v_, v_.queue[s_.which], sums(), slots().near);
    algorithm_detail::cuda::warp_queue rest(slots().far);
    std::int32_t* pile = v_.pile[s_.pile ^ 1];
    const auto entries = static_cast<std::int64_t>(s_.far);
    const auto settled = static_cast<key>(s_.settled), limit = static_cast<key>(s_.limit);
    key nearest = keys<Distance>::unreached;
    const std::int64_t step_size = std::int64_t{gridDim.x} * team_threads;
    const std::int64_t warp = std::int64_t{blockIdx.x} * team_threads + threadIdx.x / 32 * 32;
    for (std::int64_t first = warp; first < entries; first += step_size) {
      const std::int64_t i = first + lane_id();
      const bool there = i < entries;
      const std::int32_t vertex = there ? __ldcg(v_.pile[s_.pile] + i) : 0;
      const key distance = there ? __ldcg(v_.keys + vertex) : 0;
      const bool stays = there && distance >= limit;
      if (there && !stays) unmark(v_.far_mark, vertex);
      if (stays && distance < nearest) nearest = distance;
      to.add(there && !stays && distance >= settled, vertex);
      rest.push(stays, vertex, pile, &sums()->far);
    }
    to.finish();
    rest.flush(pile, &sums()->far);
    for (int d = 16; d > 0; d /= 2) {
      const key other = __shfl_xor_sync(whole_warp, nearest, d);
      nearest = other < nearest ? other : nearest;
    }
    if (lane_id() == 0 && nearest != keys<Distance>::unreached)
      atomicMax(&sums()->nearest, ~static_cast<unsigned long long>(nearest));
    return meet([&] {
      s_.pile ^= 1;
      s_.far = found_.far;
      adopt_queue();
      if (s_.queued + s_.longs != 0)
        s_.next = step::relax;
      else if (s_.far == 0)
        s_.next = step::finished;
      else
        raise_limit(~found_.nearest);  // a gap: to what is behind it at once
    });
  }

  // --- by one thread of each block ---------------------------------------------------------------

  __device__ void adopt_queue() {
    s_.queued = found_.queued;
    s_.longs = found_.longs;
  }
  __device__ void raise_limit(unsigned long long from) {
    s_.settled = s_.limit;
    s_.limit = keys<Distance>::limit(static_cast<key>(from), v_.delta);
  }

  const search_view<Distance>& v_;
  search_state& s_;
  round_sums& found_;
  team_memory<Distance>& memory_;
  unsigned long long& looks_;  // this thread's
};

template <class Distance>
__global__ void __launch_bounds__(team_threads, 1) search_kernel(search_view<Distance> v) {
  __shared__ search_state s;
  __shared__ round_sums found;
  __shared__ team_memory<Distance> memory;
  if (threadIdx.x == 0) s = *v.state;
  __syncthreads();
  unsigned long long looks = 0;
  search_loop<Distance>(v, s, found, memory, looks).run();
}

}  // namespace gossamer::sssp_detail::cuda
