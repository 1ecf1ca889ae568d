// What the kernel of a distributed worklist does, from the first round to the last. Programs that
// are compiled at run time have this header, and all that it includes, as text.
#pragma once

#include "gossamer/dataflow/worklist/cuda/beginning.cuh"
#include "gossamer/dataflow/worklist/cuda/keeper.cuh"
#include "gossamer/dataflow/worklist/cuda/meeting.cuh"
#include "gossamer/dataflow/worklist/cuda/own_steps.cuh"
#include "gossamer/dataflow/worklist/cuda/pull.cuh"

namespace gossamer::dataflow::cuda {

/// Start has initial(vertex), the value that every vertex begins with; starts(vertex), whether an
/// own vertex is work then; and first(vertex), what such a vertex is offered.
template <class View, class Start>
class list_loop {
 public:
  using view = View;
  using Operator = typename View::operator_type;
  using Weight = typename View::weight;
  using value = typename Operator::value;
  using keeper_of = list_keeper<View>;

  __device__ list_loop(const view& v, const Start& start, list_state& s, list_memory<value>& memory,
                       lane_counts& counts)
      : v_(v), start_(start), s_(s), memory_(memory), counts_(counts) {}

  __device__ void run() {
    bool alive = s_.next != list_phase::begin || initialise();
    for (std::uint32_t i = 0; alive && s_.next != list_phase::finished && i < launch_rounds; ++i) {
      bool came = true;
      if constexpr (is_sum<Operator>)
        if (s_.next == list_phase::work && s_.longs != 0 && !take_long_rows()) break;
      if (s_.next == list_phase::work)
        came = work();
      else if (s_.next == list_phase::begin)
        put_first_work(v_, start_, s_, slots(), me(), all());
      else if (s_.next == list_phase::split)
        list_round<Operator, Weight, View>(v_, s_, slots(), counts_).split();
      else if (s_.next == list_phase::exchange)
        came = exchange();
      else if constexpr (may_pull<View>)
        pass_cut();
      alive = meet(came, [](keeper_of& keeper) { keeper.decide(); });
    }
  }

 private:
  __device__ list_slots& slots() { return memory_.slots[threadIdx.x / 32]; }

  /// All threads of all blocks. Everything written before is seen by all after, and the last to
  /// come has made the `decision`. False: a wait ran out or the run is over, and every block
  /// leaves.
  ///
  /// Decisions are made in the block's own copy of the state, which is what all have: in the GPU's
  /// memory each of some dozen steps would wait for the one before.
  template <class F>
  __device__ bool meet(bool came, F decision) {
    __shared__ bool alive, last;
    came = __syncthreads_and(came) != 0;
    if (threadIdx.x == 0) {
      const std::uint32_t number = s_.meetings + 1;
      last = arrive(v_.arrived, number);
      alive = (last || await_meeting(v_.arrived, number, v_.guard)) && came;
      if (last) {
        s_.meetings = number;
        keeper_of keeper(v_, s_);
        decision(keeper);
      }
    }
    __syncthreads();
    auto* const everywhere = reinterpret_cast<std::uint32_t*>(v_.state);
    auto* const here = reinterpret_cast<std::uint32_t*>(&s_);
    static_assert(sizeof s_ / 4 <= list_threads);
    if (threadIdx.x < sizeof s_ / 4) {
      if (last)
        everywhere[threadIdx.x] = here[threadIdx.x];
      else
        here[threadIdx.x] = __ldcg(everywhere + threadIdx.x);
    }
    __syncthreads();
    if (last && threadIdx.x == 0) hold(v_.arrived, s_.meetings);
    return alive;
  }

  [[nodiscard]] __device__ std::int64_t me() const {
    return static_cast<std::int64_t>(blockIdx.x) * list_threads + threadIdx.x;
  }
  [[nodiscard]] __device__ static std::int64_t all() {
    return static_cast<std::int64_t>(gridDim.x) * list_threads;
  }

  /// Sums of rows in chunks, before any chunk is dealt with.
  __device__ bool take_long_rows() {
    list_round<Operator, Weight, View>(v_, s_, slots(), counts_).take_long_rows();
    return meet(true, [](keeper_of&) {});
  }

  __device__ bool work() {
    if constexpr (is_sum<Operator>) {
      list_round<Operator, Weight, View> round(v_, s_, slots(), counts_);
      const bool came = !has_others(v_) || round.trade();
      round.relax();
      round.finish();
      return came;
    } else {
      return work_or_step();
    }
  }
  /// Blocks of a network may go some steps alone, and one block of any graph where the round has
  /// few vertices.
  [[nodiscard]] __device__ bool few() const {
    if (v_.short_rows) return s_.queued <= static_cast<std::uint64_t>(gridDim.x) * own_share;
    // Settled vertices that offer along what a cut has left out are many.
    return s_.rest == 0 && s_.longs == 0 && s_.queued <= lone_share;
  }
  __device__ bool work_or_step() {
    const bool alone = few();
    bool came = true;
    if (has_others(v_) || !alone) {
      list_round<Operator, Weight, View> round(v_, s_, slots(), counts_);
      if (has_others(v_) && !v_.in_step) came = round.trade();
      if (!alone) round.relax();
      round.finish();
    }
    if (!alone) return came;
    __syncthreads();  // one memory for both
    if (v_.short_rows)
      own_steps_round<View, false>(v_, s_, memory_.own, counts_).run();
    else
      own_steps_round<View, true>(v_, s_, memory_.own, counts_).run();
    return came;
  }

  /// Of ranks in step, after a round.
  __device__ bool exchange() {
    bool came = true;
    if (has_others(v_)) {
      list_round<Operator, Weight, View> round(v_, s_, slots(), counts_);
      came = round.trade();
      round.finish();
    }
    return came;
  }
  __device__ void pass_cut() { counts_.looks += pass_cut_of(v_, s_, slots()); }
  /// Not inlined: rounds would lose the registers that it takes.
  static __device__ __noinline__ std::uint32_t pass_cut_of(const view& v, const list_state& s,
                                                           list_slots& slots) {
    settled_rows<View> rows(v, s, slots);
    std::uint32_t looks = 0;
    if (s.next == list_phase::weigh)
      rows.weigh();
    else if (s.next == list_phase::gather)
      rows.gather();
    else if (s.next == list_phase::pull)
      rows.pull(looks);
    return looks;
  }
  /// Values and marks.
  __device__ bool initialise() {
    clear_values(v_, start_, me(), all());
    return meet(true, [](keeper_of& keeper) { keeper.begin(); });
  }

  const view& v_;
  const Start& start_;
  list_state& s_;
  list_memory<value>& memory_;
  lane_counts& counts_;
};

/// A kernel's body: all threads of blocks of list_threads, all of which run at the same time.
/// View: list_view or lone_list_view.
template <class View, class Start>
__device__ inline void run_list(const View& v, const Start& start) {
  using Operator = typename View::operator_type;
  __shared__ list_state s;
  __shared__ list_memory<typename Operator::value> memory;
  if (threadIdx.x == 0) s = *v.state;
  __syncthreads();
  lane_counts counts;
  list_loop<View, Start>(v, start, s, memory, counts).run();
  add_of_warp(&v.totals->items, counts.items);
  add_of_warp(&v.totals->looks, counts.looks);
  add_of_warp(&v.totals->repeated, counts.repeated);
  add_of_warp(&v.totals->useless, counts.useless);
  add_of_warp(&v.totals->filtered, counts.filtered);
  if constexpr (is_sum<Operator>)
    if (s.next == list_phase::finished) add_left(v);
}

}  // namespace gossamer::dataflow::cuda
