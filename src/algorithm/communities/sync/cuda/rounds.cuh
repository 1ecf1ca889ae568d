// Rounds of moves as one block does them, among others of a kernel that are all resident.
//
// A round lists who is awake by group and by the length of rows. One group after the other looks:
// what a row weighs to each community is added up in a hash table. A thread looks at a row of a few
// arcs, a warp at one of hundreds, a block at one of thousands, each with a table in the block's
// memory. Longer rows are looked at in pieces: blocks add each piece up by themselves, and then to
// a table in the GPU's memory, which lies at the row's place. When all have met, pieces of that
// table are looked through. Whoever is last with a row takes the best of its pieces.
//
// All of a group look before any of it moves. Who moves wakes neighbours while it looks, since
// communities do not change meanwhile. A vertex that wakes notes the group that woke it, and comes
// into the next round if it was not listed, or was in that group or an earlier one: so looking need
// not clear it first.
#pragma once

#include "algorithm/communities/sync/cuda/rules.cuh"
#include "gossamer/dataflow/worklist/cuda/meeting.cuh"

namespace gossamer::communities_detail::cuda {

/// A block's.
template <class Sizes, class Id, class Sum>
struct block_memory {
  static constexpr unsigned places = table_places<Sizes, Id, Sum>();
  Sum sums[places];
  Id keys[places];
  choice<Id, Sum> best[Sizes::threads / 32];
  unsigned long long all[lists];    ///< of whom lists are, in all blocks
  unsigned long long begin[lists];  ///< where they begin
  unsigned long long at[lists];     ///< from where on this block writes
  meeting_sums found;
  unsigned long long moved;
  unsigned own[lists];  ///< of whom are the block's; then how many it has written
  unsigned alive, last, moves;
};

template <class Sizes, class Id, class Sum, template <class, class> class Rule>
class rounds {
 public:
  using memory = block_memory<Sizes, Id, Sum>;
  using rule = Rule<Id, Sum>;

  __device__ rounds(const move_view<Id, Sum>& given, memory& mine)
      : given_(given), of_(given.level), mine_(mine) {}

  /// Moves until a round is not worth another, or ends after the pause.
  __device__ void move() {
    begin();
    bool alive = true, done = false;
    while (alive && !done) {
      alive = draw([&](std::int64_t v) { return is_awake(v); }) && each_group() && meet(true);
      if (!alive) break;
      ++round_;
      moved_ = static_cast<std::int64_t>(mine_.found.moved);
      done = !is_worth_another(moved_, of_.vertices) || round_ == most_rounds;
      if (mine_.found.pause != 0) break;
    }
    if (alive) tell(done);
  }
  /// Parts of communities: single vertices, and who goes to another.
  __device__ void refine() {
    begin();
    if (draw([&](std::int64_t v) { return begin_part(v); }) && weigh_outward() && meet() &&
        each_group())
      tell(true);
  }

 private:
  static constexpr std::int64_t threads = Sizes::threads;
  static constexpr std::int64_t piece = arcs_of_block<Sizes, Id, Sum>();
  using looker = typename rule::looker;
  using choice_type = choice<Id, Sum>;

  __device__ void begin() {
    begun_ = device_detail::global_timer();
    draws_ = given_.draws;
    round_ = given_.rounds;
    if (threadIdx.x == 0) mine_.moved = 0;
  }
  __device__ void tell(bool done) const {
    if (blockIdx.x == 0 && threadIdx.x == 0) *given_.state = {draws_, moved_, round_, done};
  }

  // Threads of the grid.
  __device__ static std::int64_t thread() { return blockIdx.x * threads + threadIdx.x; }
  __device__ static std::int64_t all_threads() { return gridDim.x * threads; }
  __device__ static std::int64_t all_warps() { return gridDim.x * (threads / 32); }

  [[nodiscard]] __device__ std::int64_t arcs_of(std::int64_t v) const {
    return of_.offsets[v + 1] - of_.offsets[v];
  }
  [[nodiscard]] __device__ static unsigned kind_of(std::int64_t arcs) {
    if (arcs <= Sizes::arcs_of_thread) return of_thread;
    if (arcs <= arcs_of_warp<Sizes, Id, Sum>()) return of_warp;
    return arcs <= piece ? of_block : in_pieces;
  }
  [[nodiscard]] __device__ static std::int64_t pieces_of(std::int64_t arcs) {
    return (arcs + piece - 1) / piece;
  }
  /// f(u, weight) for arcs of v, every `step`-th from `from` to `end`, but loops and those that
  /// weigh nothing.
  template <class F>
  __device__ void each_arc(Id v, edge_offset from, edge_offset end, unsigned step,
                           const F& f) const {
    for (edge_offset arc = from; arc < end; arc += step) {
      const Id u = of_.columns[arc];
      const Sum weight = of_.weights == nullptr ? Sum{1} : of_.weights[arc];
      if (u != v && weight > 0) f(u, weight);
    }
  }
  __device__ void piece_of(const row_piece<Id>& p, edge_offset& from, edge_offset& end) const {
    const edge_offset last = of_.offsets[p.v + 1];
    from = of_.offsets[p.v] + static_cast<std::int64_t>(p.number) * piece;
    end = from + piece < last ? from + piece : last;
  }

  // --- lists -------------------------------------------------------------------------------------

  [[nodiscard]] __device__ unsigned group_of(std::int64_t v) const {
    return group_in(counter_random::of(of_.seed, static_cast<std::uint64_t>(draws_)),
                    static_cast<std::uint64_t>(v));
  }
  [[nodiscard]] __device__ bool is_awake(std::int64_t v) const {
    if (arcs_of(v) == 0 && of_.strengths[v] == 0) return false;  // it gains nothing anywhere
    if (round_ == 0) return true;
    const unsigned word = __ldcg(of_.awake + v), woken = word & 0x7fU;
    if (woken == 0 || (word & 0x80U) == 0) return woken != 0;
    return woken > group_in(counter_random::of(of_.seed, static_cast<std::uint64_t>(draws_) - 1),
                            static_cast<std::uint64_t>(v));
  }
  __device__ bool begin_part(std::int64_t v) const {
    of_.part[v] = static_cast<Id>(v);
    of_.part_total[v] = of_.strengths[v];
    of_.part_size[v] = 1;
    of_.outward[v] = 0;
    return of_.size[of_.community[v]] > 1;
  }

  /// Lists all v that is(v) is true of. False: a wait ran out, or the run is over.
  template <class Is>
  __device__ bool draw(const Is& is) {
    ++draws_;
    unsigned long long* const counts = given_.place->counts[draws_ & 1];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < lists; i += threads) {
      mine_.own[i] = 0;
      if (blockIdx.x == 0) given_.place->counts[(draws_ + 1) & 1][i] = 0;
    }
    __syncthreads();
    for (std::int64_t v = thread(); v < of_.vertices; v += all_threads()) {
      const bool listed = is(v);
      of_.awake[v] = listed ? 0x80 : 0;
      if (!listed) continue;
      const std::int64_t arcs = arcs_of(v);
      const unsigned kind = kind_of(arcs);
      atomicAdd(mine_.own + list_of(kind, group_of(v)),
                kind == in_pieces ? static_cast<unsigned>(pieces_of(arcs)) : 1U);
    }
    __syncthreads();
    for (unsigned i = t; i < lists; i += threads)
      mine_.at[i] = mine_.own[i] == 0
                        ? 0
                        : atomicAdd(counts + i, static_cast<unsigned long long>(mine_.own[i]));
    if (!meet()) return false;
    for (unsigned i = t; i < lists; i += threads) mine_.all[i] = __ldcg(counts + i);
    __syncthreads();
    for (unsigned i = t; i < lists; i += threads) {
      unsigned long long before = 0;  // pieces have a list of their own
      for (unsigned j = i < list_of(in_pieces, 0) ? 0 : list_of(in_pieces, 0); j < i; ++j)
        before += mine_.all[j];
      mine_.begin[i] = before;
      mine_.at[i] += before;
      mine_.own[i] = 0;
    }
    __syncthreads();
    for (std::int64_t v = thread(); v < of_.vertices; v += all_threads()) {
      if (of_.awake[v] == 0) continue;
      const std::int64_t arcs = arcs_of(v);
      const unsigned kind = kind_of(arcs);
      const unsigned to_list = list_of(kind, group_of(v));
      const std::int64_t count = kind == in_pieces ? pieces_of(arcs) : 1;
      // Counted in 32 bits: many threads add to one, as add_near() says.
      const unsigned long long at =
          mine_.at[to_list] + atomicAdd(mine_.own + to_list, static_cast<unsigned>(count));
      if (kind != in_pieces) {
        of_.listed[at] = static_cast<Id>(v);
        continue;
      }
      row_piece<Id>* const to = of_.pieces + at;
      for (std::int64_t k = 0; k < count; ++k) to[k] = {static_cast<Id>(v), static_cast<Id>(k)};
    }
    return meet();
  }
  __device__ static constexpr unsigned list_of(unsigned kind, unsigned group) {
    return kind * static_cast<unsigned>(groups) + group;
  }

  struct list_type {
    const Id* vertices;
    const row_piece<Id>* pieces;
    std::int64_t count;
    [[nodiscard]] __device__ Id vertex(std::int64_t i) const { return __ldcg(vertices + i); }
    [[nodiscard]] __device__ row_piece<Id> piece(std::int64_t i) const {
      return {__ldcg(&pieces[i].v), __ldcg(&pieces[i].number)};
    }
  };
  [[nodiscard]] __device__ list_type list(unsigned kind, unsigned group) const {
    const unsigned i = list_of(kind, group);
    return {of_.listed + mine_.begin[i], of_.pieces + mine_.begin[i],
            static_cast<std::int64_t>(mine_.all[i])};
  }

  // --- groups ------------------------------------------------------------------------------------

  __device__ bool each_group() {
    for (unsigned g = 0; g < static_cast<unsigned>(groups); ++g) {
      const rule by(of_, draws_, g);
      const list_type in_parts = list(in_pieces, g);
      bool any = in_parts.count > 0;
      for (unsigned kind = 0; kind < in_pieces; ++kind) any = any || list(kind, g).count > 0;
      if (!any) continue;
      for (std::int64_t i = blockIdx.x; i < in_parts.count; i += gridDim.x)
        add_piece_up(by, in_parts.piece(i));
      look_by_blocks(by, list(of_block, g));
      look_by_warps(by, list(of_warp, g));
      look_by_threads(by, list(of_thread, g));
      if (!meet()) return false;
      if (in_parts.count > 0 && !look_at_pieces(by, in_parts)) return false;
      for (unsigned kind = 0; kind < in_pieces; ++kind) {
        const list_type of = list(kind, g);
        go(by, of.count, [&](std::int64_t i, Id& v) {
          v = of.vertex(i);
          return true;
        });
      }
      go(by, in_parts.count, [&](std::int64_t i, Id& v) {
        const row_piece<Id> p = in_parts.piece(i);
        v = p.v;
        return p.number == 0;
      });
      if (!meet()) return false;
    }
    return true;
  }
  /// Those of a list who move do so. of(i, v): whether the i-th is a vertex, v.
  template <class F>
  __device__ void go(const rule& by, std::int64_t count, const F& of) {
    unsigned moved = 0;
    for (std::int64_t from = thread() - lane_id(); from < count; from += all_threads()) {
      const std::int64_t i = from + lane_id();
      Id v = 0;
      const bool there = i < count && of(i, v);
      moved += __popc(__ballot_sync(whole_warp, by.go(v, there)));
    }
    if (lane_id() == 0 && moved > 0)
      atomicAdd(&mine_.moved, static_cast<unsigned long long>(moved));
  }

  // --- tables ------------------------------------------------------------------------------------

  /// As many bits as places that `arcs` fill half of at most.
  [[nodiscard]] __device__ static unsigned bits_for(std::int64_t arcs) {
    const int most = static_cast<int>(2 * arcs - 1);
    const unsigned bits = 32 - static_cast<unsigned>(__clz(most));
    return bits < 5 ? 5 : bits;
  }
  [[nodiscard]] __device__ static std::uint32_t mixed(Id key) {
    auto word = static_cast<std::uint32_t>(key);
    if constexpr (sizeof(Id) == 8) word ^= static_cast<std::uint32_t>(key >> 32);
    return word * 2654435769U;
  }
  __device__ static void clear(Id* keys, Sum* sums, unsigned bits, unsigned first, unsigned step) {
    for (unsigned i = first; i < 1U << bits; i += step) {
      keys[i] = nobody<Id>;
      sums[i] = 0;
    }
  }
  __device__ static void put(Id* keys, Sum* sums, unsigned bits, Id key, Sum weight) {
    for (unsigned at = mixed(key) >> (32 - bits);; at = (at + 1) & ((1U << bits) - 1)) {
      Id there = *static_cast<volatile Id*>(keys + at);
      if (there == nobody<Id>) there = replace(keys + at, nobody<Id>, key);
      if (there != nobody<Id> && there != key) continue;
      add_near(sums + at, weight);
      return;
    }
  }
  /// To the table of a row of `arcs`.
  __device__ static void put_far(Id* keys, Sum* sums, std::int64_t arcs, Id key, Sum weight) {
    const std::int64_t places = 2 * arcs;
    auto at = static_cast<std::int64_t>(static_cast<unsigned long long>(mixed(key)) *
                                            static_cast<unsigned long long>(places) >>
                                        32);
    while (true) {
      Id there = __ldcg(keys + at);
      if (there == nobody<Id>) there = replace(keys + at, nobody<Id>, key);
      if (there == nobody<Id> || there == key) break;
      if (++at == places) at = 0;
    }
    add(sums + at, weight);
  }

  /// Weights of these arcs, in the block's table; how many bits it has.
  __device__ unsigned add_up(const rule& by, const looker& x, edge_offset from, edge_offset end) {
    const unsigned bits = bits_for(end - from);
    clear(mine_.keys, mine_.sums, bits, threadIdx.x, threads);
    __syncthreads();
    each_arc(x.v, from + threadIdx.x, end, threads, [&](Id u, Sum weight) {
      const Id key = by.key(x, u);
      if (key != nobody<Id>) put(mine_.keys, mine_.sums, bits, key, weight);
    });
    __syncthreads();
    return bits;
  }
  __device__ static void look_through(const rule& by, const looker& x, const Id* keys,
                                      const Sum* sums, unsigned bits, unsigned first, unsigned step,
                                      choice_type& best) {
    for (unsigned i = first; i < 1U << bits; i += step)
      if (keys[i] != nobody<Id>) by.consider(x, keys[i], sums[i], best);
  }
  /// Thread 0 gets the best of all threads.
  __device__ choice_type best_of_block(choice_type best) {
    best = best_of_warp(best);
    if (lane_id() == 0) mine_.best[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x < 32) {
      best = threadIdx.x < threads / 32 ? mine_.best[threadIdx.x] : no_choice<Id, Sum>();
      best = best_of_warp(best);
    }
    return best;
  }

  // --- looking -----------------------------------------------------------------------------------

  __device__ void look_by_threads(const rule& by, const list_type& of) {
    for (std::int64_t i = thread(); i < of.count; i += all_threads()) {
      const looker x = by.looker_of(of.vertex(i));
      if (!by.looks(x)) {
        by.stay(x);
        continue;
      }
      constexpr unsigned most = Sizes::arcs_of_thread;
      const edge_offset begin = of_.offsets[x.v];
      const auto arcs = static_cast<unsigned>(of_.offsets[x.v + 1] - begin);
      Id key[most];
      Sum weight[most];
#pragma unroll
      for (unsigned k = 0; k < most; ++k) {
        key[k] = nobody<Id>;
        weight[k] = 0;
        if (k < arcs)
          each_arc(x.v, begin + k, begin + k + 1, 1, [&](Id u, Sum w) {
            key[k] = by.key(x, u);
            weight[k] = w;
          });
      }
      choice_type best = no_choice<Id, Sum>();
#pragma unroll
      for (unsigned k = 0; k < most; ++k) {
        if (key[k] == nobody<Id>) continue;
        bool first = true;
        Sum sum = weight[k];
#pragma unroll
        for (unsigned j = 0; j < most; ++j) {
          if (j == k || key[j] != key[k]) continue;
          if (j < k) first = false;
          sum += weight[j];
        }
        if (first) by.consider(x, key[k], sum, best);
      }
      if (by.decide(x, best)) wake_outside(by, x.v, begin, begin + arcs, 1);
    }
  }

  __device__ void look_by_warps(const rule& by, const list_type& of) {
    constexpr unsigned part = memory::places / (Sizes::threads / 32);
    Id* const keys = mine_.keys + threadIdx.x / 32 * part;
    Sum* const sums = mine_.sums + threadIdx.x / 32 * part;
    for (std::int64_t i = dataflow::cuda::warp_of_grid(); i < of.count; i += all_warps()) {
      const looker x = by.looker_of(of.vertex(i));
      if (!by.looks(x)) {
        if (lane_id() == 0) by.stay(x);
        continue;
      }
      const edge_offset begin = of_.offsets[x.v], end = of_.offsets[x.v + 1];
      const unsigned bits = bits_for(end - begin);
      clear(keys, sums, bits, lane_id(), 32);
      __syncwarp();
      each_arc(x.v, begin + lane_id(), end, 32, [&](Id u, Sum weight) {
        const Id key = by.key(x, u);
        if (key != nobody<Id>) put(keys, sums, bits, key, weight);
      });
      __syncwarp();
      choice_type best = no_choice<Id, Sum>();
      look_through(by, x, keys, sums, bits, lane_id(), 32, best);
      best = best_of_warp(best);
      int moves = 0;
      if (lane_id() == 0) moves = by.decide(x, best) ? 1 : 0;
      __syncwarp();
      if (__shfl_sync(whole_warp, moves, 0) != 0) wake_outside(by, x.v, begin + lane_id(), end, 32);
      __syncwarp();  // the table is cleared again
    }
  }

  __device__ void look_by_blocks(const rule& by, const list_type& of) {
    for (std::int64_t i = blockIdx.x; i < of.count; i += gridDim.x) {
      const looker x = by.looker_of(of.vertex(i));
      if (!by.looks(x)) {
        if (threadIdx.x == 0) by.stay(x);
        continue;
      }
      const edge_offset begin = of_.offsets[x.v], end = of_.offsets[x.v + 1];
      const unsigned bits = add_up(by, x, begin, end);
      choice_type best = no_choice<Id, Sum>();
      look_through(by, x, mine_.keys, mine_.sums, bits, threadIdx.x, threads, best);
      best = best_of_block(best);
      if (threadIdx.x == 0) mine_.moves = by.decide(x, best) ? 1 : 0;
      __syncthreads();
      if (mine_.moves != 0) wake_outside(by, x.v, begin + threadIdx.x, end, threads);
    }
    __syncthreads();  // warps have parts of the table
  }

  __device__ void add_piece_up(const rule& by, const row_piece<Id>& p) {
    const looker x = by.looker_of(p.v);
    if (!by.looks(x)) return;
    edge_offset from, end;
    piece_of(p, from, end);
    const unsigned bits = add_up(by, x, from, end);
    Id* const keys = of_.keys + 2 * of_.offsets[p.v];
    Sum* const sums = of_.sums + 2 * of_.offsets[p.v];
    const std::int64_t arcs = arcs_of(p.v);
    for (unsigned i = threadIdx.x; i < 1U << bits; i += threads)
      if (mine_.keys[i] != nobody<Id>) put_far(keys, sums, arcs, mine_.keys[i], mine_.sums[i]);
    __syncthreads();  // the table is cleared again
  }
  /// When all pieces are added up.
  __device__ bool look_at_pieces(const rule& by, const list_type& of) {
    for (std::int64_t i = blockIdx.x; i < of.count; i += gridDim.x) look_at_piece(by, of, i);
    if (!meet()) return false;
    if (mine_.found.long_rows == 0) return true;
    for (std::int64_t i = blockIdx.x; i < of.count; i += gridDim.x) {
      const row_piece<Id> p = of.piece(i);
      if (!by.moves(p.v)) continue;
      edge_offset from, end;
      piece_of(p, from, end);
      wake_outside(by, p.v, from + threadIdx.x, end, threads);
    }
    return meet();
  }
  __device__ void look_at_piece(const rule& by, const list_type& of, std::int64_t i) {
    const row_piece<Id> p = of.piece(i);
    const looker x = by.looker_of(p.v);
    if (!by.looks(x)) {
      if (threadIdx.x == 0 && p.number == 0) by.stay(x);
      return;
    }
    edge_offset from, end;
    piece_of(p, from, end);
    choice_type best = no_choice<Id, Sum>();
    for (std::int64_t at = 2 * from + threadIdx.x; at < 2 * end; at += threads) {
      const Id key = __ldcg(of_.keys + at);
      if (key == nobody<Id>) continue;
      by.consider(x, key, __ldcg(of_.sums + at), best);
      of_.keys[at] = nobody<Id>;
      of_.sums[at] = 0;
    }
    best = best_of_block(best);
    const std::int64_t first = of.pieces - of_.pieces + i - static_cast<std::int64_t>(p.number);
    const auto count = static_cast<unsigned>(pieces_of(arcs_of(p.v)));
    if (threadIdx.x == 0) {
      of_.choices[first + static_cast<std::int64_t>(p.number)] = best;
      __threadfence();
      mine_.last = atomicAdd(of_.looked + first, 1U) + 1 == count ? 1 : 0;
      __threadfence();
    }
    __syncthreads();
    if (mine_.last != 0 && threadIdx.x < 32) {
      best = no_choice<Id, Sum>();
      for (unsigned k = lane_id(); k < count; k += 32) {
        const choice_type* const from_piece = of_.choices + first + k;
        const choice_type of_piece{__ldcg(&from_piece->gain), __ldcg(&from_piece->to),
                                   __ldcg(&from_piece->bond), __ldcg(&from_piece->own)};
        take_better(best, of_piece);
      }
      best = best_of_warp(best);
      if (lane_id() == 0) {
        of_.looked[first] = 0;
        if (by.decide(x, best)) atomicOr(&sums()->long_rows, 1U);
      }
    }
    __syncthreads();  // `last` and `best` are written again
  }

  __device__ void wake_outside(const rule& by, Id v, edge_offset from, edge_offset end,
                               unsigned step) const {
    if constexpr (rule::wakes) {
      const Id target = of_.target[v];
      each_arc(v, from, end, step, [&](Id u, Sum) { by.wake_outside(u, target); });
    }
  }

  // --- parts -------------------------------------------------------------------------------------

  /// What listed vertices weigh to the rest of their communities.
  __device__ bool weigh_outward() {
    const auto weight = [&](Id v, edge_offset from, edge_offset end, unsigned step) {
      const Id own = of_.community[v];
      std::int64_t sum = 0;
      each_arc(v, from, end, step, [&](Id u, Sum w) {
        if (of_.community[u] == own) sum += w;
      });
      return sum;
    };
    const auto add_of_warp = [&](Id v, std::int64_t sum) {
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(whole_warp, sum, d);
      if (lane_id() == 0 && sum != 0) add(of_.outward + v, sum);
    };
    for (unsigned g = 0; g < static_cast<unsigned>(groups); ++g) {
      const list_type short_rows = list(of_thread, g), rows = list(of_warp, g),
                      long_rows = list(of_block, g), parts = list(in_pieces, g);
      for (std::int64_t i = thread(); i < short_rows.count; i += all_threads()) {
        const Id v = short_rows.vertex(i);
        of_.outward[v] = weight(v, of_.offsets[v], of_.offsets[v + 1], 1);
      }
      for (std::int64_t i = dataflow::cuda::warp_of_grid(); i < rows.count; i += all_warps()) {
        const Id v = rows.vertex(i);
        add_of_warp(v, weight(v, of_.offsets[v] + lane_id(), of_.offsets[v + 1], 32));
      }
      for (std::int64_t i = blockIdx.x; i < long_rows.count; i += gridDim.x) {
        const Id v = long_rows.vertex(i);
        add_of_warp(v, weight(v, of_.offsets[v] + threadIdx.x, of_.offsets[v + 1], threads));
      }
      for (std::int64_t i = blockIdx.x; i < parts.count; i += gridDim.x) {
        const row_piece<Id> p = parts.piece(i);
        edge_offset from, end;
        piece_of(p, from, end);
        add_of_warp(p.v, weight(p.v, from + threadIdx.x, end, threads));
      }
    }
    return true;
  }

  // --- meetings ----------------------------------------------------------------------------------

  [[nodiscard]] __device__ meeting_sums* sums() const {
    return given_.place->sums + meetings_ % 3;
  }
  /// With all blocks; `found` is what they added. False: a wait ran out, or the run is over.
  __device__ bool meet(bool ends_round = false) {
    meeting_sums* const added = sums();
    std::uint32_t* const arrived = given_.place->arrived;
    ++meetings_;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (ends_round) {
        if (mine_.moved > 0) atomicAdd(&added->moved, mine_.moved);
        mine_.moved = 0;
        if (blockIdx.x == 0 && device_detail::global_timer() - begun_ > given_.pause)
          atomicOr(&added->pause, 1U);
      }
      mine_.alive = 1;
      if (dataflow::cuda::arrive(arrived, meetings_)) {
        given_.place->sums[(meetings_ + 1) % 3] = {0, 0, 0};
        dataflow::cuda::hold(arrived, meetings_);
      } else if (!dataflow::cuda::await_meeting(arrived, meetings_, given_.guard)) {
        mine_.alive = 0;
      }
      mine_.found = {__ldcg(&added->moved), __ldcg(&added->pause), __ldcg(&added->long_rows)};
    }
    __syncthreads();
    return mine_.alive != 0;
  }

  const move_view<Id, Sum>& given_;
  const level_view<Id, Sum>& of_;
  memory& mine_;
  std::int64_t draws_ = 0, moved_ = 0;
  int round_ = 0;
  std::uint32_t meetings_ = 0;
  unsigned long long begun_ = 0;
};

}  // namespace gossamer::communities_detail::cuda
