// Peeling as one block does it, among others of a kernel that are all resident.
//
// A block has every p-th piece of the vertices. At a level it takes those of its vertices whose
// degree has come down to the level, and follows their rows: neighbours lose one. Whoever brings a
// neighbour down to the level takes it, too. Two may see that: a bit of the vertex's word says who
// was first. So blocks need not meet between looking and peeling, but once a level.
//
// Degrees change by relaxed atomics. Two may bring a degree below the level together, or lower that
// of a vertex that was taken meanwhile; who sees that puts back what it took. So a word that was
// taken ends as the level, which is the core number.
//
// Who is taken waits in the block's list. What does not fit there goes to a list of all blocks, and
// so does much work where another block has none: a dense core may fall to one block otherwise.
// That list is a ring of as many places as there are vertices. A place without one is all ones:
// whoever takes it waits for a vertex, and whoever fills it for that it is empty.
//
// A block that finds both lists empty adds what it found and is idle, until there is one in the
// list of all again. Who puts it there is not idle. So when all are, nobody waits anywhere, the
// level is over, and the sums are those of all: blocks need not meet once more.
#pragma once

#include "algorithm/core_numbers/sync/cuda/peel_view.hpp"
#include "algorithm/cuda/joined_rows.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"
#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::core_numbers_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::lanes_below, dataflow::cuda::whole_warp;

/// A block's.
template <class Sizes, class Id>
struct block_memory {
  static constexpr unsigned most_waiting = Sizes::waiting_bytes / sizeof(Id);
  /// Rows of the vertices that are peeled at once, each in all directions.
  algorithm_detail::cuda::joined_rows_memory<Sizes::threads> rows;
  Id waiting[most_waiting];
  level_sums found;
  unsigned long long first;
  unsigned filled, count, kept, lowest, taken, idle, alive;
};

template <class Sizes, class Id>
class peel {
 public:
  __device__ peel(const peel_view<Id>& of, block_memory<Sizes, Id>& mine)
      : of_(of), mine_(mine), state_(*of.state) {}

  __device__ void run() {
    begun_ = device_detail::global_timer();
    left_ = state_.begun != 0 ? of_.left_of[blockIdx.x] : own_vertices();
    if (threadIdx.x == 0) mine_.filled = mine_.taken = 0;
    __syncthreads();
    bool goes_on = true;
    while (goes_on && state_.taken < static_cast<unsigned long long>(of_.vertices))
      goes_on = peel_level();
    if (state_.taken == static_cast<unsigned long long>(of_.vertices)) clear_bits();
    if (threadIdx.x != 0) return;
    of_.left_of[blockIdx.x] = left_;
    if (blockIdx.x == 0) *of_.state = state_;
  }

 private:
  static constexpr Id nobody = static_cast<Id>(-1);
  static constexpr std::int64_t threads = Sizes::threads;
  static constexpr unsigned at_once = Sizes::at_once;
  using memory = block_memory<Sizes, Id>;

  /// False: the launch is over.
  __device__ bool peel_level() {
    look_through();
    do
      while (any_waits())
        if (!share()) peel_some();
    while (!all_are_idle());
    if (mine_.alive == 0) return false;
    ++state_.meetings;
    const level_sums& all = mine_.found;
    const std::uint32_t level = state_.level;
    state_.begun = 1;
    state_.taken += all.taken;
    if (all.taken > 0) {
      state_.degeneracy = level;
      ++state_.rounds;
    }
    // Degrees have not changed if nobody was taken.
    state_.level = all.taken > 0 ? level + 1 : ~all.lowest_inverted;
    const bool goes_on = all.pause == 0;
    __syncthreads();  // `found` is written again
    return goes_on;
  }

  // Pieces of as many vertices as the block has threads go to blocks in turn.
  [[nodiscard]] __device__ std::int64_t pieces() const {
    return (of_.vertices + threads - 1) / threads;
  }
  [[nodiscard]] __device__ std::int64_t own_pieces() const {
    return (pieces() - blockIdx.x + gridDim.x - 1) / gridDim.x;
  }
  [[nodiscard]] __device__ std::int64_t own_vertices() const {
    return blockIdx.x < pieces() ? own_pieces() * threads : 0;
  }
  [[nodiscard]] __device__ Id* own_left() const {
    const std::int64_t each = pieces() / gridDim.x, more = pieces() % gridDim.x;
    return of_.left + (blockIdx.x * each + min_of(blockIdx.x, more)) * threads;
  }
  static __device__ std::int64_t min_of(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  /// The i-th of the own vertices, at first; it may be none.
  [[nodiscard]] __device__ std::int64_t own_vertex(std::int64_t i) const {
    return (i / threads * gridDim.x + blockIdx.x) * threads + i % threads;
  }

  /// Takes those of the own vertices that have come down to the level, and drops them and those
  /// that others took. What stays is moved together, behind what all threads have read.
  __device__ void look_through() {
    Id* const left = own_left();
    if (threadIdx.x == 0) {
      mine_.kept = 0;
      mine_.lowest = ~0U;
    }
    std::uint32_t lowest = ~0U;
    for (std::int64_t from = 0; from < left_; from += threads * at_once) {
      Id vertex[at_once];
      std::uint32_t word[at_once];
      for (unsigned u = 0; u < at_once; ++u) {
        const std::int64_t i = from + u * threads + threadIdx.x;
        vertex[u] = nobody;
        if (i >= left_) continue;
        const std::int64_t v = state_.begun != 0 ? left[i] : own_vertex(i);
        if (v < of_.vertices) vertex[u] = static_cast<Id>(v);
      }
      for (unsigned u = 0; u < at_once; ++u)
        word[u] = vertex[u] == nobody ? taken_bit : __ldcg(of_.words + vertex[u]);
      __syncthreads();
      for (unsigned u = 0; u < at_once; ++u) {
        const bool there = (word[u] & taken_bit) == 0;
        const bool stays = there && word[u] > state_.level;
        if (stays && word[u] < lowest) lowest = word[u];
        enter(there && !stays && take(vertex[u]), vertex[u]);
        keep(stays, vertex[u], left);
      }
      __syncthreads();
      while (mine_.filled > memory::most_waiting / 2) peel_some();
    }
    for (int d = 16; d > 0; d /= 2) {
      const std::uint32_t other = __shfl_xor_sync(whole_warp, lowest, d);
      if (other < lowest) lowest = other;
    }
    __syncthreads();
    if (lane_id() == 0 && lowest != ~0U) atomicMin(&mine_.lowest, lowest);
    left_ = mine_.kept;
    __syncthreads();
  }
  /// One atomic a warp.
  __device__ void keep(bool stays, Id v, Id* left) {
    const unsigned who = __ballot_sync(whole_warp, stays);
    if (who == 0) return;
    unsigned at = 0;
    if (lane_id() == 0) at = atomicAdd(&mine_.kept, static_cast<unsigned>(__popc(who)));
    at = __shfl_sync(whole_warp, at, 0) + static_cast<unsigned>(__popc(who & lanes_below()));
    if (stays) left[at] = v;
  }
  /// Whether this thread is the first.
  __device__ bool take(Id v) { return (atomicOr(of_.words + v, taken_bit) & taken_bit) == 0; }

  /// Whole warps: those whose vertex was taken enter the block's list, or that of all blocks.
  __device__ void enter(bool taken, Id v) {
    const unsigned who = __ballot_sync(whole_warp, taken);
    if (who == 0) return;
    const auto many = static_cast<unsigned>(__popc(who));
    unsigned at = 0;
    if (lane_id() == 0) {
      atomicAdd(&mine_.taken, many);
      at = atomicAdd(&mine_.filled, many);
    }
    at = __shfl_sync(whole_warp, at, 0);
    const auto below = static_cast<unsigned>(__popc(who & lanes_below()));
    const unsigned room = at < memory::most_waiting ? memory::most_waiting - at : 0;
    if (taken && below < room) mine_.waiting[at + below] = v;
    if (room >= many) return;
    unsigned long long place = 0;
    if (lane_id() == 0)
      place = atomicAdd(of_.ends + 1, static_cast<unsigned long long>(many - room));
    place = __shfl_sync(whole_warp, place, 0);
    if (taken && below >= room) put_for_all(place + (below - room), v);
  }
  __device__ void put_for_all(unsigned long long place, Id v) const {
    Id* const at = of_.waiting + place % static_cast<unsigned long long>(of_.vertices);
    while (device_detail::load_relaxed(at) != nobody) {
    }
    device_detail::store_relaxed(at, v);
  }
  __device__ Id take_for_all(unsigned long long place) const {
    Id* const at = of_.waiting + place % static_cast<unsigned long long>(of_.vertices);
    Id v = nobody;
    while ((v = device_detail::load_relaxed(at)) == nobody) {
    }
    device_detail::store_relaxed(at, nobody);
    return v;
  }

  /// All threads: the block's own list, or what it gets of the other, has vertices.
  __device__ bool any_waits() {
    __syncthreads();
    if (threadIdx.x == 0) {
      mine_.count = 0;
      if (mine_.filled == 0) mine_.count = take_of_all();
    }
    __syncthreads();
    const unsigned count = mine_.count;
    if (count == 0) return mine_.filled > 0;
    if (threadIdx.x < count) mine_.waiting[threadIdx.x] = take_for_all(mine_.first + threadIdx.x);
    if (threadIdx.x == 0) mine_.filled = count;
    __syncthreads();
    return true;
  }
  /// One thread: a block's share of them, up to as many as it has threads.
  __device__ unsigned take_of_all() {
    unsigned long long first = __ldcg(of_.ends);
    while (true) {
      const unsigned long long up_to = __ldcg(of_.ends + 1);
      if (first >= up_to) return 0;
      unsigned long long most = (up_to - first + gridDim.x - 1) / gridDim.x;
      if (most > Sizes::threads) most = Sizes::threads;
      if (most > memory::most_waiting) most = memory::most_waiting;
      const unsigned long long seen = atomicCAS(of_.ends, first, first + most);
      if (seen == first) {
        mine_.first = first;
        return static_cast<unsigned>(most);
      }
      first = seen;
    }
  }

  /// Rows of who leaves had as many arcs as the level says, at least.
  [[nodiscard]] __device__ unsigned long long arcs_of(unsigned vertices) const {
    return vertices * (state_.level + 1ULL);
  }
  /// Where there is much to do, and some block has nothing: the list is given to all. Once
  /// everybody is taken it is dropped: rows lead to nobody then. Whether the list is empty now.
  __device__ bool share() {
    __syncthreads();
    if (threadIdx.x == 0) {
      const unsigned filled = waiting_here();
      mine_.count = 0;
      if (arcs_of(filled) > Sizes::shared_arcs) {
        add_taken();
        const bool some_are_idle = __ldcg(&sums()->idle) > 0;
        if (state_.taken + __ldcg(&sums()->taken) ==
            static_cast<unsigned long long>(of_.vertices)) {
          mine_.filled = 0;
        } else if (filled > 1 && some_are_idle) {
          mine_.count = filled;
          mine_.first = atomicAdd(of_.ends + 1, static_cast<unsigned long long>(filled));
        }
      }
    }
    __syncthreads();
    const unsigned count = mine_.count;
    if (count == 0) return mine_.filled == 0;
    for (unsigned i = threadIdx.x; i < count; i += Sizes::threads)
      put_for_all(mine_.first + i, mine_.waiting[i]);
    __syncthreads();
    if (threadIdx.x == 0) mine_.filled = 0;
    return true;
  }
  /// All threads of a block that has nothing: whether that holds for all, before there is something
  /// in the list of all again. `found` has what they found. True as well where a wait ran out or
  /// the run is over: nobody is alive.
  __device__ bool all_are_idle() {
    if (threadIdx.x == 0) {
      add_found();
      mine_.alive = 1;
      mine_.idle = wait_for_all();
    }
    __syncthreads();
    return mine_.idle != 0;
  }
  /// One thread.
  __device__ void add_taken() {
    if (mine_.taken > 0) atomicAdd(&sums()->taken, static_cast<unsigned long long>(mine_.taken));
    mine_.taken = 0;
  }
  /// One thread. The sums after these were read by all who have come this far.
  __device__ void add_found() {
    level_sums* const added = sums();
    add_taken();
    if (mine_.lowest != ~0U) atomicMax(&added->lowest_inverted, ~mine_.lowest);
    if (blockIdx.x != 0) return;
    of_.sums[(state_.meetings + 1) % 3] = {};
    if (device_detail::global_timer() - begun_ > of_.pause) atomicOr(&added->pause, 1U);
  }
  /// One thread, as all_are_idle().
  __device__ unsigned wait_for_all() {
    level_sums* const added = sums();
    device_wait_bound bound(of_.guard, of_.guard.rank);
    __threadfence();
    atomicAdd(&added->idle, 1U);
    while (true) {
      const std::uint32_t idle = device_detail::load_acquire_on_device(&added->idle);
      if (idle == gridDim.x) break;
      const bool waits = __ldcg(of_.ends) < __ldcg(of_.ends + 1);
      if (!waits && !bound.expired()) continue;
      // Back to work, but not once all were idle: what waits then is of the next level. A wait that
      // ran out ends the same way: others would share with a block that has left, for ever.
      if (atomicCAS(&added->idle, idle, idle - 1) != idle) continue;
      __threadfence();  // who finds the list empty again finds this block busy
      if (waits) return 0;
      bound.give_up(0, 0, state_.meetings + 1, 0);
      mine_.alive = 0;
      return 1;
    }
    mine_.found = {__ldcg(&added->taken), __ldcg(&added->lowest_inverted), __ldcg(&added->pause),
                   0};
    return 1;
  }
  [[nodiscard]] __device__ unsigned waiting_here() const {
    return mine_.filled < memory::most_waiting ? mine_.filled : memory::most_waiting;
  }
  [[nodiscard]] __device__ level_sums* sums() const { return of_.sums + state_.meetings % 3; }

  /// The last that entered the block's list, a row a thread: the threads follow all arcs side by
  /// side.
  __device__ void peel_some() {
    __syncthreads();
    const unsigned filled =
        mine_.filled < memory::most_waiting ? mine_.filled : memory::most_waiting;
    const unsigned count = filled < Sizes::threads / ways() ? filled : Sizes::threads / ways();
    join_rows(filled - count, count);
    if (threadIdx.x == 0) mine_.filled = filled - count;
    __syncthreads();
    const unsigned long long arcs = mine_.rows.arcs;
    for (unsigned long long from = 0; from < arcs; from += threads * at_once) {
      Id to[at_once];
      std::uint32_t word[at_once];
      for (unsigned u = 0; u < at_once; ++u) {
        const unsigned long long j = from + u * threads + threadIdx.x;
        to[u] = j < arcs ? end_of(j, count) : nobody;
      }
      for (unsigned u = 0; u < at_once; ++u)
        word[u] = to[u] == nobody ? taken_bit : __ldcg(of_.words + to[u]);
      for (unsigned u = 0; u < at_once; ++u) {
        const bool lower = (word[u] & taken_bit) == 0 && word[u] > state_.level;
        enter(lower && lowered(to[u]), to[u]);
      }
    }
    __syncthreads();
  }
  /// One neighbour less; whether this thread takes it.
  __device__ bool lowered(Id v) {
    const std::uint32_t before = atomicAdd(of_.words + v, ~0U);
    if (before == state_.level + 1) return take(v);
    if ((before & taken_bit) != 0 || before <= state_.level) atomicAdd(of_.words + v, 1U);
    return false;
  }

  [[nodiscard]] __device__ unsigned ways() const { return of_.rows[1].offsets == nullptr ? 1 : 2; }
  __device__ void join_rows(unsigned first, unsigned count) {
    edge_offset begin = 0, end = 0;
    if (threadIdx.x < count * ways()) {
      const Id v = mine_.waiting[first + threadIdx.x / ways()];
      const edge_offset* const offsets = of_.rows[threadIdx.x % ways()].offsets;
      begin = offsets[v];
      end = offsets[v + 1];
    }
    algorithm_detail::cuda::join_rows(mine_.rows, begin,
                                      static_cast<unsigned long long>(end - begin));
  }
  /// Where the j-th of the joined arcs leads; `nobody` of one like that before it.
  __device__ Id end_of(unsigned long long j, unsigned count) const {
    const unsigned row = algorithm_detail::cuda::joined_row(mine_.rows, j, count * ways());
    const unsigned long long at = j - mine_.rows.before[row];
    const Id* const column = of_.rows[row % ways()].columns + mine_.rows.begin[row] + at;
    const Id to = __ldg(column);
    return at > 0 && __ldg(column - 1) == to ? nobody : to;
  }

  __device__ void clear_bits() {
    const std::int64_t step = std::int64_t{gridDim.x} * threads;
    for (std::int64_t v = std::int64_t{blockIdx.x} * threads + threadIdx.x; v < of_.vertices;
         v += step)
      of_.words[v] = __ldcg(of_.words + v) & ~taken_bit;
  }

  const peel_view<Id>& of_;
  block_memory<Sizes, Id>& mine_;
  peel_state state_;       ///< the same in all threads of all blocks
  std::int64_t left_ = 0;  ///< own vertices that are left
  unsigned long long begun_ = 0;
};

}  // namespace gossamer::core_numbers_detail::cuda
