// 64 searches at once as one block does its part of them, among others of a kernel that are all
// resident. Batches go one after the other.
//
// A vertex has a word for who has met it, and one in each of three arrays that change their part
// from level to level: the frontier, who meets it now, and what is left of the last frontier, to be
// cleared. `met` does not change while a level may ask it for its own finds. Whoever looks at a
// vertex takes its bits of the frontier for met, and whoever has the vertex adds them. So one
// atomic "or" to the new word says which searches are the first, and blocks meet once a level.
//
// A search with a large frontier is pulled: each vertex that it misses looks at its neighbours. One
// with a small frontier is pushed along the arcs of a list, on the same level. If all were pulled
// together, a row would end only when the search with the smallest frontier has met it.
//
// How many vertices each search meets: lanes of a warp exchange their words so that each has the
// bits of two searches, and counts them. Each bit is won by one thread alone, so sums are exact.
#pragma once

#include "algorithm/cuda/joined_rows.cuh"
#include "algorithm/distances/sync/cuda/lane_bits.cuh"
#include "algorithm/distances/sync/cuda/search_view.hpp"
#include "gossamer/dataflow/worklist/cuda/meeting.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::distances_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::whole_warp;

/// A block's.
template <class Sizes>
struct block_memory {
  algorithm_detail::cuda::joined_rows_memory<Sizes::threads> rows;
  lane_word offered[Sizes::threads];          ///< by whose row it is
  lane_word found[Sizes::threads / 32][32];   ///< by rows that a warp looks at
  unsigned long long met[lanes_at_most];      ///< on this level, by all blocks
  lane_total totals[lanes_at_most];           ///< of the batch; block 0 has them
  unsigned counts[lanes_at_most];             ///< by this block, until blocks meet
  unsigned long long listed, vertices, arcs;  ///< of all blocks: search_sums
  unsigned long long new_vertices, new_arcs;  ///< by this block, until blocks meet
  unsigned long long begun;
  search_state state;
  unsigned any[2], large[2], pulled[2];  ///< searches that met somebody; by their frontiers
  unsigned pause, alive;
};

template <class Sizes, class Id>
class search {
 public:
  __device__ search(const search_view<Id>& of, block_memory<Sizes>& mine) : of_(of), mine_(mine) {}

  __device__ void run() {
    enter();
    bool goes_on = true;
    while (goes_on && mine_.state.batch < of_.batches()) {
      if (mine_.state.active == 0 && !begin_batch()) return;
      if (!level()) return;
      goes_on = end_level();
    }
    leave();
  }

 private:
  static constexpr Id nobody = static_cast<Id>(-1);
  static constexpr std::int64_t threads = Sizes::threads;
  static constexpr unsigned at_once = Sizes::at_once;
  using state = search_state;

  // Threads and warps of the grid.
  __device__ static std::int64_t thread() { return blockIdx.x * threads + threadIdx.x; }
  __device__ static std::int64_t all_threads() { return gridDim.x * threads; }
  __device__ static std::int64_t all_warps() { return gridDim.x * (threads / 32); }

  [[nodiscard]] __device__ unsigned turn(unsigned later) const {
    return (mine_.state.turn + later) % 3;
  }
  /// Arrays by turn; an index would be one of memory.
  template <class T>
  __device__ static T* by_turn(T* const (&arrays)[3], unsigned which) {
    if (which == 0) return arrays[0];
    return which == 1 ? arrays[1] : arrays[2];
  }
  [[nodiscard]] __device__ lane_word* words(unsigned later) const {
    return by_turn(of_.words, turn(later));
  }
  [[nodiscard]] __device__ row_part<Id>* parts(unsigned later) const {
    return by_turn(of_.parts, turn(later));
  }
  [[nodiscard]] __device__ lane_word* front() const { return words(0); }
  [[nodiscard]] __device__ lane_word* next() const { return words(1); }
  [[nodiscard]] __device__ bool complete(unsigned which) const {
    return (mine_.state.complete >> which & 1U) != 0;
  }
  [[nodiscard]] __device__ search_sums* sums(unsigned later = 0) const {
    return of_.sums + (mine_.state.meetings + later) % 3;
  }
  /// Of rows that go by once: columns shall not take the place of words in the caches.
  __device__ static Id column(const device_rows<Id>& rows, edge_offset at) {
    return __ldcs(rows.columns + at);
  }
  /// The batch's, of the first `lanes` of a block's threads.
  [[nodiscard]] __device__ bool is_lane() const {
    return threadIdx.x < static_cast<unsigned>(of_.lanes) && place() < of_.count;
  }
  [[nodiscard]] __device__ std::int64_t place() const {
    return mine_.state.batch * of_.lanes + threadIdx.x;
  }

  __device__ void enter() {
    if (threadIdx.x == 0) {
      mine_.state = *of_.state;
      mine_.vertices = mine_.arcs = mine_.new_vertices = mine_.new_arcs = 0;
      mine_.pause = 0;
      mine_.begun = device_detail::global_timer();
    }
    __syncthreads();
    if (threadIdx.x < lanes_at_most) {
      mine_.met[threadIdx.x] = 0;
      mine_.counts[threadIdx.x] = 0;
    }
    if (blockIdx.x == 0 && mine_.state.active != 0 && is_lane())
      mine_.totals[threadIdx.x] = of_.totals[place()];
    __syncthreads();
  }
  __device__ void leave() const {
    if (blockIdx.x != 0) return;
    if (mine_.state.active != 0 && is_lane()) of_.totals[place()] = mine_.totals[threadIdx.x];
    if (threadIdx.x == 0) *of_.state = mine_.state;
  }

  __device__ void clear(lane_word* words) const {
    for (std::int64_t v = thread(); v < of_.vertices; v += all_threads()) words[v] = 0;
  }

  /// The frontier is the sources. False: as meet().
  __device__ bool begin_batch() {
    clear(of_.met);
    for (lane_word* const words : of_.words) clear(words);
    if (threadIdx.x == 0) mine_.state.turn = 0;
    if (!meet()) return false;
    if (blockIdx.x == 0 && threadIdx.x < lanes_at_most) {
      const bool is = is_lane();
      Id v = 0;
      bool first = false;
      if (is) {
        v = static_cast<Id>(of_.sources[place()]);
        first = atomicOr(of_.words[0] + v, lane_word{1} << threadIdx.x) == 0;
        mine_.totals[threadIdx.x] = lane_total{1, 0, 0, 0};
      }
      put_row(first, v, first ? of_.along.offsets[v] : 0, first ? of_.along.offsets[v + 1] : 0,
              of_.parts[0]);
    }
    if (!meet()) return false;
    if (threadIdx.x == 0) {
      state& s = mine_.state;
      const std::int64_t left = of_.count - s.batch * of_.lanes;
      const auto lanes = left < of_.lanes ? static_cast<int>(left) : of_.lanes;
      s.active = ~lane_word{0} >> (lanes_at_most - lanes);
      s.pulled = 0;
      s.parts[0] = mine_.listed;
      s.parts[1] = s.parts[2] = 0;
      s.arcs = 0;
      s.depth = 0;
      s.complete = 7;
    }
    __syncthreads();
    return true;
  }

  /// Finds whom searches meet next. False: as meet().
  __device__ bool level() {
    const state& s = mine_.state;
    const lane_word pushed = s.active & ~s.pulled;
    const bool listed = complete(turn(0));
    bool settled = false;
    if (pushed != 0 && (!listed || s.arcs > Sizes::arcs_worth_settling)) {
      listed ? settle_listed() : list_frontier(pushed);
      if (!meet()) return false;
      if (!listed && threadIdx.x == 0) mine_.state.parts[turn(0)] = mine_.listed;
      __syncthreads();
      settled = true;
    }
    clear_old();
    if (s.pulled != 0) pull(pushed != 0);
    if (pushed != 0) push(pushed, settled);
    if (!meet()) return false;
    if (s.pulled == 0 || mine_.listed == 0) return true;
    pull_rests(mine_.listed);
    return meet();
  }

  /// Whether the level lists whom it meets. Where that is many, all warps wait for the list's end.
  [[nodiscard]] __device__ bool lists() const {
    const state& s = mine_.state;
    return s.pulled == 0 && (s.arcs <= Sizes::arcs_listed ||
                             s.arcs <= static_cast<unsigned long long>(of_.vertices) /
                                           Sizes::vertices_of_arc_listed);
  }

  /// Sums of the level; what the next one does. False: the launch is over.
  __device__ bool end_level() {
    state& s = mine_.state;
    if (threadIdx.x < lanes_at_most) {
      const unsigned long long met = mine_.met[threadIdx.x];
      mine_.met[threadIdx.x] = 0;
      const float mean = mine_.vertices > 0 ? static_cast<float>(mine_.arcs) / mine_.vertices
                                            : static_cast<float>(of_.arcs) / of_.vertices;
      const float arcs = static_cast<float>(met) * mean, all = static_cast<float>(of_.arcs);
      const unsigned any = __ballot_sync(whole_warp, met > 0),
                     large = __ballot_sync(whole_warp, met > 0 && arcs * Sizes::large_part >= all),
                     pulled =
                         __ballot_sync(whole_warp, met > 0 && arcs * Sizes::pulled_part >= all);
      if (lane_id() == 0) {
        mine_.any[threadIdx.x / 32] = any;
        mine_.large[threadIdx.x / 32] = large;
        mine_.pulled[threadIdx.x / 32] = pulled;
      }
      if (blockIdx.x == 0 && met > 0)
        mine_.totals[threadIdx.x].meet(static_cast<std::int64_t>(met), s.depth + 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      const bool listed = lists();
      const unsigned which = turn(1);
      s.parts[which] = listed ? mine_.listed : 0;
      s.complete = (s.complete & ~(1U << which)) | (listed ? 1U << which : 0);
      s.arcs = mine_.arcs;
      s.turn = which;
      ++s.depth;
      s.active = mine_.any[0] | lane_word{mine_.any[1]} << 32;
      s.pulled = (mine_.large[0] | mine_.large[1]) == 0
                     ? 0
                     : mine_.pulled[0] | lane_word{mine_.pulled[1]} << 32;
      mine_.vertices = mine_.arcs = 0;
      if (s.active != 0 && s.depth > of_.deepest) s.too_deep = 1;
    }
    __syncthreads();
    const bool over = s.active == 0;
    if (over && blockIdx.x == 0 && is_lane()) of_.totals[place()] = mine_.totals[threadIdx.x];
    __syncthreads();
    if (over && threadIdx.x == 0) ++s.batch;
    __syncthreads();
    return mine_.pause == 0 && s.too_deep == 0;
  }

  /// What a level found is met, at its depth. All who have a vertex write the same.
  __device__ void settle(Id v, lane_word bits, lane_word met) const {
    if (bits == 0) return;
    of_.met[v] = met | bits;
    if (of_.planes == nullptr) return;
    const int each = lanes_at_most / of_.width;
    for (auto left = static_cast<unsigned>(mine_.state.depth); left != 0; left &= left - 1) {
      const int digit = __ffs(static_cast<int>(left)) - 1;
      of_.planes[digit % depth_words * of_.vertices + v] |= bits << (digit / depth_words * each);
    }
  }
  __device__ void settle_listed() const {
    const row_part<Id>* const list = parts(0);
    const auto count = static_cast<std::int64_t>(mine_.state.parts[turn(0)]);
    for (std::int64_t i = thread(); i < count; i += all_threads()) {
      const Id v = list[i].vertex;
      settle(v, front()[v], __ldcg(of_.met + v));
    }
  }
  /// Settles all of a frontier that no list has, and lists those with bits of `lanes`.
  __device__ void list_frontier(lane_word lanes) {
    for (std::int64_t base = first_of_warp(); base < of_.vertices; base += all_warps() * 32) {
      const std::int64_t v = base + lane_id();
      const lane_word bits = v < of_.vertices ? front()[v] : 0;
      if (bits != 0) settle(static_cast<Id>(v), bits, __ldcg(of_.met + v));
      const bool is = (bits & lanes) != 0;
      put_row(is, static_cast<Id>(v), is ? of_.along.offsets[v] : 0,
              is ? of_.along.offsets[v + 1] : 0, parts(0));
    }
  }
  __device__ static std::int64_t first_of_warp() { return dataflow::cuda::warp_of_grid() * 32; }

  /// The word that the next level writes; and digits that a later level is the first to write.
  __device__ void clear_old() const {
    lane_word* const old = words(2);
    if (complete(turn(2))) {
      const row_part<Id>* const list = parts(2);
      const auto count = static_cast<std::int64_t>(mine_.state.parts[turn(2)]);
      for (std::int64_t i = thread(); i < count; i += all_threads()) old[list[i].vertex] = 0;
    } else {
      clear(old);
    }
    const std::int32_t depth = mine_.state.depth + 1;
    if (of_.planes != nullptr && depth < 1 << depth_words && (depth & (depth - 1)) == 0)
      clear(of_.planes + (__ffs(depth) - 1) * of_.vertices);
  }

  // --- pushing -----------------------------------------------------------------------------------

  /// The frontier offers its bits of `lanes` along the listed rows. `settled`: it is met already.
  __device__ void push(lane_word lanes, bool settled) {
    const row_part<Id>* const list = parts(0);
    const lane_word* const bits = front();
    const auto count = static_cast<std::int64_t>(mine_.state.parts[turn(0)]);
    std::int64_t each = (count + gridDim.x - 1) / gridDim.x;
    if (each > threads) each = threads;
    for (std::int64_t from = blockIdx.x * each; from < count; from += gridDim.x * each) {
      const auto rows = static_cast<unsigned>(count - from < each ? count - from : each);
      edge_offset begin = 0;
      unsigned long long arcs = 0;
      if (threadIdx.x < rows) {
        const row_part<Id> part = list[from + threadIdx.x];
        const lane_word here = bits[part.vertex];
        if (!settled) settle(part.vertex, here, __ldcg(of_.met + part.vertex));
        mine_.offered[threadIdx.x] = here & lanes;
        if ((here & lanes) != 0) {
          begin = part.begin;
          arcs = part.arcs;
        }
      }
      algorithm_detail::cuda::join_rows(mine_.rows, begin, arcs);
      arcs = mine_.rows.arcs;
      for (unsigned long long base = 0; base < arcs; base += threads * at_once)
        push_some(base, arcs, rows, settled);
      __syncthreads();  // rows are written again
    }
  }
  __device__ void push_some(unsigned long long base, unsigned long long arcs, unsigned rows,
                            bool settled) {
    Id to[at_once];
    lane_word missing[at_once];
#pragma unroll
    for (unsigned u = 0; u < at_once; ++u) {
      const unsigned long long j = base + u * threads + threadIdx.x;
      to[u] = nobody;
      missing[u] = 0;
      if (j >= arcs) continue;
      const unsigned row = algorithm_detail::cuda::joined_row(mine_.rows, j, rows);
      to[u] = column(of_.along,
                     mine_.rows.begin[row] + static_cast<edge_offset>(j - mine_.rows.before[row]));
      missing[u] = mine_.offered[row];
    }
#pragma unroll
    for (unsigned u = 0; u < at_once; ++u)
      if (to[u] != nobody) {
        missing[u] &= ~__ldcg(of_.met + to[u]);
        if (!settled) missing[u] &= ~front()[to[u]];
      }
    unsigned first = 0;  // a bit of each that nobody met before
#pragma unroll
    for (unsigned u = 0; u < at_once; ++u)
      if (missing[u] != 0) {
        const lane_word before = atomicOr(next() + to[u], missing[u]);
        missing[u] &= ~before;
        if (before == 0) first |= 1U << u;
      }
#pragma unroll
    for (unsigned u = 0; u < at_once; ++u) {
      count(missing[u]);
      if (mine_.state.pulled == 0) enter_next((first >> u & 1U) != 0, to[u]);
    }
  }
  /// Whole warps.
  __device__ void enter_next(bool first, Id v) {
    if (__any_sync(whole_warp, first) == 0) return;
    edge_offset begin = 0, end = 0;
    if (first) {
      begin = of_.along.offsets[v];
      end = of_.along.offsets[v + 1];
      ++new_vertices_;
      new_arcs_ += static_cast<unsigned long long>(end - begin);
    }
    if (lists()) put_row(first, v, begin, end, parts(1));
  }
  /// Whole warps: rows to the end of a list, in parts; one without arcs, too. One atomic a warp.
  __device__ void put_row(bool is, Id v, edge_offset begin, edge_offset end, row_part<Id>* list) {
    constexpr edge_offset most = Sizes::part_arcs;
    if (__any_sync(whole_warp, is) == 0) return;
    int here = 0;
    if (is) here = begin == end ? 1 : static_cast<int>((end - begin + most - 1) / most);
    const int up_to = dataflow::cuda::inclusive_sum(here);
    const int all = __shfl_sync(whole_warp, up_to, 31);
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(&sums()->listed, static_cast<unsigned long long>(all));
    at = __shfl_sync(whole_warp, at, 0);
    for (int base = 0; base < all; base += 32) {
      const int j = base + static_cast<int>(lane_id());
      const int row = dataflow::cuda::row_of_arc(up_to, j);
      const int before = __shfl_sync(whole_warp, up_to - here, row);
      const edge_offset row_begin = __shfl_sync(whole_warp, begin, row);
      const edge_offset row_end = __shfl_sync(whole_warp, end, row);
      const Id vertex = __shfl_sync(whole_warp, v, row);
      if (j >= all) continue;
      const edge_offset first = row_begin + (j - before) * most;
      const edge_offset arcs = row_end - first < most ? row_end - first : most;
      list[at + j] = {first, vertex, static_cast<std::uint32_t>(arcs)};
    }
  }

  // --- pulling -----------------------------------------------------------------------------------

  /// Vertices that pulled searches miss look for them at the other ends of their arcs, a lane a
  /// vertex. `pushes`: others write to the new words, too, but never the same bits.
  __device__ void pull(bool pushes) {
    const lane_word pulled = mine_.state.pulled;
    const lane_word* const bits = front();
    for (std::int64_t base = first_of_warp(); base < of_.vertices; base += all_warps() * 32) {
      const std::int64_t v = base + lane_id();
      lane_word missing = 0;
      edge_offset at = 0, end = 0;
      if (v < of_.vertices) {
        const lane_word here = bits[v], met = __ldcg(of_.met + v);
        settle(static_cast<Id>(v), here, met);
        missing = pulled & ~(met | here);
      }
      if (missing != 0) {
        at = of_.against.offsets[v];
        end = of_.against.offsets[v + 1];
      }
      const edge_offset arcs = end - at;
      const lane_word won = look(at, end, missing);
      if (won != 0) {
        if (pushes)
          atomicOr(next() + v, won);
        else
          next()[v] = won;
        ++new_vertices_;
        new_arcs_ += static_cast<unsigned long long>(arcs);
      }
      count(won);
      put_row(won != missing && at < end, static_cast<Id>(v), at, end, parts(1));
    }
  }

  /// Whole warps: those of the missing searches that the own row's first arcs have; the rest begins
  /// at `at`. A few arcs a lane looks at by itself, of more, eight lanes together, four rows at
  /// once.
  __device__ lane_word look(edge_offset& at, edge_offset end, lane_word missing) {
    const lane_word* const bits = front();
    lane_word found = 0;
    if (at < end) {
      Id to[at_once];
      for (unsigned u = 0; u < at_once; ++u)
        to[u] = at + u < end ? of_.against.columns[at + u] : nobody;
      for (unsigned u = 0; u < at_once; ++u)
        if (to[u] != nobody) found |= bits[to[u]];
      at = at + at_once < end ? at + at_once : end;
    }
    const edge_offset stop = end - at < Sizes::looked_arcs ? end : at + Sizes::looked_arcs;
    const bool open = (missing & ~found) != 0 && at < stop;
    const unsigned todo = __ballot_sync(whole_warp, open);
    if (todo != 0) {
      look_together(todo, at, stop, missing & ~found);
      if (open) {
        found |= mine_.found[threadIdx.x / 32][lane_id()];
        at = stop;
      }
      __syncwarp();  // the memory is written again
    }
    return found & missing;
  }
  /// Rows of the lanes in `todo`, one after the other by each eight lanes; a row ends early when
  /// nothing is missing. What they have goes to the block's memory.
  __device__ void look_together(unsigned todo, edge_offset begin, edge_offset stop,
                                lane_word missing) {
    constexpr int of_row = 8, loads = 2;
    const lane_word* const bits = front();
    const unsigned group = lane_id() / of_row, mine = lane_id() % of_row;
    int row = -1;
    edge_offset from = 0, to = 0;
    lane_word need = 0, got = 0;
    while (true) {
      const unsigned idle = __ballot_sync(whole_warp, row < 0 && mine == 0);
      if (idle != 0 && todo != 0) {
        // Those that have no row take the first ones, in their order.
        unsigned rest = todo;
        for (int i = __popc(idle & ((1U << group * of_row) - 1)); i > 0; --i) rest &= rest - 1;
        const int pick = row < 0 ? __ffs(static_cast<int>(rest)) - 1 : -1;
        const int source = pick < 0 ? static_cast<int>(lane_id()) : pick;
        const edge_offset row_begin = __shfl_sync(whole_warp, begin, source);
        const edge_offset row_stop = __shfl_sync(whole_warp, stop, source);
        const lane_word row_missing = __shfl_sync(whole_warp, missing, source);
        if (pick >= 0) {
          row = pick;
          from = row_begin;
          to = row_stop;
          need = row_missing;
          got = 0;
        }
        for (int i = __popc(idle); i > 0; --i) todo &= todo - 1;
      }
      if (__any_sync(whole_warp, row >= 0) == 0) break;
      Id ends[loads];
      for (int u = 0; u < loads; ++u) {
        const edge_offset arc = from + u * of_row + mine;
        ends[u] = row >= 0 && arc < to ? column(of_.against, arc) : nobody;
      }
      lane_word word = 0;
      for (int u = 0; u < loads; ++u)
        if (ends[u] != nobody) word |= bits[ends[u]];
      for (int by = of_row / 2; by > 0; by /= 2) word |= __shfl_xor_sync(whole_warp, word, by);
      got |= word;
      from += of_row * loads;
      if (row >= 0 && (from >= to || (need & ~got) == 0)) {
        if (mine == 0) mine_.found[threadIdx.x / 32][row] = got;
        row = -1;
      }
    }
    __syncwarp();
  }

  /// What is left of long rows, in parts, a warp each. `met` has the frontier by now.
  __device__ void pull_rests(unsigned long long listed) {
    const row_part<Id>* const list = parts(1);
    const lane_word* const bits = front();
    for (std::int64_t i = dataflow::cuda::warp_of_grid(); i < static_cast<std::int64_t>(listed);
         i += all_warps()) {
      const row_part<Id> part = list[i];
      lane_word missing = 0;
      if (lane_id() == 0)
        missing =
            mine_.state.pulled & ~(__ldcg(of_.met + part.vertex) | __ldcg(next() + part.vertex));
      missing = __shfl_sync(whole_warp, missing, 0);
      lane_word found = 0;
      for (unsigned base = 0; base < part.arcs && (missing & ~found) != 0; base += 32 * at_once) {
        Id to[at_once];
        for (unsigned u = 0; u < at_once; ++u) {
          const unsigned arc = base + u * 32 + lane_id();
          to[u] = arc < part.arcs ? column(of_.against, part.begin + arc) : nobody;
        }
        lane_word word = 0;
        for (unsigned u = 0; u < at_once; ++u)
          if (to[u] != nobody) word |= bits[to[u]];
        for (int by = 16; by > 0; by /= 2) word |= __shfl_xor_sync(whole_warp, word, by);
        found |= word;
      }
      found &= missing;
      lane_word won = 0;
      if (lane_id() == 0 && found != 0) won = found & ~atomicOr(next() + part.vertex, found);
      count(won);
    }
  }

  // --- sums --------------------------------------------------------------------------------------

  /// Whole warps: searches that are the first to meet a vertex.
  __device__ void count(lane_word won) {
    if (__any_sync(whole_warp, won != 0) == 0) return;
    low_ += __popc(transposed(static_cast<std::uint32_t>(won)));
    high_ += __popc(transposed(static_cast<std::uint32_t>(won >> 32)));
  }

  /// With all blocks; the block's memory has what they added. False: a wait ran out, or the run is
  /// over.
  __device__ bool meet() {
    search_sums* const added = sums();
    search_sums* const later = sums(1);  // all have read what it has
    if (low_ != 0) atomicAdd(mine_.counts + lane_id(), low_);
    if (high_ != 0) atomicAdd(mine_.counts + 32 + lane_id(), high_);
    if (__any_sync(whole_warp, new_vertices_ != 0)) {
      dataflow::cuda::add_of_warp(&mine_.new_vertices,
                                  static_cast<unsigned long long>(new_vertices_));
      dataflow::cuda::add_of_warp(&mine_.new_arcs, new_arcs_);
    }
    low_ = high_ = 0;
    new_vertices_ = 0;
    new_arcs_ = 0;
    __syncthreads();
    if (threadIdx.x < lanes_at_most) {
      const unsigned count = mine_.counts[threadIdx.x];
      if (count != 0) atomicAdd(added->met + threadIdx.x, static_cast<unsigned long long>(count));
      mine_.counts[threadIdx.x] = 0;
      if (blockIdx.x == 0) later->met[threadIdx.x] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) come(added, later);
    __syncthreads();
    if (threadIdx.x < lanes_at_most) mine_.met[threadIdx.x] += __ldcg(added->met + threadIdx.x);
    if (threadIdx.x == 0) {
      mine_.listed = __ldcg(&added->listed);
      mine_.vertices += __ldcg(&added->vertices);
      mine_.arcs += __ldcg(&added->arcs);
      mine_.pause |= __ldcg(&added->pause);
    }
    __syncthreads();
    return mine_.alive != 0;
  }
  /// One thread a block.
  __device__ void come(search_sums* added, search_sums* later) {
    if (mine_.new_vertices != 0) {
      atomicAdd(&added->vertices, mine_.new_vertices);
      atomicAdd(&added->arcs, mine_.new_arcs);
      mine_.new_vertices = mine_.new_arcs = 0;
    }
    if (blockIdx.x == 0) {
      later->listed = later->vertices = later->arcs = 0;
      later->pause = 0;
      if (device_detail::global_timer() - mine_.begun > of_.pause) atomicOr(&added->pause, 1U);
    }
    const std::uint32_t meeting = ++mine_.state.meetings;
    mine_.alive = 1;
    if (dataflow::cuda::arrive(of_.arrived, meeting))
      dataflow::cuda::hold(of_.arrived, meeting);
    else if (!dataflow::cuda::await_meeting(of_.arrived, meeting, of_.guard))
      mine_.alive = 0;
  }

  const search_view<Id>& of_;
  block_memory<Sizes>& mine_;
  unsigned low_ = 0, high_ = 0;  ///< found by searches lane_id() and 32 + lane_id()
  unsigned new_vertices_ = 0;
  unsigned long long new_arcs_ = 0;
};

}  // namespace gossamer::distances_detail::cuda
