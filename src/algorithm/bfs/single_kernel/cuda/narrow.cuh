// Levels that one cluster of a GPU runs alone, its frontier in shared memory; with several GPUs,
// one cluster of each (trade.cuh).
//
// A level's time is one chain: row of a vertex, bits of its neighbours, place in the next frontier,
// agreement that all blocks are done. Each link is kept short:
//   - rows of up to four arcs lie in 16 bytes, fetched into shared memory by whoever finds the
//     vertex, while the blocks agree;
//   - bits are claimed by atomics at once, without a look before;
//   - a block expands what it has found itself; only when one has twice its share do all take equal
//     parts, which costs a fence;
//   - blocks agree by posting their counts into each other's memory (cluster::post);
//   - vertices and parents go to a log in device memory, whole lines at a time. The blocks outside
//     the cluster, which have nothing else to do, write the results (settle.cuh).
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/single_kernel/cuda/narrow_memory.cuh"
#include "algorithm/bfs/single_kernel/cuda/packed_row.cuh"
#include "algorithm/bfs/single_kernel/cuda/view.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id, bool Multi>
class narrow_levels {
 public:
  __device__ narrow_levels(const search_view<Id>& v, const peers_view<Id>& p,
                           narrow_memory<Multi>& m)
      : v_(v),
        p_(p),
        m_(m),
        blocks_(cluster::size()),
        me_(cluster::rank()),
        few_(static_cast<int>(narrow_entries / 2 / (v.longest > 8 ? v.longest : 8) / p.ranks)),
        trade_(p, v.guard, m.trade, me_) {}

  /// Runs from the frontier of s.queued vertices in v.queue[s.which], which have their results
  /// already. Ends when no vertex is left, the frontier grows too wide or stays thin, or the level
  /// log is full;
  /// then the frontier lies in v.queue[s.which], with results. Adds to `sums`. The log of vertices
  /// is v.queue[s.which ^ 1]. False: a wait for another rank ran out, in all blocks.
  __device__ bool run(const search_state& s, long long first_logged, level_sums* sums) {
    log_ = reinterpret_cast<found_vertex*>(v_.queue[s.which ^ 1]);
    load(s);
    const std::int64_t most = narrow_most<Id, Multi>(v_);
    const auto room = static_cast<std::int32_t>(logged_levels - (s.level - first_logged));
    std::int32_t level = 0;  // since the start
    gather(0);
    if constexpr (Multi) bound_ = static_cast<std::int64_t>(s.frontier);
    int few_in_a_row = 0;
    while (next_bound() != 0 && next_bound() <= most && level < room && few_in_a_row < thin_after) {
      const std::int64_t own = total_;
      const long long at = s.level - first_logged + level;
      if constexpr (Multi) level_ = s.level + level;
      expand(level & 1);
      if constexpr (!Multi) log(at, own, own);
      logged_ += own;
      agree(level & 1 ^ 1);
      gather(level & 1 ^ 1);
      if constexpr (Multi) {
        if (failed_) return false;
        if (expanded_ == 0) break;  // what ranks had found for each other was known
        log(at, own, expanded_);
      }
      ++level;
      if constexpr (!Multi) few_in_a_row = total_ <= thin_vertices / 8 ? few_in_a_row + 1 : 0;
      if (level % settle_levels == 0) publish();
    }
    store(level & 1, static_cast<std::int32_t>(s.level) + level, s, level == 0);
    if (me_ == 0 && threadIdx.x == 0) {
      atomicAdd(&sums->queued, static_cast<unsigned long long>(total_));
      atomicAdd(&sums->levels, static_cast<unsigned long long>(level));
      v_.progress[1] = static_cast<std::uint32_t>(level) + 1;
    }
    publish();
    if (Multi && threadIdx.x < 32) trade_.count();
    return true;
  }

 private:
  using count_word = typename narrow_memory<Multi>::count_word;

  // --- the frontier's way into shared memory and out of it ---------------------------------------

  __device__ void load(const search_state& s) {
    if (threadIdx.x == 0) {
      m_.filled[0] = m_.filled[1] = 0;
      for (auto& box : m_.boxes) cluster::prepare_box(&box);
    }
    cluster::meet();
    const auto n = static_cast<std::int64_t>(s.queued);
    const std::int64_t part = (n + blocks_ - 1) / blocks_;
    const std::int64_t from = me_ * part, to = from + part < n ? from + part : n;
    const std::int32_t* queue = v_.queue[s.which];
    for (std::int64_t i = from + threadIdx.x; i < to; i += team_threads)
      place(0, static_cast<int>(i - from), {__ldcg(queue + i), -1});
    if (threadIdx.x == 0) m_.filled[0] = to > from ? static_cast<int>(to - from) : 0;
    agree(0);
  }
  __device__ void place(int which, int at, const found_vertex& u) {
    m_.frontier[which][at] = u;
    if (v_.packed != nullptr) cluster::fetch(&m_.rows[which][at], v_.packed + u.vertex);
  }
  __device__ void store(int now, std::int32_t depth, const search_state& s, bool written) {
    cluster::meet();  // everybody has read the queue, and all words have come
    if (threadIdx.x == 0)
      for (auto& box : m_.boxes) cluster::remove_box(&box);
    const int begin = me_ > 0 ? __shfl_sync(whole_warp, ends_, me_ - 1) : 0;
    const int mine = narrow_count::filled(m_.counts[now][me_]);
    for (int i = static_cast<int>(threadIdx.x); i < mine; i += team_threads) {
      const found_vertex u = m_.frontier[now][i];
      v_.queue[s.which][begin + i] = u.vertex;
      if (written) continue;
      v_.parents[u.vertex] = u.parent;
      v_.depths[u.vertex] = depth;
    }
  }
  /// A level of `all` vertices, `own` of them this rank's.
  __device__ void log(long long at, std::int64_t own, std::int64_t all) {
    if (me_ != 0 || threadIdx.x != 0) return;
    v_.log[at] = {2 * static_cast<unsigned long long>(all), device_detail::global_timer()};
    v_.settled[at] = static_cast<std::uint32_t>(own);
  }
  /// The log as far as it is written, for the blocks that settle it.
  __device__ void publish() {
    __syncthreads();
    if (threadIdx.x == 0)
      ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>(v_.progress[0])
          .fetch_add(1, ::cuda::memory_order_release);
  }

  // --- agreement ---------------------------------------------------------------------------------

  /// No fewer than the next frontier has vertices, of all ranks.
  [[nodiscard]] __device__ std::int64_t next_bound() const { return Multi ? bound_ : total_; }

  /// What `which` holds is final in this block; returns when it is in all.
  __device__ void agree(int which) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < blocks_) {
      count_word word;
      if constexpr (Multi)
        word =
            narrow_count::of(m_.filled[which], m_.trade.found, m_.trade.expanded, m_.trade.failed);
      else
        word = m_.filled[which];
      cluster::post(&m_.counts[which][me_], word, &m_.boxes[which], static_cast<int>(threadIdx.x));
    }
    if (threadIdx.x == 0) {
      m_.filled[which ^ 1] = 0;
      cluster::expect(&m_.boxes[which], blocks_ * static_cast<int>(sizeof(count_word)));
    }
    cluster::await(&m_.boxes[which], (rounds_ >> 1) & 1);
    ++rounds_;
    cluster::arrived();  // rows that this thread has asked for, and behind the barrier all rows
    __syncthreads();
  }
  /// Sums of what the blocks have said: `total_` and `ends_` of what `which` holds; with several
  /// ranks `expanded_` in the level just done, and `bound_` for the next.
  __device__ void gather(int which) {
    const int lane = static_cast<int>(lane_id());
    const count_word word = lane < blocks_ ? m_.counts[which][lane] : 0;
    const int count = narrow_count::filled(word);
    if constexpr (Multi) {
      // Lanes' sums stay within their bits; failure is asked for apart.
      const std::uint64_t up_to = inclusive_sum(word & ~(std::uint64_t{1} << 63));
      ends_ = narrow_count::filled(up_to);
      const std::uint64_t all = __shfl_sync(whole_warp, up_to, 31);
      total_ = narrow_count::filled(all);
      bound_ = narrow_count::found(all);
      expanded_ = narrow_count::expanded(all);
      failed_ = __any_sync(whole_warp, narrow_count::failed(word)) != 0;
    } else {
      ends_ = inclusive_sum(count);
      total_ = __shfl_sync(whole_warp, ends_, 31);
    }
    // A block may have half as much again as its share; a few entries are not worth a fence.
    const int share = static_cast<int>((total_ + blocks_ - 1) / blocks_);
    uneven_ = __any_sync(whole_warp, count > share + share / 2 && count > few_) != 0;
  }

  // --- a level -----------------------------------------------------------------------------------

  __device__ void expand(int now) {
    int from = 0, to = narrow_count::filled(m_.counts[now][me_]);
    const int begin = me_ > 0 ? __shfl_sync(whole_warp, ends_, me_ - 1) : 0;
    if (uneven_) {
      cluster::meet();
      const int part = static_cast<int>((total_ + blocks_ - 1) / blocks_);
      from = me_ * part;
      to = from + part < total_ ? from + part : static_cast<int>(total_);
    }
    if (v_.packed != nullptr)
      expand_entries<true>(now, from, to, begin);
    else
      expand_entries<false>(now, from, to, begin);
    if constexpr (Multi) {
      __syncthreads();
      trade_.exchange(level_, static_cast<std::uint32_t>(m_.filled[now ^ 1]),
                      static_cast<std::uint32_t>(to > from ? to - from : 0),
                      [&](bool there, std::int32_t target, std::int32_t parent) {
                        receive(there, {target, parent}, now ^ 1);
                      });
    }
  }
  /// Entries from `from` to `to`, of all blocks' where they are uneven, else of this one's, which
  /// begin at `begin` of all.
  template <bool Packed>
  __device__ void expand_entries(int now, int from, int to, int begin) {
    // Rows that are joined take the longer, the more of them a warp has.
    const int share = Packed ? 32 : (to - from + team_warps - 1) / team_warps;
    const int tile = share > 32 ? 32 : share < 1 ? 1 : share;
    for (int first = from + static_cast<int>(threadIdx.x / 32) * tile; first < to;
         first += team_warps * tile) {
      const int i = first + static_cast<int>(lane_id());
      const bool there = i < to && (Packed || static_cast<int>(lane_id()) < tile);
      found_vertex u{-1, -1};
      int4 row = {-1, -1, -1, -1};
      if (uneven_) {
        fetch_entry(now, i, there, u, row);
        if (there) log_[logged_ + i] = u;
      } else if (there) {
        u = m_.frontier[now][i];
        if (Packed) row = m_.rows[now][i];
        log_[logged_ + begin + i] = u;
      }
      if constexpr (Packed)
        expand_packed(u, row, now ^ 1);
      else
        expand_rows(u, now ^ 1);
    }
  }
  /// Entry i of all blocks'; whole warps.
  __device__ void fetch_entry(int which, int i, bool there, found_vertex& u, int4& row) {
    int block = 0;  // blocks that end at or before i
    for (int step = most_cluster_blocks / 2; step > 0; step /= 2)
      if (__shfl_sync(whole_warp, ends_, block + step - 1) <= i) block += step;
    const int begin = __shfl_sync(whole_warp, ends_, block > 0 ? block - 1 : 0);
    if (!there) return;
    const int at = i - (block > 0 ? begin : 0);
    u = *cluster::at(&m_.frontier[which][at], block);
    if (v_.packed != nullptr) row = *cluster::at(&m_.rows[which][at], block);
  }
  __device__ void expand_packed(const found_vertex& u, int4 row, int next) {
    edge_offset begin = 0;
    int left = 0, last[2] = {-1, -1};
    int four[4] = {row.x, row.y, row.z, row.w};
    if (is_elsewhere(row)) {
      begin = first_arc_of(row);
      left = row.w;
      four[0] = four[1] = four[2] = four[3] = -1;
    } else if (!Multi && is_near(row)) {
#pragma unroll
      for (int k = 0; k < 4; ++k) four[k] = near_arc(row, u.vertex, k);
      last[0] = near_arc(row, u.vertex, 4);
      last[1] = near_arc(row, u.vertex, 5);
    }
    offer(
        four, [&](int) { return u; }, next);
    walk(u, begin, left, last, next);
  }
  /// The rows of a warp's lanes, joined: four arcs a lane at a time.
  __device__ void expand_rows(const found_vertex& u, int next) {
    edge_offset begin = 0;
    int mine = 0;
    if (u.vertex >= 0) {
      begin = v_.offsets[u.vertex];
      mine = static_cast<int>(v_.offsets[u.vertex + std::int64_t{1}] - begin);
    }
    const int up_to = inclusive_sum(mine);
    const int total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset base = begin - (up_to - mine);  // arc j of the warp is base + j in its row
    for (int first = 0; first < total; first += 4 * 32) {
      int to[4];
      found_vertex from[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int j = first + k * 32 + static_cast<int>(lane_id());
        const int row = row_of_arc(up_to, j);
        const edge_offset arc = __shfl_sync(whole_warp, base, row) + j;
        from[k] = {__shfl_sync(whole_warp, u.vertex, row), __shfl_sync(whole_warp, u.parent, row)};
        to[k] = j < total ? static_cast<int>(v_.columns[arc]) : -1;
      }
      offer(
          to, [&](int k) { return from[k]; }, next);
    }
  }
  /// Each lane `left` arcs from `begin`, four at a time, or these two; whole warps.
  __device__ void walk(const found_vertex& u, edge_offset begin, int left, int (&last)[2],
                       int next) {
    while (__any_sync(whole_warp, left > 0 || (last[0] & last[1]) != -1) != 0) {
      int four[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) four[k] = k < left ? static_cast<int>(v_.columns[begin + k]) : -1;
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        four[k] = last[k] != -1 ? last[k] : four[k];
        last[k] = -1;
      }
      offer(
          four, [&](int) { return u; }, next);
      begin += 4;
      left -= 4;
    }
  }
  /// Claims four neighbours a lane, of vertices from(k), and enters those that were new; whole
  /// warps.
  template <class From>
  __device__ void offer(const int (&to)[4], const From& from, int next) {
    std::uint32_t before[4];
    row_place at[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      before[k] = ~0u;
      at[k].row = to[k];
      // The parent has been seen for sure.
      if (to[k] >= 0 && to[k] != from(k).parent) {
        before[k] = atomicOr(v_.seen + (to[k] >> 5), 1u << (to[k] & 31));
        if constexpr (Multi) at[k] = place_of(p_, to[k]);  // while the claim is under way
      }
    }
    bool fresh[4];
    int mine = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      fresh[k] = ((before[k] >> (to[k] & 31)) & 1u) == 0;
      if constexpr (Multi) {
        const bool remote = fresh[k] && at[k].owner != p_.me;
        trade_.post(remote, at[k].owner, at[k].row, parent_id(from(k)), level_);
        fresh[k] = fresh[k] && !remote;
      }
      mine += fresh[k] ? 1 : 0;
    }
    int end = reserve(mine, next);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (fresh[k]) place(next, end++, {at[k].row, parent_id(from(k))});
  }
  __device__ int parent_id(const found_vertex& u) const {
    return Multi ? placed_id_of(p_, u.vertex) : u.vertex;
  }
  /// A vertex that another rank has found, one a lane; whole warps.
  __device__ void receive(bool there, const found_vertex& u, int next) {
    bool fresh = false;
    if (there) {
      const int id = placed_id_of(p_, u.vertex);
      const std::uint32_t bit = 1u << (id & 31);
      fresh = (atomicOr(v_.seen + (id >> 5), bit) & bit) == 0;
    }
    const int at = reserve(fresh ? 1 : 0, next);
    if (fresh) place(next, at, u);
  }
  /// Where this lane's `mine` entries begin; whole warps.
  __device__ int reserve(int mine, int next) {
    const int up_to = inclusive_sum(mine);
    int at = 0;
    if (lane_id() == 31 && up_to != 0) at = atomicAdd(&m_.filled[next], up_to);
    return __shfl_sync(whole_warp, at, 31) + up_to - mine;
  }

  const search_view<Id>& v_;
  const peers_view<Id>& p_;
  narrow_memory<Multi>& m_;
  const int blocks_, me_;
  found_vertex* log_ = nullptr;
  std::int64_t logged_ = 0;    ///< entries before this level's
  std::int64_t total_ = 0;     ///< of all blocks
  std::int64_t bound_ = 0;     ///< of all ranks
  std::int64_t expanded_ = 0;  ///< by all ranks, in the level before
  std::int64_t level_ = 0;     ///< since the search's start
  int ends_ = 0;               ///< in lane b: where block b's entries end
  bool uneven_ = false, failed_ = false;
  const int few_;  ///< whatever they find fits into a block
  std::uint32_t rounds_ = 0;
  narrow_trade<Id> trade_;
};

}  // namespace gossamer::bfs_detail::cuda
