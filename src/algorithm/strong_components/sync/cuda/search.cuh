// Strong components as one block finds them, among others of a kernel that are all resident.
//
// Searches from the pivot go level by level, both ways at once. Trimming goes through the list of
// those that are left, a warp a vertex. What then remains is coloured (Orzan, "On Distributed
// Verification and Verified Distribution", 2004): each vertex learns the smallest of its part that
// leads to it. Such a smallest one's component are those of its colour that lead back to it, and it
// is their label. So all colours are searched backward at once, and the next round has who is left.
//
// Lists are filled by one atomic operation a warp. Between two steps all blocks meet.
#pragma once

#include <type_traits>

#include "algorithm/cuda/joined_rows.cuh"
#include "algorithm/strong_components/sync/cuda/search_view.hpp"
#include "gossamer/dataflow/worklist/cuda/meeting.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::strong_components_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::lanes_below, dataflow::cuda::whole_warp;

/// A block's.
template <class Sizes, class Id>
struct block_memory {
  algorithm_detail::cuda::joined_rows_memory<Sizes::threads> rows;
  Id vertex[Sizes::threads];  ///< whose rows they are
  step_sums found;
  unsigned alive;
};

template <class Sizes, class Id>
class search {
 public:
  __device__ search(const search_view<Id>& of, block_memory<Sizes, Id>& mine)
      : of_(of), mine_(mine) {}

  __device__ void run() {
    if (!from_pivot() || !divide() || !trim_and_color() || !count()) return;
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    out_.left = left_;
    out_.which = turn_;
    out_.levels = levels_;
    out_.trimmed = trimmed_;
    *of_.outcome = out_;
  }

 private:
  static constexpr Id nobody = static_cast<Id>(-1);
  static constexpr std::int64_t threads = Sizes::threads;
  using rows_memory = algorithm_detail::cuda::joined_rows_memory<Sizes::threads>;

  // Threads and warps of the grid.
  __device__ static std::int64_t thread() { return blockIdx.x * threads + threadIdx.x; }
  __device__ static std::int64_t all_threads() { return gridDim.x * threads; }

  /// f(v, there) for all vertices, by whole warps.
  template <class F>
  __device__ void each_vertex(const F& f) const {
    for (std::int64_t from = thread() - lane_id(); from < of_.vertices; from += all_threads()) {
      const std::int64_t v = from + lane_id();
      f(static_cast<Id>(v), v < of_.vertices);
    }
  }
  /// f(v, there) for those that are left, by whole warps.
  template <class F>
  __device__ void each_left(const F& f) const {
    const Id* const list = of_.left[turn_];
    const auto count = static_cast<std::int64_t>(left_);
    for (std::int64_t from = thread() - lane_id(); from < count; from += all_threads()) {
      const std::int64_t i = from + lane_id();
      f(i < count ? list[i] : Id{0}, i < count);
    }
  }
  /// f(v, u, there) for all arcs, one way, of a list's vertices v, by whole warps. Lists of few are
  /// shared by all blocks.
  template <class F>
  __device__ void each_arc(const Id* list, unsigned long long size, int way, const F& f) {
    const auto count = static_cast<std::int64_t>(size);
    std::int64_t each = (count + gridDim.x - 1) / gridDim.x;
    if (each > threads) each = threads;
    for (std::int64_t from = blockIdx.x * each; from < count; from += gridDim.x * each) {
      const auto rows = static_cast<unsigned>(count - from < each ? count - from : each);
      edge_offset begin = 0, end = 0;
      if (threadIdx.x < rows) {
        const Id v = list[from + threadIdx.x];
        mine_.vertex[threadIdx.x] = v;
        begin = of_.rows[way].offsets[v];
        end = of_.rows[way].offsets[v + 1];
      }
      algorithm_detail::cuda::join_rows(mine_.rows, begin,
                                        static_cast<unsigned long long>(end - begin));
      const unsigned long long arcs = mine_.rows.arcs;
      for (unsigned long long base = threadIdx.x - lane_id(); base < arcs; base += threads) {
        const unsigned long long j = base + lane_id();
        Id v = 0, u = 0;
        if (j < arcs) {
          const unsigned row = algorithm_detail::cuda::joined_row(mine_.rows, j, rows);
          v = mine_.vertex[row];
          u = of_.rows[way].columns[mine_.rows.begin[row] +
                                    static_cast<edge_offset>(j - mine_.rows.before[row])];
        }
        f(v, u, j < arcs);
      }
      __syncthreads();  // rows are written again
    }
  }
  /// Whole warps: to the end of a list.
  __device__ static void put(bool is, Id v, Id* list, unsigned long long* size) {
    const unsigned who = __ballot_sync(whole_warp, is);
    if (who == 0) return;
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(size, static_cast<unsigned long long>(__popc(who)));
    at = __shfl_sync(whole_warp, at, 0) + __popc(who & lanes_below());
    if (is) list[at] = v;
  }

  [[nodiscard]] __device__ step_sums* sums() const { return of_.sums + meetings_ % 3; }
  /// With all blocks; `found` is what they added. False: a wait ran out, or the run is over.
  __device__ bool meet() {
    step_sums* const added = sums();
    ++meetings_;
    __syncthreads();
    if (threadIdx.x == 0) {
      mine_.alive = 1;
      if (dataflow::cuda::arrive(of_.arrived, meetings_)) {
        of_.sums[(meetings_ + 1) % 3] = {{0, 0}, 0, ~0ULL};
        dataflow::cuda::hold(of_.arrived, meetings_);
      } else if (!dataflow::cuda::await_meeting(of_.arrived, meetings_, of_.guard)) {
        mine_.alive = 0;
      }
      mine_.found = {{__ldcg(added->found), __ldcg(added->found + 1)},
                     __ldcg(&added->largest),
                     __ldcg(&added->first)};
    }
    __syncthreads();
    found_ = mine_.found;
    const bool alive = mine_.alive != 0;
    __syncthreads();
    return alive;
  }

  /// Level by level, both ways. After too many levels nobody was met.
  __device__ bool from_pivot() {
    unsigned long long size[2] = {of_.vertices > 0 ? 1ULL : 0, of_.vertices > 0 && !of_.symmetric};
    for (int turn = 0; size[0] + size[1] > 0; turn ^= 1) {
      if (++levels_ > of_.most_levels) {
        gave_up_ = true;
        return true;
      }
      for (int way = 0; way < 2; ++way)
        each_arc(of_.queue[way][turn], size[way], way, [&](Id, Id u, bool there) {
          const bool is_new = there && meets(way, u);
          put(is_new, u, of_.queue[way][turn ^ 1], sums()->found + way);
        });
      if (!meet()) return false;
      size[0] = found_.found[0];
      size[1] = found_.found[1];
    }
    return true;
  }
  __device__ bool meets(int way, Id u) const {
    std::uint32_t* const word = of_.met[way] + u / 32;
    const std::uint32_t bit = 1U << (u % 32);
    return (__ldcg(word) & bit) == 0 && (atomicOr(word, bit) & bit) == 0;
  }

  /// Vertices learn their part, and those in both searches their label.
  __device__ bool divide() {
    each_vertex([&](Id v, bool there) {
      const std::uint8_t part = there ? part_of(v) : 0;
      if (there) of_.parts[v] = part;
      const bool both = part == done_part;
      put(there && !both, v, of_.left[0], sums()->found);
      const unsigned who = __ballot_sync(whole_warp, both);
      if (who == 0 || lane_id() != 0) return;
      atomicMin(&sums()->first, static_cast<unsigned long long>(v) + __ffs(who) - 1);
    });
    if (!meet()) return false;
    left_ = found_.found[0];
    const auto label = static_cast<Id>(found_.first);
    // By the searches: parts change, where other blocks trim already.
    each_vertex([&](Id v, bool there) {
      if (there && part_of(v) == done_part) of_.labels[v] = label;
    });
    return true;
  }
  [[nodiscard]] __device__ std::uint8_t part_of(Id v) const {
    if (gave_up_) return 0;
    const auto bit = [&](int way) { return __ldcg(of_.met[way] + v / 32) >> (v % 32) & 1U; };
    return static_cast<std::uint8_t>(bit(0) | bit(of_.symmetric ? 0 : 1) << 1);
  }

  __device__ bool trim_and_color() {
    while (true) {
      if (!trim()) return false;
      if (left_ == 0 || gave_up_) return true;
      if (!color()) return false;
      if (gave_up_) return true;
    }
  }

  /// Rounds, while each takes an eighth of those that are left. Whoever goes may or may not be seen
  /// in the same round, which changes how many it takes, and no label.
  __device__ bool trim() {
    unsigned long long gone = left_;
    while (left_ > 0 && gone * 8 >= left_) {
      const Id* const list = of_.left[turn_];
      for (std::int64_t i = thread() / 32; i < static_cast<std::int64_t>(left_);
           i += all_threads() / 32) {
        const Id v = list[i];
        const std::uint8_t own = __ldcg(of_.parts + v);
        const bool stays = has_another(0, v, own) && (of_.symmetric || has_another(1, v, own));
        if (lane_id() == 0 && !stays) {
          of_.labels[v] = v;
          of_.parts[v] = done_part;
        }
        put(stays && lane_id() == 0, v, of_.left[turn_ ^ 1], sums()->found);
      }
      if (!meet()) return false;
      gone = left_ - found_.found[0];
      trimmed_ += gone;
      left_ = found_.found[0];
      turn_ ^= 1;
    }
    return true;
  }
  /// A warp: whether v has another vertex of its part in its row.
  __device__ bool has_another(int way, Id v, std::uint8_t own) const {
    const edge_offset begin = of_.rows[way].offsets[v], end = of_.rows[way].offsets[v + 1];
    for (edge_offset at = begin; at < end; at += 32) {
      const edge_offset mine = at + lane_id();
      bool is = false;
      if (mine < end) {
        const Id u = of_.rows[way].columns[mine];
        is = u != v && __ldcg(of_.parts + u) == own;
      }
      if (__any_sync(whole_warp, is)) return true;
    }
    return false;
  }

  /// One round of colours. Those that it labels are no longer left. After too many levels it labels
  /// nobody.
  __device__ bool color() {
    each_left([&](Id v, bool there) {
      if (there) of_.color[v] = v;
    });
    if (!meet()) return false;
    const Id* frontier = of_.left[turn_];
    unsigned long long size = left_;
    for (int turn = 0; size > 0; turn ^= 1) {
      if (++levels_ > of_.most_levels) {
        gave_up_ = true;
        return true;
      }
      each_arc(frontier, size, 0, [&](Id v, Id u, bool there) {
        put(there && colors(v, u), u, of_.queue[0][turn], sums()->found);
      });
      if (!meet()) return false;
      frontier = of_.queue[0][turn];
      size = found_.found[0];
    }
    return search_backward() && (gave_up_ || drop_labelled());
  }
  /// Whether u got v's color, and enters the queue for the first time in this step.
  __device__ bool colors(Id v, Id u) {
    const std::uint8_t own = __ldcg(of_.parts + v);
    const Id c = __ldcg(of_.color + v);
    if (own == done_part || __ldcg(of_.parts + u) != own || __ldcg(of_.color + u) <= c)
      return false;
    return lower(of_.color + u, c) > c && stamps(u);
  }
  __device__ static Id lower(Id* to, Id c) {
    using word = std::conditional_t<sizeof(Id) == 8, long long, int>;  // as CUDA has them
    return static_cast<Id>(atomicMin(reinterpret_cast<word*>(to), static_cast<word>(c)));
  }
  __device__ bool stamps(Id u) {
    const std::uint32_t now = meetings_ + 1;
    return atomicExch(of_.stamp + u, now) != now;
  }

  /// From those that have their own color, against arcs, to those of their color. It may be a long
  /// way back where colors came by a short one: after too many levels nobody keeps a label of it.
  __device__ bool search_backward() {
    each_left([&](Id v, bool there) {
      const bool root = there && __ldcg(of_.color + v) == v;
      if (root) label(v, v);
      put(root, v, of_.queue[1][0], sums()->found);
    });
    if (!meet()) return false;
    unsigned long long size = found_.found[0];
    for (int turn = 0; size > 0; turn ^= 1) {
      if (++levels_ > of_.most_levels) {
        each_left([&](Id v, bool there) {
          if (there) of_.parts[v] = part_of(v);
        });
        gave_up_ = true;
        return true;
      }
      each_arc(of_.queue[1][turn], size, 1, [&](Id v, Id u, bool there) {
        bool is_new = false;
        if (there) {
          const Id c = __ldcg(of_.color + v);
          is_new = __ldcg(of_.color + u) == c && __ldcg(of_.parts + u) != done_part && stamps(u);
          if (is_new) label(u, c);
        }
        put(is_new, u, of_.queue[1][turn ^ 1], sums()->found);
      });
      if (!meet()) return false;
      size = found_.found[0];
    }
    return true;
  }
  __device__ void label(Id v, Id as) const {
    of_.labels[v] = as;
    of_.parts[v] = done_part;
  }

  __device__ bool drop_labelled() {
    each_left([&](Id v, bool there) {
      put(there && __ldcg(of_.parts + v) != done_part, v, of_.left[turn_ ^ 1], sums()->found);
    });
    if (!meet()) return false;
    left_ = found_.found[0];
    turn_ ^= 1;
    return true;
  }

  /// Components, and the largest; of equals the one of the smallest label.
  __device__ bool count() {
    if (!meet()) return false;  // labels are there
    each_vertex([&](Id v, bool there) {
      const bool has = there && __ldcg(of_.parts + v) == done_part;
      const Id label = has ? of_.labels[v] : nobody;
      const Id first = __shfl_sync(whole_warp, label, 0);
      if (__all_sync(whole_warp, label == first)) {  // most of a warp's have one, often
        if (lane_id() == 0 && first != nobody) atomicAdd(of_.sizes + first, 32U);
      } else if (has) {
        atomicAdd(of_.sizes + label, 1U);
      }
      put_count(has && label == v);
    });
    if (!meet()) return false;
    out_.count = found_.found[0];
    unsigned long long largest = 0;
    each_vertex([&](Id v, bool there) {
      const unsigned long long size = there ? __ldcg(of_.sizes + v) : 0;
      if (size > largest) largest = size;
    });
    if (largest > 0) atomicMax(&sums()->largest, largest);
    if (!meet()) return false;
    out_.largest = found_.largest;
    unsigned long long first = ~0ULL;
    each_vertex([&](Id v, bool there) {
      if (there && out_.largest > 0 && __ldcg(of_.sizes + v) == out_.largest &&
          static_cast<unsigned long long>(v) < first)
        first = static_cast<unsigned long long>(v);
    });
    if (first != ~0ULL) atomicMin(&sums()->first, first);
    if (!meet()) return false;
    out_.largest_label = found_.first;
    return true;
  }
  __device__ void put_count(bool is) const {
    const unsigned who = __ballot_sync(whole_warp, is);
    if (who != 0 && lane_id() == 0)
      atomicAdd(sums()->found, static_cast<unsigned long long>(__popc(who)));
  }

  const search_view<Id>& of_;
  block_memory<Sizes, Id>& mine_;
  std::uint32_t meetings_ = 0;
  step_sums found_{};
  // The same in all threads of all blocks.
  unsigned long long left_ = 0, trimmed_ = 0;
  unsigned levels_ = 0, turn_ = 0;
  bool gave_up_ = false;
  search_outcome out_{};
};

}  // namespace gossamer::strong_components_detail::cuda
