// The kernel of the engine `single_kernel`: from the source to finished results, level by level.
//
// Every block keeps its own copy of the search's state in shared memory. All change it the same way
// after every meeting, so nobody has to be told what to do next.
#pragma once

#include <cstddef>

#include "algorithm/bfs/single_kernel/cuda/meeting.cuh"
#include "algorithm/bfs/single_kernel/cuda/narrow.cuh"
#include "algorithm/bfs/single_kernel/cuda/settle.cuh"
#include "algorithm/bfs/single_kernel/cuda/thin.cuh"
#include "algorithm/bfs/single_kernel/cuda/wide_bottom_up.cuh"
#include "algorithm/bfs/single_kernel/cuda/wide_top_down.cuh"

namespace gossamer::bfs_detail::cuda {

/// Shared memory of a block; the ways of working take turns.
template <bool Multi>
union team_memory {
  narrow_memory<Multi> narrow;
  thin_memory thin;
  bottom_up_memory bottom_up;
  std::int32_t slots[team_warps][warp_queue::capacity];
};

// Out of line, so that other ways of working keep their registers.
template <class Id>
__device__ __noinline__ void run_thin_levels(const search_view<Id>& v, const search_state& s,
                                             long long first_logged, level_sums* sums,
                                             thin_memory& memory) {
  thin_levels<Id>(v, memory).run(s, first_logged, sums);
}
template <class Id, bool Multi>
__device__ __noinline__ void search_rest(const search_view<Id>& v, const peers_view<Id>& p,
                                         const search_state& s, level_sums* sums,
                                         bottom_up_memory& memory, unsigned long long rest) {
  wide_bottom_up<Id, Multi>(v, p, s, sums, memory).run_rest(rest);
}

template <class Id, bool Multi>
class traversal_loop {
 public:
  __device__ traversal_loop(const search_view<Id>& v, const peers_view<Id>& p, search_state& s,
                            level_sums& found, team_memory<Multi>& memory)
      : v_(v),
        p_(p),
        s_(s),
        found_(found),
        memory_(memory),
        place_(v, p, s.meetings),
        first_logged_(s.level),
        narrow_most_(v.narrow ? narrow_most<Id, Multi>(v) : 0) {}

  // Forced: once out of line, the search state lives in memory (docs/design/bfs.md).
  __device__ __forceinline__ void run() {
    bool alive = s_.meetings != 0 || start();
    // A launch ends when the log is full; the next goes on.
    while (alive && s_.next != way::finished && s_.level - first_logged_ < logged_levels)
      alive = level();
    if (!alive) return;
    if (s_.next == way::finished) close_results<Multi>(v_, p_, s_);
    if (place_.speaks()) place_.note(search_phase::close, s_.level);
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    s_.meetings = place_.meetings();
    s_.open_arcs = 0;  // not ours to write: all blocks add to it
    const unsigned long long* from = reinterpret_cast<const unsigned long long*>(&s_);
    auto* to = reinterpret_cast<unsigned long long*>(v_.state);
    for (std::size_t i = 0; i < offsetof(search_state, open_arcs) / sizeof *to; ++i)
      to[i] = from[i];
  }

 private:
  __device__ bool meet(search_phase what, bool delivers = false) {
    return place_.meet(what, s_.level, found_, delivers);
  }
  /// After a meeting; nobody goes on before the state has changed.
  template <class F>
  __device__ void decide(F f) {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }
  __device__ std::int32_t* slots() { return memory_.slots[threadIdx.x / 32]; }

  /// Hosts launch one after the other, and whoever comes first waits here: the search begins when
  /// all are there.
  __device__ bool assemble() {
    const unsigned long long before = device_detail::global_timer();
    if (!meet(search_phase::assemble)) return false;
    decide([&] { s_.waited = device_detail::global_timer() - before; });
    return true;
  }
  /// Bitmaps cleared, the source entered by whoever owns its word.
  __device__ bool start() {
    if (Multi && !assemble()) return false;
    const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
    for (std::int64_t w = std::int64_t{blockIdx.x} * team_threads + threadIdx.x; w < v_.words;
         w += step) {
      const std::uint32_t bit = w == p_.source >> 5 ? 1u << (p_.source & 31) : 0;
      v_.seen[w] = v_.closed[w] | bit;
      v_.bits[0][w] = v_.bits[1][w] = 0;
    }
    found_frontier<Id> to(v_, v_.queue[0], place_.now(), slots());
    const bool mine = s_.source >= 0 && blockIdx.x == 0 && threadIdx.x == 0;
    if (mine) {
      v_.parents[s_.source] = static_cast<Id>(p_.source);
      v_.depths[s_.source] = 0;
    }
    to.add(mine, static_cast<std::int32_t>(s_.source));
    to.finish();
    if (!meet(search_phase::clear)) return false;
    decide([&] {
      s_.began = device_detail::global_timer();
      adopt_queue();
      choose();
    });
    return true;
  }

  __device__ bool level() {
    switch (s_.next) {
      case way::thin:
        return thin();
      case way::narrow:
        return narrow();
      case way::queue:
        return top_down();
      case way::bitmap:
        return bottom_up();
      default:
        return false;
    }
  }

  __device__ bool narrow() {
    const int cluster_blocks = cluster::size(),
              others = static_cast<int>(gridDim.x) - cluster_blocks;
    const int block = static_cast<int>(blockIdx.x);
    if (block < cluster_blocks) {
      if (!narrow_levels<Id, Multi>(v_, p_, memory_.narrow).run(s_, first_logged_, place_.now()))
        return false;
    } else if (!settlement<Id>(v_, s_, first_logged_, block - cluster_blocks, others,
                               cluster_blocks)
                    .run()) {
      return false;
    }
    if (!meet(search_phase::narrow)) return false;
    // Nobody was left to settle.
    if (others == 0 &&
        (!settlement<Id>(v_, s_, first_logged_, block, cluster_blocks, cluster_blocks).run() ||
         !place_.pause(search_phase::settle, s_.level)))
      return false;
    decide([&] {
      s_.traded += static_cast<std::uint32_t>(found_.levels);
      if (block == 0) v_.progress[0] = v_.progress[1] = 0;
    });
    return go_on();
  }
  __device__ bool thin() {
    if constexpr (!Multi) {
      if (blockIdx.x == 0 && threadIdx.x < 32)
        run_thin_levels<Id>(v_, s_, first_logged_, place_.now(), memory_.thin);
    }
    return meet(search_phase::thin) && go_on();
  }
  /// After levels that some have run alone, and a meeting.
  __device__ bool go_on() {
    decide([&] {
      s_.level += static_cast<long long>(found_.levels);
      s_.frontier = found_.vertices;
      s_.queued = found_.queued;
      s_.longs = 0;
      if (s_.frontier == 0) s_.next = way::finished;
    });
    if (s_.frontier == 0) return true;
    survey_queue(v_, s_, place_.now(), slots());
    if (!meet(search_phase::survey)) return false;
    decide([&] {
      s_.which ^= 1;
      adopt_queue();
      choose();
    });
    return true;
  }

  __device__ bool top_down() {
    if (s_.bottom_up != 0) {  // the frontier is a bitmap
      gather_bits<Multi>(v_, p_, s_, place_.now(), slots());
      if (!meet(search_phase::gather)) return false;
      decide([&] {
        s_.which ^= 1;
        s_.bottom_up = 0;
        adopt_queue();
      });
    }
    wide_top_down<Id, Multi>(v_, p_, s_, place_.now(), slots()).expand();
    if (!meet(search_phase::expand, true)) return false;
    if constexpr (Multi) {
      __shared__ level_sums own;
      decide([&] { own = found_; });
      wide_top_down<Id, Multi>(v_, p_, s_, place_.now(), slots(), own).absorb(place_.meetings());
      if (!meet(search_phase::absorb)) return false;
      decide([&] {
        found_.queued += own.queued;
        found_.longs += own.longs;
        found_.vertices += own.vertices;
        found_.all_arcs += own.all_arcs;
      });
    }
    decide([&] {
      log(false);
      ++s_.level;
      s_.unexplored -= s_.arcs < s_.unexplored ? s_.arcs : s_.unexplored;
      s_.which ^= 1;
      s_.last = s_.frontier;
      adopt_queue();
      choose();
    });
    return true;
  }

  __device__ bool bottom_up() {
    if (s_.bottom_up == 0) {
      if (s_.filled != 0) {  // levels before went up, and have left their bits
        clear_bits<Multi>(v_, p_, s_);
        if (!meet(search_phase::clear_bits)) return false;
      }
      set_bits<Multi>(v_, p_, s_);
      if (!meet(search_phase::set_bits)) return false;
      if constexpr (Multi) {
        spread_bits(v_, p_, s_.level);
        if (!meet(search_phase::spread_bits)) return false;
        count_spread();
      }
    }
    wide_bottom_up<Id, Multi>(v_, p_, s_, place_.now(), memory_.bottom_up).run();
    if (!meet(search_phase::bottom_up)) return false;
    if constexpr (Multi) count_spread();
    if ((Multi ? found_.all_arcs : found_.levels) != 0 && !rest()) return false;
    decide([&] {
      log(true);
      s_.bottom_up = 1;
      s_.filled = 1;
      s_.last = s_.frontier;
      s_.frontier = found_.vertices;
      ++s_.level;
      choose();
    });
    return true;
  }
  /// Rows that the level has put off, here or on another rank.
  __device__ bool rest() {
    __shared__ unsigned long long before;
    const unsigned long long listed = found_.levels;
    decide([&] { before = found_.vertices; });
    search_rest<Id, Multi>(v_, p_, s_, place_.now(), memory_.bottom_up, listed);
    if (!meet(search_phase::rest)) return false;
    decide([&] { found_.vertices += before; });
    if constexpr (Multi) {  // all own words again: few levels come here, and words are few
      spread_bits(v_, p_, s_.level + 1);
      if (!place_.pause(search_phase::spread_bits, s_.level)) return false;
      count_spread();
    }
    return true;
  }
  /// One put a peer, of all own words.
  __device__ void count_spread() {
    if (blockIdx.x != 0 || threadIdx.x != 0 || v_.rows == 0) return;
    atomicAdd(p_.sent, static_cast<unsigned long long>(p_.ranks - 1));
    atomicAdd(p_.sent + 1, static_cast<unsigned long long>((p_.ranks - 1) * (v_.rows / 8)));
  }

  // --- by thread 0 -------------------------------------------------------------------------------

  /// The frontier just found is a queue and a list.
  __device__ void adopt_queue() {
    s_.queued = found_.queued;
    s_.longs = found_.longs;
    s_.frontier = found_.vertices;
    s_.arcs = found_.all_arcs;
  }
  __device__ void log(bool up) {
    if (blockIdx.x == 0)
      v_.log[s_.level - first_logged_] = {2 * s_.frontier + (up ? 1 : 0),
                                          device_detail::global_timer()};
  }
  /// How the level from s_.frontier goes.
  __device__ void choose() {
    const turning& t = v_.turn;
    if (s_.frontier == 0) {
      s_.next = way::finished;
      return;
    }
    bool up = s_.bottom_up != 0;
    if (t.must_go_up) {
      up = true;
    } else if (t.may_go_up) {
      if (!up)
        up = static_cast<double>(s_.arcs) * t.alpha > static_cast<double>(s_.unexplored) &&
             s_.arcs > static_cast<unsigned long long>(t.vertices) / 16;
      else
        up = s_.frontier >= s_.last ||
             static_cast<double>(s_.frontier) * t.beta > static_cast<double>(t.vertices);
    }
    s_.next = up ? way::bitmap : way::queue;
    if (up || s_.bottom_up != 0) return;
    // Half of what fits: not in and out at every level.
    if (v_.narrow && static_cast<long long>(s_.frontier) <= narrow_most_ / 2) s_.next = way::narrow;
    if (!Multi && s_.level >= deep_search && s_.longs == 0 && s_.frontier <= thin_vertices / 2 &&
        s_.arcs <= thin_arcs / 2)
      s_.next = way::thin;
  }
  const search_view<Id>& v_;
  const peers_view<Id>& p_;
  search_state& s_;
  level_sums& found_;
  team_memory<Multi>& memory_;
  meeting_place<Id, Multi> place_;
  const long long first_logged_;
  const long long narrow_most_;
};

template <class Id, bool Multi>
__global__ void __launch_bounds__(team_threads, 1)
    traverse_kernel(const __grid_constant__ search_view<Id> v,
                    const __grid_constant__ peers_view<Id> p) {
  extern __shared__ unsigned char dynamic[];
  __shared__ search_state state;
  __shared__ level_sums found;
  if (threadIdx.x == 0) state = *v.state;
  __syncthreads();
  traversal_loop<Id, Multi>(v, p, state, found, *reinterpret_cast<team_memory<Multi>*>(dynamic))
      .run();
}

}  // namespace gossamer::bfs_detail::cuda
