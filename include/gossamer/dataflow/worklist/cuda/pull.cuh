// Direction-optimising delta-stepping (Chakaravarthy, Checconi, Petrini and Sabharwal, IPDPS 2014),
// for values that never improve along an arc, where arcs lead both ways with one weight.
//
// Most arcs of a skewed graph lead from vertices that are settled early to others that are settled
// as early by another path. So while what lies before a priority, `cut`, is worked on, arcs whose
// offer lies beyond it are left out. Then all values up to `cut` are final. The rest of the arcs is
// dealt with at once, from the side that has fewer. Either settled vertices offer along what they
// left out, and a cut twice as far follows. Or open vertices look back along their own arcs, after
// which nothing is left out.
//
// Several ranks tell each other all their values while they weigh, and agree by a round of reports:
// they look back if each would.
#pragma once

#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist/cuda/lists.cuh"

namespace gossamer::dataflow::cuda {

/// Not where host threads drive the rounds.
template <class View>
inline constexpr bool may_pull =
    has_of_priority<typename View::operator_type> && !requires(const View& v) {
  v.way;
};

/// The word of the largest value whose priority is at most the given one.
template <class View>
__device__ inline auto word_of_priority(const View& v, double priority) {
  return to_word(View::operator_type::of_priority(v.by, priority));
}

/// All warps and all rows. Each function between two meetings.
template <class View>
class settled_rows {
 public:
  using value = typename View::operator_type::value;
  using weight = typename View::weight;

  __device__ settled_rows(const View& v, const list_state& s, list_slots& slots)
      : v_(v),
        s_(s),
        changed_(v, s, slots),
        values_(v.values + first_of(v)),
        cut_(word_of_priority(v, s.cut)),
        me_(static_cast<std::int64_t>(blockIdx.x) * list_warps + threadIdx.x / 32),
        warps_(static_cast<std::int64_t>(gridDim.x) * list_warps) {}

  /// Counts the arcs on either side; tells the other ranks what is final.
  __device__ void weigh() {
    if (has_others(v_)) tell();
    unsigned long long settled = 0, open = 0, longest = 0;
    for (std::int64_t row = me_ * 32 + lane_id(); row < v_.rows; row += warps_ * 32) {
      const auto arcs = static_cast<unsigned long long>(v_.offsets[row + 1] - v_.offsets[row]);
      const auto word = fresh_word(values_ + row);
      if (word > cut_) {
        open += arcs;
        longest = max(longest, arcs);
      } else if (newly(word)) {
        settled += arcs;
      }
    }
    add_of_warp(&v_.sums->settled_arcs, settled);
    add_of_warp(&v_.sums->open_arcs, open);
    for (int d = 16; d > 0; d /= 2) longest = max(longest, __shfl_xor_sync(whole_warp, longest, d));
    if (lane_id() == 0 && longest != 0) atomicMax(&v_.sums->longest_open, longest);
  }

  /// Puts vertices that have arcs left out into the queue.
  __device__ void gather() {
    for (std::int64_t first = me_ * 32; first < v_.rows; first += warps_ * 32) {
      const std::int64_t row = first + lane_id();
      const bool mine = row < v_.rows && newly(fresh_word(values_ + row));
      changed_.revive(mine, static_cast<std::int32_t>(row));
    }
    changed_.finish();
  }

  /// Open vertices look at their neighbours: a warp at 32 rows joined, none of which is long.
  __device__ void pull(std::uint32_t& looks) {
    for (std::int64_t first = me_ * 32; first < v_.rows; first += warps_ * 32) {
      const std::int64_t row = first + lane_id();
      value now{};
      edge_offset begin = 0;
      int mine = 0;
      if (row < v_.rows) now = fresh(values_ + row);
      if (row < v_.rows && to_word(now) > cut_) {
        begin = v_.offsets[row];
        mine = static_cast<int>(v_.offsets[row + 1] - begin);
        looks += static_cast<std::uint32_t>(mine);
      }
      pull_joined(static_cast<std::int32_t>(first), now, begin, mine);
    }
    changed_.finish();
  }

 private:
  [[nodiscard]] __device__ bool newly(word_of<value> word) const {
    return word <= cut_ && (!s_.passed || word > word_of_priority(v_, s_.last_cut));
  }

  /// Whole values of all own rows: what is beyond the cut is left alone by who reads it.
  __device__ void tell() {
    for (std::int64_t row = me_ * 32 + lane_id(); row < v_.rows; row += warps_ * 32) {
      const value now = fresh(values_ + row);
      for (int k = 0; k < v_.ranks; ++k)
        all_values(v_.settled_at[(v_.rank + k) % v_.ranks])[first_of(v_) + row] = now;
    }
  }
  __device__ static value* all_values(std::uint64_t* words) {
    return reinterpret_cast<value*>(words);
  }
  [[nodiscard]] __device__ value* everyones() const {
    return has_others(v_) ? all_values(v_.settled) : v_.values;
  }

  __device__ void pull_joined(std::int32_t first_row, const value& now, edge_offset begin,
                              int mine) {
    const int up_to = inclusive_sum(mine);
    const int total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset base = begin - (up_to - mine);  // arc j of the warp is base + j in its row
    for (int first = 0; first < total; first += 32) {
      const int j = first + static_cast<int>(lane_id());
      const int lane = row_of_arc(up_to, j);
      const edge_offset at = __shfl_sync(whole_warp, base, lane) + j;
      const value before = from_word<value>(__shfl_sync(whole_warp, to_word(now), lane));
      const std::int32_t row = first_row + lane;
      value found{};
      bool changed = false;
      if (j < total) {
        const device_arc<weight> along = load_arc(v_.arcs + at);
        const value there = maybe_stale(everyones() + along.to);  // final, or beyond the cut
        if (to_word(there) <= cut_) {
          const value incoming = v_.by.propagate(
              there, arc<std::int64_t, weight>{along.to, first_of(v_) + row, weight_along(along)});
          changed = to_word(incoming) < to_word(before) &&
                    improve_after_look(v_.by, values_ + row, incoming, found);
        }
      }
      if (__any_sync(whole_warp, changed) != 0)
        changed_.put_here(changed, static_cast<std::int32_t>(first_of(v_) + row),
                          changed ? v_.by.priority(found) : 0);
    }
  }

  const View& v_;
  const list_state& s_;
  changed_vertices<View> changed_;
  value* const values_;  ///< of own rows
  const word_of<value> cut_;
  const std::int64_t me_, warps_;
};

}  // namespace gossamer::dataflow::cuda
