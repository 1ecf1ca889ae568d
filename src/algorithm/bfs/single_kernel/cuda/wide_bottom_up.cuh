// A bottom-up level by all blocks, and what comes before and after such levels.
//
// A warp takes up to 32 words of `seen` at a time, so words of the next bitmap are written whole.
// It lists the open vertices of its words in shared memory. Each first asks its favourite, a
// neighbour of high degree: one load beside those of its neighbours' lanes, instead of offsets and
// columns somewhere in memory. That answers most, and for good where the row has no other. Vertices
// without an answer are listed again, and search their rows: first a few arcs by a lane alone, then
// some by the whole warp. What is left is put off, in chunks for all blocks: a hub that no vertex
// of the frontier knows would keep a warp for milliseconds, and hubs lie side by side.
#pragma once

#include "algorithm/bfs/single_kernel/cuda/found.cuh"
#include "algorithm/bfs/single_kernel/cuda/peers.cuh"

namespace gossamer::bfs_detail::cuda {

/// Word `at` of `closed` without the source, which is reached even if no arc leads to it.
template <class Id>
__device__ inline std::uint32_t never_found(const search_view<Id>& v, const peers_view<Id>& p,
                                            std::int64_t at) {
  const std::uint32_t source = at == p.source >> 5 ? 1u << (p.source & 31) : 0;
  return v.closed[at] & ~source;
}

struct bottom_up_memory {
  std::uint16_t open[team_warps][32 * 32];
  std::uint32_t found[team_warps][32];
};

template <class Id, bool Multi>
class wide_bottom_up {
 public:
  __device__ wide_bottom_up(const search_view<Id>& v, const peers_view<Id>& p,
                            const search_state& s, level_sums* sums, bottom_up_memory& memory)
      : v_(v),
        p_(p),
        frontier_(v.bits[s.level & 1]),
        next_(v.bits[(s.level + 1) & 1]),
        which_next_(static_cast<int>((s.level + 1) & 1)),
        depth_(static_cast<std::int32_t>(s.level + 1)),
        fill_(s.filled == 0),
        rest_(v.queue[s.which ^ 1]),
        sums_(sums),
        open_(memory.open[threadIdx.x / 32]),
        found_(memory.found[threadIdx.x / 32]) {}

  __device__ void run() {
    const std::int64_t words = (v_.rows + 31) / 32;
    const std::int64_t warps = std::int64_t{gridDim.x} * team_warps;
    // Of small graphs every warp gets a part.
    const std::int64_t share = (words + warps - 1) / warps;
    const int tile = static_cast<int>(share < 1 ? 1 : share > 32 ? 32 : share);
    for (std::int64_t w = dataflow::cuda::warp_of_grid() * tile; w < words; w += warps * tile)
      batch(w, tile, words);
    add_of_warp(&sums_->queued, vertices_);
    if constexpr (Multi) note_others();
  }
  /// Behind a meeting: what run() has put off, `rest` being the sum of all blocks.
  __device__ void run_rest(unsigned long long rest) {
    const std::int64_t warps = std::int64_t{gridDim.x} * team_warps;
    const auto chunks = static_cast<std::int64_t>(rest & ((1ull << long_count_bit) - 1));
    const int parts = dataflow::cuda::warps_a_chunk(chunks, warps), length = row_chunk / parts;
    for (std::int64_t part = dataflow::cuda::warp_of_grid(); part < chunks * parts; part += warps) {
      const std::int64_t c = part / parts;
      const unsigned long long entry = dataflow::cuda::row_of_chunk(rest_, v_.rows, rest, c);
      const auto row = static_cast<std::int64_t>(entry & ((1ull << long_vertex_bits) - 1));
      const auto first = static_cast<std::int64_t>(entry >> long_vertex_bits);
      const edge_offset begin =
          v_.in_offsets[row] + alone + (c - first) * row_chunk + part % parts * length;
      const edge_offset row_end = v_.in_offsets[row + 1];
      search_part(row, begin, row_end < begin + length ? row_end : begin + length);
    }
    add_of_warp(&sums_->queued, vertices_);
  }

 private:
  [[nodiscard]] __device__ bool in_frontier(Id u) const {
    return ((__ldg(frontier_ + (u >> 5)) >> (u & 31)) & 1u) != 0;
  }

  /// `tile` words from `first` on, of `words`.
  __device__ void batch(std::int64_t first, int tile, std::int64_t words) {
    const std::int64_t w = first + lane_id();
    const bool there = static_cast<int>(lane_id()) < tile && w < words;
    const std::int64_t at = there ? word_at<Multi>(p_, w) : 0;
    const std::uint32_t have = there ? v_.seen[at] : ~0u;
    found_[lane_id()] = 0;
    int open = list_open(~have);
    __syncwarp();
    open = ask_favourites(first * 32, open);
    search_rows(first * 32, open, rounds_a_word * tile);
    __syncwarp();
    const std::uint32_t added = found_[lane_id()];
    if (there) {
      next_[at] = added;
      if constexpr (Multi) spread(p_, v_.words, which_next_, at, added);
      if (added != 0) v_.seen[at] = have | added;
      vertices_ += static_cast<unsigned long long>(__popc(added));
    }
    if (fill_) fill(first * 32, tile, there ? ~(have | added) | never_found(v_, p_, at) : 0);
    __syncwarp();
  }

  __device__ int list_open(std::uint32_t open) {
    const int mine = __popc(open);
    const int up_to = inclusive_sum(mine);
    for (int at = up_to - mine; open != 0; ++at) {
      open_[at] = static_cast<std::uint16_t>(lane_id() * 32 + __ffs(static_cast<int>(open)) - 1);
      open &= open - 1;
    }
    return __shfl_sync(whole_warp, up_to, 31);
  }

  __device__ void enter(std::int64_t base, int entry, Id parent) {
    const std::int64_t row = base + entry;
    v_.parents[row] = parent;
    v_.depths[row] = depth_;
    atomicOr(found_ + (entry >> 5), 1u << (entry & 31));
  }

  /// Open vertices without an answer are listed in place; returns their number.
  __device__ int ask_favourites(std::int64_t base, int open) {
    constexpr int ahead = 4;
    int left = 0;
    for (int from = 0; from < open; from += 32 * ahead) {
      int entry[ahead];
      Id u[ahead];
      bool only[ahead], hit[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const int i = from + k * 32 + static_cast<int>(lane_id());
        entry[k] = i < open ? open_[i] : -1;
        u[k] = entry[k] >= 0 ? __ldcs(v_.favourite + base + entry[k]) : Id{-1};
        only[k] = u[k] < 0;
        if (u[k] < -1) u[k] = only_favourite(u[k]);
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) hit[k] = u[k] >= 0 && in_frontier(u[k]);
      __syncwarp();
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        if (hit[k]) enter(base, entry[k], u[k]);
        const bool again = entry[k] >= 0 && !hit[k] && !only[k];
        const unsigned who = __ballot_sync(whole_warp, again);
        if (again) open_[left + __popc(who & lanes_below())] = static_cast<std::uint16_t>(entry[k]);
        left += __popc(who);
      }
      __syncwarp();
    }
    return left;
  }

  /// `rounds`: loads of columns that the warp may wait for before it puts off all that is left.
  __device__ void search_rows(std::int64_t base, int open, int rounds) {
    for (int from = 0; from < open; from += 32) {
      const bool active = from + static_cast<int>(lane_id()) < open;
      const int entry = active ? open_[from + lane_id()] : 0;
      const edge_offset begin = active ? v_.in_offsets[base + entry] : 0;
      const edge_offset end = active ? v_.in_offsets[base + entry + 1] : 0;
      const edge_offset rest = end < begin + alone ? end : begin + alone;
      Id parent = search_alone(begin, rest);
      bool later = parent < 0 && rest < end;
      if (parent >= 0) enter(base, entry, parent);
      const bool joined = later && end - rest <= longest_joined;
      if (__any_sync(whole_warp, joined) != 0) {
        search_joined(base, entry, rest, joined ? static_cast<int>(end - rest) : 0);
        later = later && !joined;
      }
      for (unsigned left = __ballot_sync(whole_warp, later); left != 0; left &= left - 1) {
        if (rounds <= 0) break;
        const int who = __ffs(static_cast<int>(left)) - 1;
        const edge_offset first = __shfl_sync(whole_warp, rest, who),
                          last = __shfl_sync(whole_warp, end, who);
        const edge_offset most = last < first + together ? last : first + together;
        parent = search_together(first, most, rounds);
        if (static_cast<int>(lane_id()) != who) continue;
        if (parent >= 0) enter(base, entry, parent);
        later = parent < 0 && most < last;
      }
      if (__any_sync(whole_warp, later) != 0) put_off(later, base + entry, end - rest);
    }
  }
  /// Of each lane's row `length` arcs from `begin` on, dealt to all lanes: rests of a few arcs,
  /// which a warp would look at one after the other.
  __device__ void search_joined(std::int64_t base, int entry, edge_offset begin, int length) {
    constexpr int ahead = 4;
    const int up_to = inclusive_sum(length);
    const int total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset first_arc = begin - (up_to - length);
    for (int first = 0; first < total; first += 32 * ahead) {
      Id u[ahead];
      int of[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const int j = first + k * 32 + static_cast<int>(lane_id());
        const int row = dataflow::cuda::row_of_arc(up_to, j);
        const edge_offset arc = __shfl_sync(whole_warp, first_arc, row) + j;
        of[k] = __shfl_sync(whole_warp, entry, row);
        u[k] = j < total && !entered(of[k]) ? v_.in_columns[arc] : Id{-1};
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (u[k] >= 0 && in_frontier(u[k])) enter_first(base, of[k], u[k]);
      __syncwarp();
    }
  }
  [[nodiscard]] __device__ bool entered(int entry) const {
    return (found_[entry >> 5] >> (entry & 31) & 1u) != 0;
  }
  /// Where several lanes may find the same row's.
  __device__ void enter_first(std::int64_t base, int entry, Id parent) {
    const std::uint32_t bit = 1u << (entry & 31);
    if ((atomicOr(found_ + (entry >> 5), bit) & bit) != 0) return;
    v_.parents[base + entry] = parent;
    v_.depths[base + entry] = depth_;
  }
  /// The last `arcs` of this lane's row; whole warps. Ranks agree on arcs of the next frontier,
  /// which nobody counts here: some say that somebody has put off a row.
  __device__ void put_off(bool mine, std::int64_t row, edge_offset arcs) {
    const unsigned long long amount =
        mine ? (1ull << long_count_bit) + dataflow::cuda::chunks_of(arcs) : 0;
    const unsigned long long place = dataflow::cuda::reserve(&sums_->levels, amount);
    if (!mine) return;
    if (Multi && place == 0) sums_->arcs = 1;
    *long_entry(rest_, v_.rows, static_cast<std::int64_t>(place >> long_count_bit)) =
        (place & ((1ull << long_count_bit) - 1)) << long_vertex_bits |
        static_cast<unsigned long long>(row);
  }
  /// Part of a row that others may search, too; whole warps.
  __device__ void search_part(std::int64_t row, edge_offset begin, edge_offset end) {
    const std::int64_t at = word_at<Multi>(p_, row >> 5);
    std::uint32_t* word = next_ + at;
    const std::uint32_t bit = 1u << (row & 31);
    if ((__ldcg(word) & bit) != 0) return;
    int rounds = 0;
    const Id parent = search_together(begin, end, rounds);
    if (parent < 0 || lane_id() != 0 || (atomicOr(word, bit) & bit) != 0) return;
    v_.parents[row] = parent;
    v_.depths[row] = depth_;
    atomicOr(v_.seen + at, bit);
    ++vertices_;
  }
  __device__ Id search_alone(edge_offset begin, edge_offset end) const {
    constexpr int ahead = 4;
    for (edge_offset a = begin; a < end; a += ahead) {
      Id u[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) u[k] = a + k < end ? v_.in_columns[a + k] : Id{-1};
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (u[k] >= 0 && in_frontier(u[k])) return u[k];
    }
    return -1;
  }
  /// Counts down `rounds`. The first arcs answer most rows: only behind them several loads of a
  /// lane are under way at once.
  __device__ Id search_together(edge_offset begin, edge_offset end, int& rounds) const {
    Id found = begin < end ? look_at<1>(begin, end) : Id{-1};
    --rounds;
    for (edge_offset a = begin + 32; found < 0 && a < end; a += 32 * 4) {
      found = look_at<4>(a, end);
      --rounds;
    }
    return found;
  }
  template <int Ahead>
  __device__ Id look_at(edge_offset begin, edge_offset end) const {
    Id u[Ahead];
    bool hit[Ahead];
#pragma unroll
    for (int k = 0; k < Ahead; ++k) {
      const edge_offset a = begin + k * 32 + lane_id();
      u[k] = a < end ? v_.in_columns[a] : Id{-1};
    }
#pragma unroll
    for (int k = 0; k < Ahead; ++k) hit[k] = u[k] >= 0 && in_frontier(u[k]);
#pragma unroll
    for (int k = 0; k < Ahead; ++k) {
      const unsigned hits = __ballot_sync(whole_warp, hit[k]);
      if (hits != 0) return __shfl_sync(whole_warp, u[k], __ffs(static_cast<int>(hits)) - 1);
    }
    return -1;
  }

  /// Vertices of others that are in the frontier need no message later. Own words are left alone:
  /// whoever takes them writes them.
  __device__ void note_others() {
    const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
    for (std::int64_t w = std::int64_t{blockIdx.x} * team_threads + threadIdx.x; w < v_.words;
         w += step) {
      const std::uint32_t word = frontier_[w];
      if (word != 0 && p_.own.owner(w * 32) != p_.me) v_.seen[w] |= word;
    }
  }

  /// -1 for rows whose bit is set in lane's word: not found so far.
  __device__ void fill(std::int64_t base, int tile, std::uint32_t mine) {
    for (int k = 0; k < tile; ++k) {
      const std::uint32_t word = __shfl_sync(whole_warp, mine, k);
      const std::int64_t row = base + k * 32 + lane_id();
      if (((word >> lane_id()) & 1u) == 0 || row >= v_.rows) continue;
      v_.parents[row] = -1;
      v_.depths[row] = -1;
    }
  }

  static constexpr int alone = 8;                ///< arcs that a lane tests by itself
  static constexpr int longest_joined = 64;      ///< rest of a row that is joined with others
  static constexpr int together = 32 + 2 * 128;  ///< and that its warp does
  static constexpr int rounds_a_word = 2;

  const search_view<Id>& v_;
  const peers_view<Id>& p_;
  const std::uint32_t* frontier_;
  std::uint32_t* next_;
  const int which_next_;
  const std::int32_t depth_;
  const bool fill_;
  std::int32_t* rest_;  ///< see long_entry
  level_sums* sums_;
  std::uint16_t* open_;
  std::uint32_t* found_;
  unsigned long long vertices_ = 0;
};

/// The queue's vertices and those of the list set their bits.
template <bool Multi, class Id>
__device__ inline void set_bits(const search_view<Id>& v, const peers_view<Id>& p,
                                const search_state& s) {
  std::uint32_t* bits = v.bits[s.level & 1];
  std::int32_t* queue = v.queue[s.which];
  const auto n = static_cast<std::int64_t>(s.queued);
  const auto longs = static_cast<std::int64_t>(s.longs >> long_count_bit);
  const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * team_threads + threadIdx.x; i < n + longs;
       i += step) {
    const std::int64_t local =
        i < n ? __ldcg(queue + i)
              : static_cast<std::int64_t>(__ldcg(long_entry(queue, v.rows, i - n)) &
                                          ((1ull << long_vertex_bits) - 1));
    const std::int64_t u = placed_id<Multi>(p, local);
    atomicOr(bits + (u >> 5), 1u << (u & 31));
  }
}
/// Own words of the frontier's bitmap, cleared or told to all.
template <bool Multi, class Id>
__device__ inline void clear_bits(const search_view<Id>& v, const peers_view<Id>& p,
                                  const search_state& s) {
  const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
  for (std::int64_t w = std::int64_t{blockIdx.x} * team_threads + threadIdx.x;
       w < (v.rows + 31) / 32; w += step)
    v.bits[s.level & 1][word_at<Multi>(p, w)] = 0;
}
/// Of the bitmap of `level`.
template <class Id>
__device__ inline void spread_bits(const search_view<Id>& v, const peers_view<Id>& p,
                                   long long level) {
  const int which = static_cast<int>(level & 1);
  const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
  for (std::int64_t w = std::int64_t{blockIdx.x} * team_threads + threadIdx.x;
       w < (v.rows + 31) / 32; w += step) {
    const std::int64_t at = word_at<true>(p, w);
    spread(p, v.words, which, at, __ldcg(v.bits[which] + at));
  }
}

/// The bitmap's own vertices go to the queue and the list.
template <bool Multi, class Id>
__device__ inline void gather_bits(const search_view<Id>& v, const peers_view<Id>& p,
                                   const search_state& s, level_sums* sums, std::int32_t* slots) {
  const std::uint32_t* bits = v.bits[s.level & 1];
  found_frontier<Id> to(v, v.queue[s.which ^ 1], sums, slots);
  const std::int64_t words = (v.rows + 31) / 32;
  const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
  const std::int64_t warp = dataflow::cuda::warp_of_grid() * 32;
  for (std::int64_t first = warp; first < words; first += step) {
    const std::int64_t w = first + lane_id();
    std::uint32_t word = w < words ? bits[word_at<Multi>(p, w)] : 0;
    while (__any_sync(whole_warp, word != 0) != 0) {
      const bool mine = word != 0;
      const auto u = static_cast<std::int32_t>(w * 32 + __ffs(static_cast<int>(word)) - 1);
      word &= word - 1;
      to.add(mine, u);
    }
  }
  to.finish();
}

/// The queue's vertices, looked at for their arcs and long rows: after narrow levels, which know
/// neither.
template <class Id>
__device__ inline void survey_queue(const search_view<Id>& v, const search_state& s,
                                    level_sums* sums, std::int32_t* slots) {
  found_frontier<Id> to(v, v.queue[s.which ^ 1], sums, slots);
  const auto n = static_cast<std::int64_t>(s.queued);
  const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
  const std::int64_t warp = dataflow::cuda::warp_of_grid() * 32;
  for (std::int64_t first = warp; first < n; first += step) {
    const std::int64_t i = first + lane_id();
    to.add(i < n, i < n ? __ldcg(v.queue[s.which] + i) : 0);
  }
  to.finish();
}

/// After the last level: results of rows never reached, where no bottom-up level has filled them,
/// and the arcs in their rows.
template <bool Multi, class Id>
__device__ inline void close_results(const search_view<Id>& v, const peers_view<Id>& p,
                                     const search_state& s) {
  const bool fill = s.filled == 0;
  // Directed graphs: rows without an in-arc may have out-arcs.
  const bool all = fill || v.in_offsets != v.offsets;
  const std::int64_t words = (v.rows + 31) / 32;
  const std::int64_t warps = std::int64_t{gridDim.x} * team_warps;
  unsigned long long arcs = 0;
  for (std::int64_t first = (std::int64_t{blockIdx.x} * team_warps + threadIdx.x / 32) * 32;
       first < words; first += warps * 32) {
    const std::int64_t w = first + lane_id();
    const std::int64_t at = w < words ? word_at<Multi>(p, w) : 0;
    std::uint32_t unreached = w < words ? ~__ldcg(v.seen + at) : 0;
    if (all && w < words) unreached |= never_found(v, p, at);
    for (unsigned left = __ballot_sync(whole_warp, unreached != 0); left != 0; left &= left - 1) {
      const int k = __ffs(static_cast<int>(left)) - 1;
      const std::uint32_t word = __shfl_sync(whole_warp, unreached, k);
      const std::int64_t row = (first + k) * 32 + lane_id();
      if (((word >> lane_id()) & 1u) == 0 || row >= v.rows) continue;
      arcs += static_cast<unsigned long long>(v.offsets[row + 1] - v.offsets[row]);
      if (!fill) continue;
      v.parents[row] = -1;
      v.depths[row] = -1;
    }
  }
  add_of_warp(&v.state->open_arcs, arcs);
}

}  // namespace gossamer::bfs_detail::cuda
