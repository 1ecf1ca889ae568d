// What all warps of a GPU do between two meetings: send, take in, relax; or look through the pile.
#pragma once

#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist/cuda/lists.cuh"
#include "gossamer/dataflow/worklist/cuda/messages.cuh"
#include "gossamer/dataflow/worklist/cuda/pull.cuh"
#include "gossamer/dataflow/worklist/cuda/sums.cuh"

namespace gossamer::dataflow::cuda {

/// A thread's counts, added up when a kernel ends: a launch is too short for more than a word.
struct lane_counts {
  std::int32_t items = 0;  ///< of sums less than none: what was listed and was not due
  std::uint32_t looks = 0, repeated = 0, useless = 0, filtered = 0;
};

template <class Operator, class Weight, class View = list_view<Operator, Weight>>
class list_round {
 public:
  using view = View;
  using value = typename Operator::value;

  __device__ list_round(const view& v, const list_state& s, list_slots& slots, lane_counts& counts)
      : v_(v), s_(s), counts_(counts), queue_(v.queue[s.which]), changed_(v, s, slots) {
    if constexpr (may_pull<View>) {
      if (s.cut == nothing_deferred) return;
      const auto cut = word_of_priority(v, s.cut);
      if (s.rest != 0)
        least_ = cut + 1;
      else
        most_ = cut;
    }
  }

  /// Exchanges messages with other ranks; false: one that was announced did not come.
  __device__ bool trade() {
    bool alive = true;
    for (int r = 0; r < v_.ranks; ++r) {
      if (r == v_.rank) continue;
      send(r);
      alive = take_in(r) && alive;
    }
    return alive;
  }
  /// Works the queue off, dealt by arcs: a warp takes up to 32 vertices, and its lanes walk the
  /// joined rows. Long rows are chunks that any warp may take.
  __device__ void relax() {
    relax_tiles();
    relax_chunks();
  }
  __device__ void relax_tiles() {
    const auto queued = static_cast<std::int64_t>(s_.queued);
    const std::int64_t tile = tile_of(queued);
    for (std::int64_t at = me() * tile; at < queued; at += warps() * tile) {
      const std::int64_t left = queued - at;
      relax_tile(at, static_cast<int>(left < tile ? left : tile));
    }
  }
  __device__ void relax_chunks() {
    const auto chunks = static_cast<std::int64_t>(s_.longs & ((1ull << long_count_bit) - 1));
    for (std::int64_t c = me(); c < chunks; c += warps()) relax_chunk(c);
  }
  /// Sums: each row in chunks is taken once, before the meeting after which chunks are dealt with.
  __device__ void take_long_rows() {
    const auto rows = static_cast<std::int64_t>(s_.longs >> long_count_bit);
    for (std::int64_t i = me() * 32 + lane_id(); i < rows; i += warps() * 32) {
      const unsigned long long entry = __ldcg(long_entry(queue_, v_.rows, i));
      const auto row = static_cast<std::int32_t>(entry & ((1ull << long_vertex_bits) - 1));
      v_.taken[row] = take(row);
    }
  }
  /// Items of another rank (`target`, `content`), all of the same, along its rows: view has
  /// `offsets_of` and `arcs_of`.
  template <class Item>
  __device__ void relax_granted(const Item* items, std::int64_t n) {
    const int owner = owner_of(v_, items[0].target);
    const std::int64_t first = v_.starts[owner];
    const std::int64_t tile = tile_of(n);
    for (std::int64_t at = me() * tile; at < n; at += warps() * tile) {
      const auto here = static_cast<int>(n - at < tile ? n - at : tile);
      const int lane = static_cast<int>(lane_id());
      std::int32_t row = 0;
      value out{};
      edge_offset begin = 0;
      int length = 0;
      if (lane < here) {
        row = static_cast<std::int32_t>(items[at + lane].target - first);
        out = items[at + lane].content;
        begin = v_.offsets_of[owner][row];
        length = static_cast<int>(v_.offsets_of[owner][row + std::int64_t{1}] - begin);
        if constexpr (is_sum<Operator>) length = out == 0 ? 0 : length;
        counts_.looks += static_cast<std::uint32_t>(length);
        ++counts_.items;
      }
      relax_rows(v_.arcs_of[owner], first, row, out, begin, length);
    }
  }
  __device__ void finish() { changed_.finish(); }

  /// Takes the vertex out of the queue, and reads its value, the best of all rounds before. If that
  /// improves in this one, the vertex is in the next queue, whose marks are others.
  __device__ value take(std::int32_t row) {
    unmark(v_.near_mark[s_.which], row);
    if constexpr (is_sum<Operator>)
      return take_sum(v_, s_.threshold, row, counts_);
    else
      return fresh(own(row));
  }
  /// Called after its value has been asked for: nobody waits for this.
  __device__ void count(std::int32_t row) {
    if constexpr (!is_sum<Operator>)
      if (s_.rest == 0 && !mark(v_.worked_mark, row)) ++counts_.repeated;
  }

  /// Deferred vertices up to the new threshold go to the next queue. Those up to the old one have
  /// become urgent since they came here, and were worked on then.
  __device__ void split() {
    std::int32_t* rest_pile = v_.pile[s_.pile ^ 1];
    unsigned long long nearest = 0;
    const auto entries = static_cast<std::int64_t>(s_.far);
    for (std::int64_t first = me() * 32; first < entries; first += warps() * 32) {
      const std::int64_t i = first + lane_id();
      const bool there = i < entries;
      const std::int32_t row = there ? __ldcg(v_.pile[s_.pile] + i) : 0;
      if constexpr (is_sum<Operator>) {
        const int level = there ? level_of(v_, row) : 0;
        const double priority = v_.by.priority(level);
        const bool stays = level > 0 && priority > s_.threshold;
        if (there && !stays) unmark(v_.far_mark, row);
        if (stays) nearest = max(nearest, nearness(priority));
        changed_.revive(level > 0 && !stays, row);  // else it was taken since it came here
        changed_.leave(stays, row, rest_pile);
      } else {
        const double priority = there ? v_.by.priority(fresh(own(row))) : 0;
        const bool stays = there && priority > s_.threshold;
        if (there && !stays) unmark(v_.far_mark, row);
        if (stays) nearest = max(nearest, nearness(priority));
        changed_.revive(there && !stays && priority > s_.settled, row);
        changed_.leave(stays, row, rest_pile);
      }
    }
    changed_.finish_split(rest_pile);
    add_nearest(v_.sums, nearest);
  }

 private:
  static constexpr int tile_ahead = 1;  ///< arcs of joined rows that a lane keeps in flight
  /// Small rounds take small tiles: their time is latency, and more warps make shorter chains.
  [[nodiscard]] __device__ static std::int64_t tile_of(std::int64_t items) {
    const std::int64_t tile = (items + warps() - 1) / warps();
    return tile < 1 ? 1 : tile > 32 ? 32 : tile;
  }
  // Computed at each use: registers are few.
  [[nodiscard]] __device__ static std::int64_t me() {
    return static_cast<std::int64_t>(blockIdx.x) * list_warps + threadIdx.x / 32;
  }
  [[nodiscard]] __device__ static std::int64_t warps() {
    return static_cast<std::int64_t>(gridDim.x) * list_warps;
  }
  [[nodiscard]] __device__ value* own(std::int64_t row) const {
    return v_.values + first_of(v_) + row;
  }

  /// What was put aside for rank r and has a place there.
  __device__ void send(int r) {
    const std::uint64_t n = s_.to_send[r];
    for (std::uint64_t i = me() * 32 + lane_id(); i < n; i += warps() * 32) {
      const std::uint64_t place = s_.sent[r] + i;
      const std::int32_t vertex = __ldcg(v_.out[r] + (place & v_.out_mask[r]));
      unmark(v_.out_mark, vertex);
      if (!v_.in_step) __threadfence();  // see changed_vertices::put_there
      if constexpr (is_sum<Operator>)
        write_message(v_.inbox_at[r], v_.place_bits, place, vertex, empty_sum(v_.values + vertex));
      else
        write_message(v_.inbox_at[r], v_.place_bits, place, vertex,
                      packed(v_.by, vertex, fresh(v_.values + vertex)));
    }
  }

  __device__ bool take_in(int r) {
    const std::uint64_t n = s_.to_take[r];
    using message = message_of<Operator>;
    const std::uint64_t* ring = v_.inbox + r * v_.places * 2 * message_pairs<message>;
    bool alive = true;
    for (std::uint64_t first = me() * 32; first < n; first += warps() * 32) {
      const std::uint64_t i = first + lane_id();
      std::int32_t vertex = 0;
      message content{};
      value now{};
      bool changed = false;
      [[maybe_unused]] int level = 0;
      if (i < n) {
        const bool came =
            read_message(v_.guard, r, ring, v_.place_bits, s_.received[r] + i, vertex, content);
        alive = alive && came;
        if constexpr (is_sum<Operator>) {
          changed = came && add_to_sum(v_.by, v_.values + vertex, vertex, content, true, level);
          counts_.useless += level > 0 ? 0 : 1;
        } else {
          changed = came && receive(v_.by, vertex, v_.values + vertex,
                                    unpacked(v_.by, vertex, content), now);
          counts_.useless += changed ? 0 : 1;
        }
      }
      if constexpr (is_sum<Operator>)
        changed_.put_here(changed, vertex, v_.by.priority(level));
      else
        changed_.put_here(changed, vertex, changed ? v_.by.priority(now) : 0);
    }
    return __all_sync(whole_warp, alive) != 0;
  }

  /// Of values that improve: what one lane's arc brings, and whether that seems to improve the
  /// value there.
  __device__ bool look(bool there, std::int64_t from, const value& out,
                       const device_arc<Weight>& along, value& incoming) {
    if (!there) return false;
    incoming = brought(from, out, along);
    if constexpr (may_pull<View>)
      if (to_word(incoming) > most_ || to_word(incoming) < least_) return false;
    value now = maybe_stale(v_.values + along.to);
    if (v_.by.update(now, incoming)) return true;
    if (has_others(v_) && !changed_.own(along.to)) ++counts_.filtered;
    return false;
  }
  /// Whole warps.
  __device__ void settle(bool seems, std::int32_t to, const value& incoming) {
    value now{};
    bool changed = seems && improve_after_look(v_.by, v_.values + to, incoming, now);
    if constexpr (has_on_send<Operator>)
      changed = changed && (changed_.own(to) || is_sent(v_.by, to, now));
    if (seems && !changed && has_others(v_) && !changed_.own(to)) ++counts_.filtered;
    if (__any_sync(whole_warp, changed) == 0) return;
    changed_.put(changed, to, changed ? v_.by.priority(now) : 0);
  }
  __device__ void add_along(bool there, std::int64_t from, const value& out,
                            const device_arc<Weight>& along) {
    bool changed = false;
    int level = 0;
    if (there) {
      const bool here = changed_.own(along.to);
      changed =
          add_to_sum(v_.by, v_.values + along.to, along.to, brought(from, out, along), here, level);
      if (!here && level == 0) ++counts_.filtered;
    }
    if (__any_sync(whole_warp, changed) == 0) return;
    changed_.put(changed, along.to, v_.by.priority(level));
  }
  __device__ value brought(std::int64_t from, const value& out,
                           const device_arc<Weight>& along) const {
    return v_.by.propagate(out, arc<std::int64_t, Weight>{from, static_cast<std::int64_t>(along.to),
                                                          weight_along(along)});
  }

  __device__ void relax_tile(std::int64_t at, int n) {
    const int lane = static_cast<int>(lane_id());
    std::int32_t vertex = 0;
    value out{};
    edge_offset begin = 0;
    int mine = 0;
    if (lane < n) {
      vertex = __ldcg(queue_ + at + lane);
      begin = v_.offsets[vertex];
      mine = static_cast<int>(v_.offsets[vertex + std::int64_t{1}] - begin);
      out = take(vertex);
      if constexpr (is_sum<Operator>) mine = out == 0 ? 0 : mine;
      counts_.looks += static_cast<std::uint32_t>(mine);
    }
    relax_rows(v_.arcs, first_of(v_), vertex, out, begin, mine);
    if (lane < n) count(vertex);
  }

  /// The joined rows of a warp's lanes: of vertex `start` + `vertex`, whose value is `out`, `mine`
  /// arcs from `begin` on.
  __device__ __forceinline__ void relax_rows(const device_arc<Weight>* arcs, std::int64_t start,
                                             std::int32_t vertex, const value& out,
                                             edge_offset begin, int mine) {
    const int lane = static_cast<int>(lane_id());
    const int up_to = inclusive_sum(mine);
    const int total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset base = begin - (up_to - mine);  // arc j of the warp is base + j in its row
    for (int first = 0; first < total; first += 32 * tile_ahead) {
      device_arc<Weight> along[tile_ahead];
      value from[tile_ahead];
      std::int32_t tail[tile_ahead];
#pragma unroll
      for (int k = 0; k < tile_ahead; ++k) {
        const int j = first + k * 32 + lane;
        const int row = row_of_arc(up_to, j);
        const edge_offset at_arc = __shfl_sync(whole_warp, base, row) + j;
        from[k] = from_word<value>(__shfl_sync(whole_warp, to_word(out), row));
        tail[k] = __shfl_sync(whole_warp, vertex, row);
        along[k] = j < total ? load_arc(arcs + at_arc) : device_arc<Weight>{};
      }
      if constexpr (is_sum<Operator>) {
#pragma unroll
        for (int k = 0; k < tile_ahead; ++k)
          add_along(first + k * 32 + lane < total, start + tail[k], from[k], along[k]);
      } else {
        value incoming[tile_ahead];
        bool seems[tile_ahead];
#pragma unroll
        for (int k = 0; k < tile_ahead; ++k)
          seems[k] =
              look(first + k * 32 + lane < total, start + tail[k], from[k], along[k], incoming[k]);
#pragma unroll
        for (int k = 0; k < tile_ahead; ++k) settle(seems[k], along[k].to, incoming[k]);
      }
    }
  }

  __device__ void relax_chunk(std::int64_t c) {
    constexpr int ahead = 4;  // independent loads a lane keeps in flight
    const unsigned long long entry = row_of_chunk(queue_, v_.rows, s_.longs, c);
    const auto vertex = static_cast<std::int32_t>(entry & ((1ull << long_vertex_bits) - 1));
    const auto first = static_cast<std::int64_t>(entry >> long_vertex_bits);
    const edge_offset begin = v_.offsets[vertex] + (c - first) * row_chunk;
    const edge_offset row_end = v_.offsets[vertex + std::int64_t{1}];
    const edge_offset end = row_end < begin + row_chunk ? row_end : begin + row_chunk;
    value out{};
    if constexpr (is_sum<Operator>) {
      out = __ldcg(v_.taken + vertex);
      if (out == 0) return;
      if (lane_id() == 0) counts_.looks += static_cast<std::uint32_t>(end - begin);
    } else {
      // Each chunk with the value of its moment: who improves it meanwhile queues the vertex anew.
      if (lane_id() == 0) {
        out = c == first ? take(vertex) : fresh(own(vertex));
        if (c == first) count(vertex);
        counts_.looks += static_cast<std::uint32_t>(end - begin);
      }
      out = from_word<value>(__shfl_sync(whole_warp, to_word(out), 0));
    }
    const std::int64_t from = first_of(v_) + vertex;
    for (edge_offset a = begin; a < end; a += 32 * ahead) {
      device_arc<Weight> along[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const edge_offset at = a + k * 32 + lane_id();
        along[k] = at < end ? load_arc(v_.arcs + at) : device_arc<Weight>{};
      }
      if constexpr (is_sum<Operator>) {
#pragma unroll
        for (int k = 0; k < ahead; ++k)
          add_along(a + k * 32 + lane_id() < end, from, out, along[k]);
      } else {
        value incoming[ahead];
        bool seems[ahead];
#pragma unroll
        for (int k = 0; k < ahead; ++k)
          seems[k] = look(a + k * 32 + lane_id() < end, from, out, along[k], incoming[k]);
#pragma unroll
        for (int k = 0; k < ahead; ++k) settle(seems[k], along[k].to, incoming[k]);
      }
    }
  }

  const view& v_;
  const list_state& s_;
  lane_counts& counts_;
  std::int32_t* queue_;
  changed_vertices<view> changed_;
  // Where some arcs are left out (pull.cuh): words of offers that are not.
  word_of<value> least_ = 0, most_ = ~word_of<value>{0};
};

}  // namespace gossamer::dataflow::cuda
