// How a run begins on a GPU: values, marks, and the first work. Start has initial(vertex), the
// value that every vertex begins with; starts(vertex), whether an own vertex is work then; and
// first(vertex), what such a vertex is offered. Where values are given (`Start::given`), they are
// there already, and nothing is offered. `me`: this thread's number of `all`.
#pragma once

#include <type_traits>

#include "gossamer/dataflow/worklist/cuda/lists.cuh"
#include "gossamer/dataflow/worklist/cuda/sums.cuh"

namespace gossamer::dataflow::cuda {

template <class Start>
inline constexpr bool is_given = requires {
  requires Start::given;
};

template <class View, class Start>
__device__ inline void clear_values(const View& v, const Start& start, std::int64_t me,
                                    std::int64_t all) {
  if constexpr (!is_given<Start>)
    for (std::int64_t i = me; i < v.vertices; i += all)
      v.values[i] = start.initial(static_cast<std::int32_t>(i));
  for (std::int64_t w = me; w < (v.vertices + 31) / 32; w += all) v.out_mark[w] = 0;
  for (std::int64_t w = me; w < (v.rows + 31) / 32; w += all)
    v.near_mark[0][w] = v.near_mark[1][w] = v.far_mark[w] = v.worked_mark[w] = 0;
}

/// If there are priorities all of it is deferred, so that what is smallest goes first. Whole warps.
template <class View, class Start>
__device__ inline void put_first_work(const View& v, const Start& start, const list_state& s,
                                      list_slots& slots, std::int64_t me, std::int64_t all) {
  using Operator = std::remove_cvref_t<decltype(v.by)>;
  changed_vertices<View> changed(v, s, slots);
  unsigned long long nearest = 0;
  for (std::int64_t first = me / 32 * 32; first < v.rows; first += all) {
    const std::int64_t row = first + lane_id();
    const auto vertex = static_cast<std::int32_t>(first_of(v) + row);
    typename Operator::value now{};
    bool mine = row < v.rows && start.starts(vertex);
    double priority = 0;
    if constexpr (is_sum<Operator>) {
      int level = 0;
      if (mine)
        mine = add_to_sum(v.by, v.values + vertex, vertex, start.first(vertex), true, level);
      priority = v.by.priority(level);
    } else {
      if constexpr (is_given<Start>)
        now = fresh(v.values + (mine ? vertex : 0));
      else if (mine)
        mine = improve(v.by, v.values + vertex, start.first(vertex), now);
      priority = mine ? v.by.priority(now) : 0;
    }
    if (mine && priority > s.threshold) nearest = max(nearest, nearness(priority));
    changed.put_here(mine, vertex, priority);
  }
  changed.finish();
  add_nearest(v.sums, nearest);
}

}  // namespace gossamer::dataflow::cuda
