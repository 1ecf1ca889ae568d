// The kernels of a host-driven worklist.
#pragma once

#include "algorithm/host_driven/cuda/view.hpp"
#include "gossamer/dataflow/worklist/cuda/beginning.cuh"
#include "gossamer/dataflow/worklist/cuda/found.cuh"
#include "gossamer/dataflow/worklist/cuda/own_steps.cuh"

namespace gossamer::algorithm_detail::cuda {

inline constexpr int pack_threads = 256;

__device__ inline std::int64_t thread_of_grid() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t threads_of_grid() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// By all threads of a block.
__device__ inline void load_state(const list_state* from, list_state& s) {
  static_assert(sizeof s % 4 == 0);
  const auto* words = reinterpret_cast<const std::uint32_t*>(from);
  auto* to = reinterpret_cast<std::uint32_t*>(&s);
  for (unsigned i = threadIdx.x; i < sizeof s / 4; i += blockDim.x) to[i] = __ldcg(words + i);
  __syncthreads();
}

template <class View>
__device__ inline void add_counts(const View& v, const lane_counts& counts) {
  add_of_warp(&v.totals->items, counts.items);
  add_of_warp(&v.totals->looks, counts.looks);
  add_of_warp(&v.totals->repeated, counts.repeated);
  add_of_warp(&v.totals->useless, counts.useless);
  add_of_warp(&v.totals->filtered, counts.filtered);
}

template <class View, class Start>
__global__ void host_clear_kernel(View v, Start start) {
  clear_values(v, start, thread_of_grid(), threads_of_grid());
}

template <class View, class Start>
__global__ void __launch_bounds__(list_threads, 1) host_begin_kernel(View v, Start start) {
  __shared__ list_state s;
  __shared__ list_slots slots[list_warps];
  load_state(v.state, s);
  put_first_work(v, start, s, slots[threadIdx.x / 32], thread_of_grid(), threads_of_grid());
}

/// One thread: what was found becomes the queue; the host is told.
template <class View>
__global__ void host_turn_kernel(View v, turn_orders orders, shown_words* shown) {
  list_state& s = *v.state;
  adopt_found(v, s);
  s.next = list_phase::work;
  if (orders.opens) {
    s.settled = s.threshold;
    s.threshold = orders.threshold;
    s.next = list_phase::split;
    return;  // the turn behind the split shows what there is
  }
  const bool gives = orders.least_grant != 0 && s.queued >= 2 * orders.least_grant;
  shown->granted = gives ? s.queued / 2 : 0;
  s.queued -= shown->granted;
  shown->queued = s.queued + (s.longs >> long_count_bit);
  shown->items = s.items + s.stepped;
  // A sum that is taken again is work that was not done before.
  shown->repeated = is_sum<typename View::operator_type> ? 0 : v.totals->repeated;
  shown->nearest = s.nearest;
  for (int r = 0; r < v.ranks; ++r) shown->appended[r] = s.appended[r];
  shown->fault = *v.fault;
}

template <class Operator, class Weight>
__global__ void __launch_bounds__(list_threads, 1)
    host_split_kernel(host_list_view<Operator, Weight> v) {
  __shared__ list_state s;
  __shared__ list_slots slots[list_warps];
  load_state(v.state, s);
  lane_counts counts;
  list_round<Operator, Weight, host_list_view<Operator, Weight>>(v, s, slots[threadIdx.x / 32],
                                                                 counts)
      .split();
}

/// Sums of rows in chunks, each once, before any chunk is dealt with (sums.cuh).
template <class Operator, class Weight>
__global__ void __launch_bounds__(list_threads, 1)
    host_long_rows_kernel(host_list_view<Operator, Weight> v) {
  __shared__ list_state s;
  __shared__ list_slots slots[list_warps];
  load_state(v.state, s);
  if (s.longs == 0) return;
  lane_counts counts;
  list_round<Operator, Weight, host_list_view<Operator, Weight>>(v, s, slots[threadIdx.x / 32],
                                                                 counts)
      .take_long_rows();
  add_counts(v, counts);
}

template <class View>
__global__ void __launch_bounds__(list_threads, 1) host_add_up_kernel(View v) {
  add_left(v);
}

/// The queue; blocks may go some steps alone where rows are short and few are queued.
template <class Operator, class Weight>
__global__ void __launch_bounds__(list_threads, 1)
    host_relax_kernel(host_list_view<Operator, Weight> v) {
  using view = host_list_view<Operator, Weight>;
  __shared__ list_state s;
  __shared__ list_memory<typename Operator::value> memory;
  load_state(v.state, s);
  if (s.queued + s.longs == 0) return;
  lane_counts counts;
  bool alone = false;
  if constexpr (!is_sum<Operator>) {
    alone = v.short_rows && s.longs == 0 &&
            s.queued <= static_cast<std::uint64_t>(gridDim.x) * own_share;
    if (alone) own_steps_round<view, false>(v, s, memory.own, counts).run();
  }
  if (!alone) {
    list_round<Operator, Weight, view> round(v, s, memory.slots[threadIdx.x / 32], counts);
    round.relax();
    round.finish();
  }
  add_counts(v, counts);
}

/// Messages improve own values, or are added to own sums, which are then work, and those of others'
/// vertices, which are then passed on.
template <class Operator, class Weight>
__global__ void __launch_bounds__(list_threads, 1)
    host_take_kernel(host_list_view<Operator, Weight> v,
                     const device_message<typename Operator::value>* from, std::uint64_t n) {
  using view = host_list_view<Operator, Weight>;
  using value = typename Operator::value;
  __shared__ list_state s;
  __shared__ list_slots slots[list_warps];
  load_state(v.state, s);
  lane_counts counts;
  changed_vertices<view> changed(v, s, slots[threadIdx.x / 32]);
  const auto all = static_cast<std::uint64_t>(threads_of_grid());
  for (std::uint64_t first = static_cast<std::uint64_t>(thread_of_grid()) / 32 * 32; first < n;
       first += all) {
    const std::uint64_t i = first + lane_id();
    device_message<value> m{};
    bool there = i < n;
    if (there) m = from[i];
    if (there && static_cast<std::uint64_t>(m.target) >= static_cast<std::uint64_t>(v.vertices)) {
      atomicOr(v.fault, 1u);
      there = false;
    }
    if constexpr (is_sum<Operator>) {
      int level = 0;
      const bool risen = there && add_to_sum(v.by, v.values + m.target, m.target, m.content,
                                             changed.own(m.target), level);
      counts.useless += there && level == 0 ? 1 : 0;
      changed.put(risen, m.target, v.by.priority(level));
    } else {
      value now{};
      const bool improved = there && improve_after_look(v.by, v.values + m.target, m.content, now);
      counts.useless += there && !improved ? 1 : 0;
      changed.put(improved, m.target, improved ? v.by.priority(now) : 0);
    }
  }
  changed.finish();
  add_of_warp(&v.totals->useless, counts.useless);
}

/// Items that a turn left out are behind the queue. Beside `relax`, which queues what it finds
/// elsewhere.
template <class Operator, class Weight>
__global__ void __launch_bounds__(pack_threads)
    host_grant_kernel(host_list_view<Operator, Weight> v, std::uint64_t first, std::uint64_t n,
                      device_message<typename Operator::value>* into) {
  using view = host_list_view<Operator, Weight>;
  __shared__ list_state s;
  __shared__ list_slots slots;  // nothing is found here
  load_state(v.state, s);
  lane_counts counts;
  const auto i = static_cast<std::uint64_t>(thread_of_grid());
  if (i < n) {
    list_round<Operator, Weight, view> round(v, s, slots, counts);
    const std::int32_t row = __ldcg(v.queue[s.which] + s.queued + first + i);
    into[i] = {static_cast<std::int32_t>(first_of(v) + row), round.take(row)};
    round.count(row);
  }
  add_counts(v, counts);
}

/// Along the rows of the rank that granted the items.
template <class Operator, class Weight>
__global__ void __launch_bounds__(list_threads, 1)
    host_work_off_kernel(host_list_view<Operator, Weight> v,
                         const device_message<typename Operator::value>* items, std::uint64_t n) {
  using view = host_list_view<Operator, Weight>;
  __shared__ list_state s;
  __shared__ list_slots slots[list_warps];
  load_state(v.state, s);
  lane_counts counts;
  list_round<Operator, Weight, view> round(v, s, slots[threadIdx.x / 32], counts);
  round.relax_granted(items, static_cast<std::int64_t>(n));
  round.finish();
  add_counts(v, counts);
}

template <class Operator, class Weight>
__global__ void __launch_bounds__(pack_threads)
    host_pack_kernel(host_list_view<Operator, Weight> v, int to, std::uint64_t first,
                     std::uint64_t n, device_message<typename Operator::value>* into) {
  const auto i = static_cast<std::uint64_t>(thread_of_grid());
  if (i >= n) return;
  const std::int32_t vertex = __ldcg(v.out[to] + ((first + i) & v.out_mask[to]));
  unmark(v.out_mark, vertex);
  __threadfence();  // see changed_vertices::put_there
  if constexpr (is_sum<Operator>)
    into[i] = {vertex, empty_sum(v.values + vertex)};
  else
    into[i] = {vertex, fresh(v.values + vertex)};
}

}  // namespace gossamer::algorithm_detail::cuda
