// A round of a network: a few thousand vertices with short rows. Its time is the chain of dependent
// accesses from vertex to vertex, and the meeting after it. So a block goes several steps alone
// before all meet, as threads of the CPU form do (bucket fusion, Zhang et al., CGO 2020). What it
// improves up to the threshold waits in a queue of its own, in shared memory, with the value it
// got. An entry whose vertex has improved since is dropped: whoever improved it has queued it.
//
// Rounds of other graphs that have few vertices are chains as well. One block takes them, until a
// step has more vertices than are few. What it finds with a long row it leaves to all blocks.
#pragma once

#include "gossamer/dataflow/worklist/cuda/round.cuh"

namespace gossamer::dataflow::cuda {

/// A row's arcs in one word: where they begin, and their number.
class arc_span {
 public:
  static constexpr edge_offset most = (edge_offset{1} << 20) - 1;

  arc_span() = default;
  __device__ arc_span(edge_offset begin, edge_offset count)
      : word_(static_cast<std::uint64_t>(begin) << count_bits | static_cast<std::uint64_t>(count)) {
  }
  [[nodiscard]] __device__ edge_offset begin() const {
    return static_cast<edge_offset>(word_ >> count_bits);
  }
  [[nodiscard]] __device__ int count() const { return static_cast<int>(word_ & most); }

 private:
  static constexpr int count_bits = 20;
  std::uint64_t word_;
};

/// Vertices that wait for a step.
template <class Value>
struct step_entries {
  Value found[own_entries];
  std::int32_t row[own_entries];
  arc_span arcs[own_entries];
};

template <class Value>
struct own_lists {
  step_entries<Value> waiting[2];  ///< for steps in turn
  std::int32_t far[own_entries];
  unsigned count[3];  ///< of steps, in turn
  unsigned far_count;
  bool nearer;  ///< something in the pile has become better
  int long_at;  ///< the last step that a row waits for which one block must not walk
};

/// Shared memory of a block; the ways of working take turns.
template <class Value>
union list_memory {
  list_slots slots[list_warps];
  own_lists<Value> own;
};

/// A step is a chain of accesses, each of which waits for the one before: a row's arcs, then the
/// values at their ends. All other reads go beside these two. The offsets at every arc's end are
/// read together with its value, so that the next step has them.
/// `Alone`: one block of any graph; otherwise all blocks of one whose rows are short.
template <class View, bool Alone>
class own_steps_round {
 public:
  using view = View;
  using Operator = typename View::operator_type;
  using Weight = typename View::weight;
  using value = typename Operator::value;

  __device__ own_steps_round(const view& v, const list_state& s, own_lists<value>& own,
                             lane_counts& counts)
      : v_(v), s_(s), own_(own), counts_(counts), begin_(first_of(v)) {}

  /// All blocks; the queue holds own_share entries a block at most.
  __device__ void run() {
    take_share();
    int steps = 0;
    unsigned stepped = 0;
    for (;; ++steps) {
      __syncthreads();
      const int n = waiting(steps);
      if (n == 0 || steps == own_steps || is_too_much(n, steps)) break;
      if (threadIdx.x == 0) {
        if (steps != 0) stepped += static_cast<unsigned>(n);
        // Read by all before the last barrier, added to after the next.
        own_.count[(steps + 2) % 3] = 0;
      }
      go(n, steps);
    }
    if (stepped != 0) atomicAdd(&v_.sums->stepped, static_cast<unsigned long long>(stepped));
    hand_over(steps);
  }

 private:
  static constexpr int ahead = 4;  ///< arcs that a thread has under way

  [[nodiscard]] __device__ value* at(std::int64_t row) const { return v_.values + begin_ + row; }
  /// Of more arcs than are told it has the most: such rows are long, and nobody walks them by this.
  [[nodiscard]] __device__ arc_span arcs_of(std::int64_t row) const {
    const edge_offset begin = __ldg(v_.offsets + row);
    const edge_offset count = __ldg(v_.offsets + row + 1) - begin;
    return {begin, Alone && count > arc_span::most ? arc_span::most : count};
  }
  [[nodiscard]] static __device__ bool is_long(const arc_span& arcs) {
    return Alone && arcs.count() >= long_row;
  }
  [[nodiscard]] __device__ bool is_too_much(int entries, int step) const {
    return Alone && step != 0 && (own_.long_at == step || entries > 2 * lone_share);
  }
  /// Entries for a step, those that found room.
  [[nodiscard]] __device__ int waiting(int step) const {
    const unsigned n = own_.count[step % 3];
    return static_cast<int>(n < own_entries ? n : own_entries);
  }
  [[nodiscard]] __device__ bool own_row(std::int64_t row) const {
    return !has_others(v_) || static_cast<std::uint64_t>(row) < static_cast<std::uint64_t>(v_.rows);
  }

  /// This block's part of the queue.
  __device__ void take_share() {
    static_assert(own_share <= list_threads && lone_share <= own_share,
                  "a thread takes one vertex at most");
    const auto queued = static_cast<std::int64_t>(s_.queued);
    const std::int64_t share = Alone ? lone_share : (queued + gridDim.x - 1) / gridDim.x,
                       from = blockIdx.x * share;
    const std::int64_t left = queued - from, mine = left < 0 ? 0 : left < share ? left : share;
    if (threadIdx.x == 0) {
      own_.count[0] = static_cast<unsigned>(mine);
      own_.count[1] = 0;
      own_.far_count = 0;
      own_.nearer = false;
      own_.long_at = 0;
    }
    const auto i = static_cast<int>(threadIdx.x);
    if (i >= mine) return;
    const std::int32_t row = __ldcg(v_.queue[s_.which] + from + i);
    unmark(v_.near_mark[s_.which], row);
    step_entries<value>& first = own_.waiting[0];
    first.row[i] = row;
    first.arcs[i] = arcs_of(row);
    first.found[i] = fresh(at(row));
  }

  /// A step's rows. While there are fewer than threads, several threads share a row.
  __device__ void go(int n, int step) {
    const int shift = n > list_threads / 2   ? 0
                      : n > list_threads / 4 ? 1
                      : n > list_threads / 8 ? 2
                                             : 3;
    const step_entries<value>& now = own_.waiting[step % 2];
    for (int t = static_cast<int>(threadIdx.x); t < n << shift; t += list_threads) {
      const int i = t >> shift, part = t & ((1 << shift) - 1);
      relax(now.row[i], now.found[i], now.arcs[i], part, 1 << shift, step);
    }
  }

  /// One thread's part of a row: every `parts`-th arc.
  __device__ void relax(std::int32_t row, const value& out, arc_span arcs, int part, int parts,
                        int step) {
    const device_arc<Weight>* const first = v_.arcs + arcs.begin();
    device_arc<Weight> along[ahead];
    load(first, arcs.count(), part, parts, along);
    if (fresh_word(at(row)) != to_word(out)) {  // who improved it has queued it
      // Out of the queue it counts as an item, and so does the time when its work is done.
      counts_.repeated += step == 0 && part == 0 ? 1 : 0;
      return;
    }
    bool again = false;
    if (part == 0) {
      again = !mark(v_.worked_mark, row);
      if (step != 0) ++counts_.items;
      counts_.looks += static_cast<std::uint32_t>(arcs.count());
    }
    for (int a = part; a < arcs.count();) {
      offer(begin_ + row, out, along, arcs.count() - a, parts, step + 1);
      a += ahead * parts;
      load(first, arcs.count(), a, parts, along);
    }
    counts_.repeated += again ? 1 : 0;
  }
  __device__ static void load(const device_arc<Weight>* first, int count, int from, int parts,
                              device_arc<Weight> (&along)[ahead]) {
#pragma unroll
    for (int k = 0; k < ahead; ++k)
      if (from + k * parts < count) along[k] = load_arc(first + from + k * parts);
  }
  /// Some arcs of one row; `left`: from the first of them to the row's end.
  __device__ void offer(std::int64_t from, const value& out,
                        const device_arc<Weight> (&along)[ahead], int left, int parts, int next) {
    value found[ahead];
    arc_span then[ahead];
    bool changed[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      changed[k] = k * parts < left;
      if (!changed[k]) continue;
      const auto to = static_cast<std::int64_t>(along[k].to);
      const auto incoming =
          v_.by.propagate(out, arc<std::int64_t, Weight>{from, to, weight_along(along[k])});
      if (own_row(to - begin_)) then[k] = arcs_of(to - begin_);
      changed[k] = improve(v_.by, v_.values + to, incoming, found[k]);
    }
    std::int32_t over = -1;
#pragma unroll
    for (int k = 0; k < ahead; ++k)
      if (k * parts < left && !enter(changed[k], along[k].to, found[k], then[k], next)) {
        if (over >= 0) queue_long(v_, s_, over);
        over = static_cast<std::int32_t>(along[k].to - begin_);
      }
    if (over >= 0) queue_long(v_, s_, over);
  }

  /// False: its row is long, and there was no room.
  __device__ bool enter(bool changed, std::int32_t vertex, const value& found, arc_span arcs,
                        int next) {
    const std::int64_t row = vertex - begin_;
    if (!own_row(row)) {
      if (changed && is_sent(v_.by, vertex, found))
        send_later(vertex);
      else
        ++counts_.filtered;
      return true;
    }
    if (!changed) return true;
    const auto local = static_cast<std::int32_t>(row);
    if (v_.by.priority(found) <= s_.threshold) {
      const unsigned place = atomicAdd(&own_.count[next % 3], 1u);
      if (place < own_entries) {
        own_.waiting[next % 2].found[place] = found;
        own_.waiting[next % 2].row[place] = local;
        own_.waiting[next % 2].arcs[place] = arcs;
        if (is_long(arcs)) own_.long_at = next;
      } else if (!is_long(arcs) && mark(v_.near_mark[s_.which ^ 1], local)) {
        v_.queue[s_.which ^ 1][atomicAdd(&v_.sums->queued, 1ull)] = local;
      }
      return place < own_entries || !is_long(arcs);
    }
    if (mark(v_.far_mark, local)) {
      const unsigned place = atomicAdd(&own_.far_count, 1u);
      if (place < own_entries)
        own_.far[place] = local;
      else
        v_.pile[s_.pile][s_.far + atomicAdd(&v_.sums->far, 1ull)] = local;
    } else {
      own_.nearer = true;
    }
    return true;
  }
  /// For all blocks' next round, by one thread.
  static __device__ __noinline__ void queue_long(const view& v, const list_state& s,
                                                 std::int32_t row) {
    if (!mark(v.near_mark[s.which ^ 1], row)) return;
    std::int32_t* queue = v.queue[s.which ^ 1];
    const edge_offset length = v.offsets[row + std::int64_t{1}] - v.offsets[row];
    const unsigned long long place =
        atomicAdd(&v.sums->longs, (1ull << long_count_bit) + chunks_of(length));
    const unsigned long long first = place & ((1ull << long_count_bit) - 1);
    *long_entry(queue, v.rows, static_cast<std::int64_t>(place >> long_count_bit)) =
        first << long_vertex_bits | static_cast<unsigned long long>(row);
  }
  /// By one thread: see changed_vertices::put_there.
  __device__ void send_later(std::int32_t vertex) {
    __threadfence();
    if (!mark(v_.out_mark, vertex)) return;
    const int to = list_of(v_, vertex);
    const unsigned long long place = s_.appended[to] + atomicAdd(&v_.sums->out[to], 1ull);
    v_.out[to][place & v_.out_mask[to]] = vertex;
  }

  /// What waits for the next step goes to all blocks; what was found beyond the threshold, to the
  /// pile.
  __device__ void hand_over(int steps) {
    const step_entries<value>& rest = own_.waiting[steps % 2];
    if (threadIdx.x == 0 && own_.nearer) atomicOr(&v_.sums->nearer, 1ull);
    const int n = waiting(steps);
    const int far = static_cast<int>(own_.far_count < own_entries ? own_.far_count : own_entries);
    const int most = n > far ? n : far;
    for (int first = static_cast<int>(threadIdx.x / 32) * 32; first < most; first += list_threads) {
      const int i = first + static_cast<int>(lane_id());
      const std::int32_t row = i < n ? rest.row[i] : 0;
      const bool stays = i < n && fresh_word(at(row)) == to_word(rest.found[i]);
      const bool cut = stays && is_long(rest.arcs[i]);
      if (cut) queue_long(v_, s_, row);
      append(stays && !cut && mark(v_.near_mark[s_.which ^ 1], row), row, v_.queue[s_.which ^ 1],
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

}  // namespace gossamer::dataflow::cuda
