// A round of a network: a few thousand vertices with short rows, whose time is the chain of
// dependent accesses from vertex to vertex, and the meeting after it. So a block goes several steps
// alone before all meet, as threads of the CPU form do (bucket fusion, Zhang et al., CGO 2020):
// what it improves up to the threshold waits in a queue of its own, in shared memory, with the
// value it got; an entry whose vertex has improved since is dropped, because whoever improved it
// has queued it.
#pragma once

#include "algorithm/cuda/worklist/round.cuh"

namespace gossamer::algorithm_detail::cuda {

template <class Value>
struct own_lists {
  struct entry {
    Value found;
    std::int32_t row;
  };
  entry waiting[2][own_entries];
  std::int32_t far[own_entries];
  unsigned count[3];  ///< of steps, in turn
  unsigned far_count;
  bool nearer;  ///< something in the pile has become better
};

/// Shared memory of a block; the ways of working take turns.
template <class Value>
union list_memory {
  list_slots slots[list_warps];
  own_lists<Value> own;
};

template <class Operator, class Weight, class View = list_view<Operator, Weight>>
class own_steps_round {
 public:
  using view = View;
  using value = typename Operator::value;
  using entry = typename own_lists<value>::entry;

  __device__ own_steps_round(const view& v, const list_state& s, own_lists<value>& own,
                             lane_counts& counts)
      : v_(v), s_(s), own_(own), counts_(counts), begin_(v.starts[v.rank]) {}

  /// All blocks; the queue holds own_share entries a block at most.
  __device__ void run() {
    const auto queued = static_cast<std::int64_t>(s_.queued);
    const std::int64_t share = (queued + gridDim.x - 1) / gridDim.x, from = blockIdx.x * share;
    const std::int64_t left = queued - from;
    const int mine = static_cast<int>(left < 0 ? 0 : left < share ? left : share);
    if (threadIdx.x == 0) {
      own_.count[0] = own_.count[1] = 0;
      own_.far_count = 0;
      own_.nearer = false;
    }
    __syncthreads();
    first_step(v_.queue[s_.which] + from, mine);
    int steps = 1;
    unsigned stepped = 0;
    for (;; ++steps) {
      __syncthreads();
      const int n = waiting(steps);
      if (n == 0 || steps == own_steps) break;
      if (threadIdx.x == 0) stepped += static_cast<unsigned>(n);
      // Read by all before the last barrier, added to after the next.
      if (threadIdx.x == 0) own_.count[(steps + 1) % 3] = 0;
      for (int i = static_cast<int>(threadIdx.x); i < n; i += list_threads) {
        const entry e = own_.waiting[steps % 2][i];
        if (!current(e)) continue;
        ++counts_.items;
        if (!mark(v_.worked_mark, e.row)) ++counts_.repeated;
        relax(e.row, e.found, steps + 1);
      }
    }
    if (stepped != 0) atomicAdd(&v_.sums->stepped, static_cast<unsigned long long>(stepped));
    hand_over(steps);
  }

 private:
  [[nodiscard]] __device__ value* at(std::int64_t row) const { return v_.values + begin_ + row; }
  [[nodiscard]] __device__ bool current(const entry& e) const {
    return fresh_word(at(e.row)) == to_word(e.found);
  }
  /// Entries for a step, those that found room.
  [[nodiscard]] __device__ int waiting(int steps) const {
    const unsigned n = own_.count[(steps - 1) % 3];
    return static_cast<int>(n < own_entries ? n : own_entries);
  }

  __device__ void first_step(const std::int32_t* queue, int n) {
    static_assert(own_share <= list_threads, "a thread takes one vertex at most");
    const int i = static_cast<int>(threadIdx.x);
    if (i >= n) return;
    const std::int32_t row = __ldcg(queue + i);
    unmark(v_.near_mark[s_.which], row);
    if (!mark(v_.worked_mark, row)) ++counts_.repeated;
    relax(row, fresh(at(row)), 1);
  }

  /// One thread a row; what it finds is for step `next`.
  __device__ void relax(std::int32_t row, const value& out, int next) {
    constexpr int ahead = 4;  // independent chains a thread keeps in flight
    const edge_offset begin = v_.offsets[row], end = v_.offsets[row + std::int64_t{1}];
    counts_.looks += static_cast<unsigned long long>(end - begin);
    for (edge_offset a = begin; a < end; a += ahead) {
      device_arc<Weight> along[ahead];
      value found[ahead];
      bool changed[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (a + k < end) along[k] = load_arc(v_.arcs + a + k);
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        changed[k] = a + k < end;
        if (!changed[k]) continue;
        const auto incoming = v_.by.propagate(
            out, arc<std::int64_t, Weight>{begin_ + row, static_cast<std::int64_t>(along[k].to),
                                           weight_along(along[k])});
        changed[k] = improve(v_.by, v_.values + along[k].to, incoming, found[k]);
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (a + k < end) enter(changed[k], along[k].to, found[k], next);
    }
  }

  __device__ void enter(bool changed, std::int32_t vertex, const value& found, int next) {
    const std::int64_t row = vertex - begin_;
    const bool here =
        !has_others(v_) || static_cast<std::uint64_t>(row) < static_cast<std::uint64_t>(v_.rows);
    if (!here) {
      if (changed)
        send_later(vertex);
      else
        ++counts_.filtered;
      return;
    }
    if (!changed) return;
    const auto local = static_cast<std::int32_t>(row);
    if (v_.by.priority(found) <= s_.threshold) {
      const unsigned place = atomicAdd(&own_.count[(next - 1) % 3], 1u);
      if (place < own_entries)
        own_.waiting[next % 2][place] = {found, local};
      else if (mark(v_.near_mark[s_.which ^ 1], local))
        v_.queue[s_.which ^ 1][atomicAdd(&v_.sums->queued, 1ull)] = local;
    } else if (mark(v_.far_mark, local)) {
      const unsigned place = atomicAdd(&own_.far_count, 1u);
      if (place < own_entries)
        own_.far[place] = local;
      else
        v_.pile[s_.pile][s_.far + atomicAdd(&v_.sums->far, 1ull)] = local;
    } else {
      own_.nearer = true;
    }
  }
  /// By one thread: see changed_vertices::put_there.
  __device__ void send_later(std::int32_t vertex) {
    __threadfence();
    if (!mark(v_.out_mark, vertex)) return;
    const int to = list_of(v_, vertex);
    const unsigned long long place = s_.appended[to] + atomicAdd(&v_.sums->out[to], 1ull);
    v_.out[to][place & v_.out_mask[to]] = vertex;
  }

  /// What waits for the next step, to all blocks; what was found beyond the threshold, to the pile.
  __device__ void hand_over(int steps) {
    if (threadIdx.x == 0 && own_.nearer) atomicOr(&v_.sums->nearer, 1ull);
    const int n = waiting(steps);
    const int far = static_cast<int>(own_.far_count < own_entries ? own_.far_count : own_entries);
    const int most = n > far ? n : far;
    for (int first = static_cast<int>(threadIdx.x / 32) * 32; first < most; first += list_threads) {
      const int i = first + static_cast<int>(lane_id());
      const entry e = i < n ? own_.waiting[steps % 2][i] : entry{};
      const bool stays = i < n && current(e);
      append(stays && mark(v_.near_mark[s_.which ^ 1], e.row), e.row, v_.queue[s_.which ^ 1],
             &v_.sums->queued);
      append(i < far, i < far ? own_.far[i] : 0, v_.pile[s_.pile] + s_.far, &v_.sums->far);
    }
  }
  /// One place for each lane that asks; whole warps.
  __device__ static void append(bool mine, std::int32_t row, std::int32_t* list,
                                unsigned long long* tail) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (who == 0) return;
    unsigned long long place = 0;
    if (lane_id() == 0) place = atomicAdd(tail, static_cast<unsigned long long>(__popc(who)));
    place = __shfl_sync(whole_warp, place, 0);
    if (mine) list[place + __popc(who & lanes_below())] = row;
  }

  const view& v_;
  const list_state& s_;
  own_lists<value>& own_;
  lane_counts& counts_;
  const std::int64_t begin_;
};

}  // namespace gossamer::algorithm_detail::cuda
