// Searches as one block does them, among others of a kernel that are all resident.
//
// Blocks form groups, and a group has one source at a time, with numbers of its own. So a graph of
// long ways has many levels under way at once, and one of short ways few whose numbers stay in
// caches. Blocks of a group meet once a level, on the way out as on the way back.
//
// Out, a vertex of the level adds up what its neighbours of the level before hold, the numbers of
// their paths, and takes those that no level has. Back, it adds up the shares, (1 + dependency) /
// paths, of those of the next level. So every number has one writer and its terms one order: there
// are no atomic additions of numbers, and scores do not depend on who came first.
//
// Two bits tell levels apart: neighbours' levels differ by one at most. In a directed graph an arc
// may lead far back, to a level that looks like the next one. But whose turn has not come on the
// way back still holds its number of paths, which is kept below 0, and is not added.
//
// A thread follows a short row, a warp a longer one, a block the longest. Consecutive vertices of a
// level lie in different blocks.
#pragma once

#include <type_traits>

#include "algorithm/betweenness/sync/cuda/search_view.hpp"
#include "algorithm/betweenness/sync/scaled.hpp"
#include "algorithm/cuda/fetch_ahead.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"
#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::betweenness_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::lanes_below, dataflow::cuda::whole_warp;

/// A block's.
template <class Sizes, class Id>
struct block_memory {
  named_row<Id> rows[Sizes::threads];  ///< a warp's from the front, the block's from the end
  unsigned warp_rows, block_rows;
  double sums[32];  ///< of warps
  std::int32_t sum_powers[32];
  unsigned found, too_large, alive;
  unsigned long long met;
};

/// Numbers as doubles, which numbers of paths may pass.
struct plain_values {
  using number = double;
  /// Their products with what is 1 over such a number stay doubles.
  static constexpr double largest = 0x1p900;
  double* at;
  template <class Id>
  __device__ number held(Id v) const {
    return at[v];
  }
  /// Of what is held. Turned where it is used: until then nobody waits for it.
  __device__ static number paths(number held) { return -held; }
  /// What v adds, if it is one that does: its share, or its paths. The first vertex is read in
  /// place of others, for a branch would wait for each number by itself.
  template <class Id>
  __device__ number part(Id v, bool is, bool share) const {
    const double held = at[is ? v : 0];
    return is && (held > 0) == share ? (share ? held : -held) : 0;
  }
  template <class Id>
  __device__ void set(Id v, number n, bool paths) const {
    at[v] = paths ? -n : n;
  }
  __device__ static bool too_large(number n) { return !(n <= largest); }
  __device__ static double plain(number n) { return n; }
  __device__ static number from_lane(number n, int mask) {
    return __shfl_xor_sync(whole_warp, n, mask);
  }
};
/// Numbers that nothing passes.
struct scaled_values {
  using number = scaled;
  double* mantissa;
  std::int32_t* power;
  template <class Id>
  __device__ number held(Id v) const {
    return {mantissa[v], power[v]};
  }
  __device__ static number paths(const number& held) { return {-held.mantissa, held.power}; }
  template <class Id>
  __device__ number part(Id v, bool is, bool share) const {
    const double held = mantissa[is ? v : 0];
    const std::int32_t at = power[is ? v : 0];
    return is && (held > 0) == share ? number(share ? held : -held, at) : number(0, 0);
  }
  template <class Id>
  __device__ void set(Id v, const number& n, bool paths) const {
    mantissa[v] = paths ? -n.mantissa : n.mantissa;
    power[v] = n.power;
  }
  __device__ static bool too_large(const number&) { return false; }
  __device__ static double plain(const number& n) { return n.value(); }
  __device__ static number from_lane(const number& n, int mask) {
    return {__shfl_xor_sync(whole_warp, n.mantissa, mask),
            __shfl_xor_sync(whole_warp, n.power, mask)};
  }
};

template <class Sizes, class Id>
class search {
 public:
  __device__ search(const search_view<Id>& of, block_memory<Sizes, Id>& mine)
      : of_(of),
        mine_(mine),
        group_(blockIdx.x / of.blocks),
        block_(blockIdx.x % of.blocks),
        codes_(of.codes + group_ * code_words(of.vertices)),
        order_(of.order + group_ * of.vertices),
        state_(of.states[group_]) {}

  __device__ __forceinline__ void run() {
    begun_ = device_detail::global_timer();
    if (threadIdx.x == 0) mine_.found = mine_.too_large = mine_.warp_rows = mine_.block_rows = 0;
    __syncthreads();
    bool alive = true;
    while (alive && !paused_ && state_.stage != search_stage::over) alive = step();
    if (alive && is_first()) of_.states[group_] = state_;
  }

 private:
  static constexpr Id nobody = static_cast<Id>(-1);
  static constexpr unsigned threads = Sizes::threads, warps = threads / 32;
  /// Arcs that a thread looks at before it waits for memory.
  static constexpr unsigned at_once = 4;
  /// Meetings from one look at the clock to the next.
  static constexpr std::uint32_t look_at_clock = 16;

  /// What rows are followed for.
  enum class way : unsigned char {
    out,    ///< counts paths, and takes who is new: along the arcs of a symmetric graph
    count,  ///< the one, against arcs
    take,   ///< the other, along arcs
    back,
  };
  __device__ static constexpr bool counts(way w) { return w == way::out || w == way::count; }
  __device__ static constexpr bool takes(way w) { return w == way::out || w == way::take; }

  // Codes of vertices.
  static constexpr std::uint32_t unseen = 0, none = 4;
  __device__ static std::uint32_t code_of_level(std::int64_t level) {
    return static_cast<std::uint32_t>(level % 3) + 1;
  }
  using unsigned_id = std::make_unsigned_t<Id>;
  static constexpr unsigned_id a_word = codes_a_word;
  __device__ static unsigned shift_of(Id v) {
    return static_cast<unsigned>(static_cast<unsigned_id>(v) % a_word) * 2;
  }
  [[nodiscard]] __device__ std::uint32_t* word_of(Id v) const {
    return codes_ + static_cast<unsigned_id>(v) / a_word;
  }

  // Found when they are needed, which is cheaper than to hold them.
  template <class Values>
  [[nodiscard]] __device__ Values values() const {
    const std::int64_t first = group_ * of_.vertices;
    if constexpr (std::is_same_v<Values, plain_values>)
      return {of_.values + first};
    else
      return {of_.values + first, of_.powers + first};
  }
  [[nodiscard]] __device__ double* scores() const { return of_.scores + group_ * of_.scored; }
  [[nodiscard]] __device__ Id* level_begin() const {
    return of_.level_begin + group_ * (of_.vertices + 1);
  }
  [[nodiscard]] __device__ unsigned long long* words() const {
    return of_.words + group_ * group_words;
  }
  [[nodiscard]] __device__ unsigned long long* tail() const { return words() + tail_word; }
  /// Of the group's threads.
  [[nodiscard]] __device__ bool is_first() const { return block_ == 0 && threadIdx.x == 0; }

  /// Up to where the group may leave. False: a wait ran out, or the run is over.
  __device__ __forceinline__ bool step() {
    switch (state_.stage) {
      case search_stage::begin:
        return begin();
      case search_stage::forward:
        return state_.scaled != 0 ? forward<scaled_values>() : forward<plain_values>();
      case search_stage::back:
        return state_.scaled != 0 ? back<scaled_values>() : back<plain_values>();
      case search_stage::over:
        break;
    }
    return true;
  }

  [[nodiscard]] __device__ Id source() const {
    const std::int64_t i = (state_.search * of_.groups + group_) * of_.ranks + of_.rank;
    if (i >= of_.searches) return nobody;
    return of_.sources == nullptr ? static_cast<Id>(i) : of_.sources[i];
  }

  __device__ bool begin() {
    const Id from = source();
    if (from == nobody) {
      state_.stage = search_stage::over;
      return true;
    }
    const std::int64_t count = code_words(of_.vertices);
    for (std::int64_t w = std::int64_t{block_} * threads + threadIdx.x; w < count;
         w += std::int64_t{of_.blocks} * threads)
      codes_[w] = w == from / codes_a_word ? code_of_level(0) << shift_of(from) : 0;
    if (is_first()) {
      order_[0] = row_of<way::take>(from);
      level_begin()[0] = 0;
      *tail() = 1;
    }
    state_.stage = search_stage::forward;
    state_.too_large = 0;
    state_.level = state_.first = 0;
    state_.last = 1;
    arrive();
    return await();
  }

  template <class Values>
  __device__ bool forward() {
    unsigned long long found = 0;
    do {
      if (of_.symmetric) {
        follow_level<Values, way::out>();
      } else {
        follow_level<Values, way::count>();
        follow_level<Values, way::take>();
      }
      arrive();
      if (!await()) return false;
      found = met_ & found_part;
      if (met_ >= one_too_large) state_.too_large = 1;
      if (is_first()) level_begin()[state_.level + 1] = static_cast<Id>(state_.last);
      if (found == 0) break;
      ++state_.level;
      state_.first = state_.last;
      state_.last += static_cast<std::int64_t>(found);
    } while (!paused_);
    if (found > 0) return true;
    if (state_.too_large != 0) {
      state_.scaled = 1;
      ++state_.rescaled;
      state_.stage = search_stage::begin;
      return true;
    }
    if (of_.endpoints && is_first()) scores()[source()] += static_cast<double>(state_.last - 1);
    state_.stage = search_stage::back;
    return true;
  }

  /// From the last level up. What does not change meanwhile is read ahead, while blocks meet: of
  /// the level above, who counts; of that above it, its arcs; of the third, names and rows.
  template <class Values>
  __device__ bool back() {
    const std::int64_t top = of_.edges ? 0 : 1;  // the first edges are between, but no vertex is
    if (state_.level >= top) {
      std::int64_t above = begin_of(state_.level - 1);  // where the level above begins
      auto now = look<Values, way::back>(arcs_of<Values>(name(state_.first, state_.last, 0)));
      auto next = arcs_of<Values>(name(above, state_.first, 0));
      std::int64_t end = above;
      above = begin_of(state_.level - 2);
      auto later = name(above, end, 0);
      std::int64_t before = begin_of(state_.level - 3);
      do {
        follow<Values, way::back>(now);
        arrive();
        --state_.level;
        state_.last = state_.first;
        state_.first = end;
        end = above;
        above = before;
        before = begin_of(state_.level - 3);
        now = look<Values, way::back>(next);
        next = arcs_of<Values>(later);
        later = name(above, end, 0);
        if (!await()) return false;
      } while (state_.level >= top && !paused_);
      if (state_.level >= top) return true;
    }
    state_.stage = search_stage::begin;
    state_.scaled = 0;
    ++state_.search;
    return true;
  }
  [[nodiscard]] __device__ std::int64_t begin_of(std::int64_t level) const {
    return level > 0 ? static_cast<std::int64_t>(level_begin()[level]) : 0;
  }

  /// A thread's row of a level's, with its first arcs.
  template <class Values>
  struct seen_row {
    named_row<Id> row;
    Id to[at_once];
    unsigned codes;  ///< of these, four bits each
    double score;
    typename Values::number own;  ///< what the vertex holds
  };

  /// The thread's of the vertices at places [first, last), from the `skip`-th on.
  __device__ named_row<Id> name(std::int64_t first, std::int64_t last, std::int64_t skip) const {
    const std::int64_t i = first + skip + std::int64_t{threadIdx.x} * of_.blocks + block_;
    return i < last ? order_[i] : named_row<Id>{0, nobody, 0};
  }
  template <way W>
  __device__ named_row<Id> row_of(Id v) const {
    if (v == nobody) return {0, nobody, 0};
    const edge_offset* const at = rows<W>().offsets + v;
    const edge_offset begin = __ldg(at);
    return {begin, v, static_cast<Id>(__ldg(at + 1) - begin)};
  }
  template <way W>
  [[nodiscard]] __device__ const device_rows<Id>& rows() const {
    return of_.rows[W == way::count ? 1 : 0];
  }
  /// Its first arcs, if it is short.
  template <class Values, way W = way::back>
  __device__ seen_row<Values> arcs_of(const named_row<Id>& row) const {
    seen_row<Values> seen{};
    seen.row = row;
    read<W>(seen.to, row.begin, is_short(row) ? row.begin + row.degree : row.begin, 1);
    return seen;
  }
  /// And what is at their ends.
  template <class Values, way W>
  __device__ seen_row<Values> look(seen_row<Values> seen) const {
    seen.codes = codes_at(seen.to);
    if constexpr (W == way::back)
      if (seen.row.vertex != nobody && is_short(seen.row)) {
        seen.own = values<Values>().held(seen.row.vertex);
        if (!of_.edges) seen.score = scores()[seen.row.vertex];
      }
    return seen;
  }
  __device__ static bool is_short(const named_row<Id>& row) {
    return row.degree <= static_cast<Id>(Sizes::short_row);
  }
  /// Where some arcs lead, `apart` from each other.
  template <way W>
  __device__ void read(Id (&to)[at_once], edge_offset k, edge_offset end, unsigned apart) const {
    const Id* const columns = rows<W>().columns;
    for (unsigned u = 0; u < at_once; ++u)
      to[u] = k + u * apart < end ? __ldg(columns + k + u * apart) : nobody;
  }
  /// What is there.
  __device__ unsigned codes_at(const Id (&to)[at_once]) const {
    std::uint32_t word[at_once];
    unsigned codes = 0;
    for (unsigned u = 0; u < at_once; ++u) word[u] = to[u] == nobody ? 0 : *word_of(to[u]);
    for (unsigned u = 0; u < at_once; ++u)
      codes |= (to[u] == nobody ? none : word[u] >> shift_of(to[u]) & 3U) << 4 * u;
    return codes;
  }

  /// The thread's row, at places of the level from the `skip`-th on.
  template <class Values, way W>
  __device__ seen_row<Values> look_from(std::int64_t skip) const {
    named_row<Id> row = name(state_.first, state_.last, skip);
    if constexpr (W == way::count) row = row_of<W>(row.vertex);
    return look<Values, W>(arcs_of<Values, W>(row));
  }
  template <class Values, way W>
  __device__ void follow_level() {
    follow<Values, W>(look_from<Values, W>(0));
  }
  /// All rows of the level; `seen` is the thread's first one.
  template <class Values, way W>
  __device__ void follow(seen_row<Values> seen) {
    const std::int64_t each = std::int64_t{of_.blocks} * threads,
                       count = state_.last - state_.first;
    for (std::int64_t skip = 0; skip < count; skip += each) {
      if (skip > 0) seen = look_from<Values, W>(skip);
      const named_row<Id>& row = seen.row;
      const bool shorter = is_short(row);
      if (!shorter) list(row);
      auto sum = arcs<Values, W>(seen.to, seen.codes, row.begin, 1, seen.own);
      const edge_offset end = row.begin + (shorter ? row.degree : 0);
      for (unsigned from = at_once; __any_sync(whole_warp, row.begin + from < end); from += at_once)
        sum = sum + arcs_at<Values, W>(row.begin + from, end, 1, seen.own);
      if (shorter && row.vertex != nobody) finish<Values, W>(row.vertex, seen.own, seen.score, sum);
      if (__syncthreads_or(shorter ? 0 : 1) != 0) follow_listed<Values, W>();
    }
  }
  __device__ void list(const named_row<Id>& row) {
    const bool of_warp = row.degree <= static_cast<Id>(Sizes::warp_row);
    const unsigned at =
        of_warp ? atomicAdd(&mine_.warp_rows, 1U) : threads - 1 - atomicAdd(&mine_.block_rows, 1U);
    mine_.rows[at] = row;
  }
  template <class Values, way W>
  __device__ void follow_listed() {
    using number = typename Values::number;
    const unsigned of_warps = mine_.warp_rows, of_block = mine_.block_rows, warp = threadIdx.x / 32;
    for (unsigned i = warp; i < of_warps; i += warps) {
      const named_row<Id> row = mine_.rows[i];
      const number own = own_of<Values, W>(row.vertex);
      const number sum = warp_sum<Values>(lane_sum<Values, W>(row, lane_id(), 32, own));
      if (lane_id() == 0) finish_long<Values, W>(row.vertex, own, sum);
    }
    for (unsigned i = 0; i < of_block; ++i) {
      const named_row<Id> row = mine_.rows[threads - 1 - i];
      const number own = own_of<Values, W>(row.vertex);
      number sum = warp_sum<Values>(lane_sum<Values, W>(row, threadIdx.x, threads, own));
      if (lane_id() == 0) put_sum(warp, sum);
      __syncthreads();
      if (warp == 0) {
        sum = warp_sum<Values>(lane_id() < warps ? sum_at<number>(lane_id()) : number{});
        if (lane_id() == 0) finish_long<Values, W>(row.vertex, own, sum);
      }
      __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0) mine_.warp_rows = mine_.block_rows = 0;
    __syncthreads();
  }
  template <class Values, way W>
  __device__ typename Values::number own_of(Id v) const {
    if constexpr (W == way::back) return values<Values>().held(v);
    return {};
  }
  /// Of `together` threads this one, `me`; whole warps take the same steps.
  template <class Values, way W>
  __device__ typename Values::number lane_sum(const named_row<Id>& row, unsigned me,
                                              unsigned together,
                                              const typename Values::number& own) {
    typename Values::number sum{};
    const edge_offset end = row.begin + row.degree;
    for (edge_offset k = row.begin; k < end; k += together * at_once)
      sum = sum + arcs_at<Values, W>(k + me, end, together, own);
    return sum;
  }
  template <class Values>
  __device__ static typename Values::number warp_sum(typename Values::number sum) {
    for (int d = 16; d > 0; d /= 2) sum = sum + Values::from_lane(sum, d);
    return sum;
  }
  __device__ void put_sum(unsigned at, double sum) { mine_.sums[at] = sum; }
  __device__ void put_sum(unsigned at, const scaled& sum) {
    mine_.sums[at] = sum.mantissa;
    mine_.sum_powers[at] = sum.power;
  }
  template <class Number>
  __device__ Number sum_at(unsigned at) const {
    if constexpr (std::is_same_v<Number, double>)
      return mine_.sums[at];
    else
      return {mine_.sums[at], mine_.sum_powers[at]};
  }

  template <class Values, way W>
  __device__ typename Values::number arcs_at(edge_offset k, edge_offset end, unsigned apart,
                                             const typename Values::number& own) {
    Id to[at_once];
    read<W>(to, k, end, apart);
    return arcs<Values, W>(to, codes_at(to), k, apart, own);
  }
  /// What arcs from k on, `apart`, add to their vertex. By whole warps.
  template <class Values, way W>
  __device__ typename Values::number arcs(const Id (&to)[at_once], unsigned codes, edge_offset k,
                                          unsigned apart, const typename Values::number& own) {
    using number = typename Values::number;
    number sum{};
    if constexpr (counts(W) || W == way::back) {
      const unsigned wanted = code_of_level(state_.level + (W == way::back ? 1 : 2));
      const Values held = values<Values>();
      number part[at_once];
      for (unsigned u = 0; u < at_once; ++u)
        part[u] = held.part(to[u], (codes >> 4 * u & 15U) == wanted, W == way::back);
      for (unsigned u = 0; u < at_once; ++u) sum = sum + part[u];
      if (W == way::back && of_.edges)
        for (unsigned u = 0; u < at_once; ++u)
          if ((codes >> 4 * u & 15U) == wanted)
            scores()[k + u * apart] += Values::plain(Values::paths(own) * part[u]);
    }
    if constexpr (takes(W)) take(to, codes, apart > 1);
    return sum;
  }

  /// Those that no level has join the next one.
  __device__ void take(const Id (&to)[at_once], unsigned codes, bool many) {
    bool is_new[at_once];
    for (unsigned u = 0; u < at_once; ++u) is_new[u] = (codes >> 4 * u & 15U) == unseen;
    // Of many arcs to a hub most find it taken, which a near cache does not know yet.
    std::uint32_t before[at_once];
    if (many) {
      for (unsigned u = 0; u < at_once; ++u) before[u] = is_new[u] ? __ldcg(word_of(to[u])) : 0;
      for (unsigned u = 0; u < at_once; ++u)
        is_new[u] = is_new[u] && (before[u] >> shift_of(to[u]) & 3U) == unseen;
    }
    // Rows of the new ones are found while they are taken and get their places: the next level need
    // not wait for that. Of others the first row is read, without branches that would wait.
    edge_offset begin[at_once], end[at_once];
    for (unsigned u = 0; u < at_once; ++u) {
      const edge_offset* const at = rows<way::take>().offsets + (is_new[u] ? to[u] : 0);
      begin[u] = __ldg(at);
      end[u] = __ldg(at + 1);
    }
    const std::uint32_t code = code_of_level(state_.level + 1);
    for (unsigned u = 0; u < at_once; ++u) {
      before[u] = ~0U;
      if (is_new[u]) before[u] = atomicOr(word_of(to[u]), code << shift_of(to[u]));
    }
    for (unsigned u = 0; u < at_once; ++u)
      is_new[u] = (before[u] >> shift_of(to[u]) & 3U) == unseen;
    unsigned who[at_once], all = 0;
    for (unsigned u = 0; u < at_once; ++u) {
      who[u] = __ballot_sync(whole_warp, is_new[u]);
      all += static_cast<unsigned>(__popc(who[u]));
    }
    if (all == 0) return;
    unsigned long long at = 0;
    if (lane_id() == 0) {
      at = atomicAdd(tail(), static_cast<unsigned long long>(all));
      atomicAdd(&mine_.found, all);
    }
    at = __shfl_sync(whole_warp, at, 0);
    for (unsigned u = 0; u < at_once; ++u) {
      if (is_new[u]) {
        order_[at + __popc(who[u] & lanes_below())] = {begin[u], to[u],
                                                       static_cast<Id>(end[u] - begin[u])};
        if (end[u] > begin[u])
          algorithm_detail::cuda::fetch_ahead(rows<way::take>().columns + begin[u]);
      }
      at += static_cast<unsigned>(__popc(who[u]));
    }
  }
  template <class Values, way W>
  __device__ void finish_long(Id v, const typename Values::number& own,
                              const typename Values::number& sum) {
    const bool scores_it = W == way::back && !of_.edges;
    finish<Values, W>(v, own, scores_it ? scores()[v] : 0, sum);
  }
  /// `own`: what the vertex holds, and `score`: its before; on the way back.
  template <class Values, way W>
  __device__ void finish(Id v, const typename Values::number& own, double score,
                         const typename Values::number& sum) {
    using number = typename Values::number;
    if constexpr (counts(W)) {
      const number paths = state_.level == 0 ? number(1.0) : sum;
      if (Values::too_large(paths)) mine_.too_large = 1;
      values<Values>().set(v, paths, true);
    }
    if constexpr (W == way::back) {
      const number paths = Values::paths(own);
      const double dependency = Values::plain(paths * sum);
      if (!of_.edges) scores()[v] = score + (dependency + (of_.endpoints ? 1 : 0));
      values<Values>().set(v, number(1 + dependency) / paths, false);
    }
  }

  // What blocks tell each other in a meeting is added up in one word: how many vertices they took,
  // how many have come, whether to pause, how many had numbers too large. The last part may be the
  // sum of all blocks of a GPU.
  static constexpr unsigned long long one_arrival = 1ULL << 40, pause_bit = 1ULL << 52,
                                      one_too_large = 1ULL << 53, found_part = one_arrival - 1,
                                      arrival_part = pause_bit - one_arrival;

  /// Of this meeting; the next but one has it anew.
  [[nodiscard]] __device__ unsigned long long* word() const {
    return words() + state_.meetings % meeting_words;
  }
  /// What all threads of the block wrote before is seen by the group's after await().
  __device__ void arrive() {
    ++state_.meetings;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned long long tells = one_arrival + mine_.found;
    if (mine_.too_large != 0) tells += one_too_large;
    if (block_ == 0 && state_.meetings % look_at_clock == 0 &&
        device_detail::global_timer() - begun_ > of_.pause)
      tells += pause_bit;
    mine_.found = mine_.too_large = 0;
    if (of_.blocks == 1) {
      mine_.met = tells;
      return;
    }
    __threadfence();
    atomicAdd(word(), tells);
  }
  /// False: the wait ran out, or the run is over.
  __device__ bool await() {
    if (threadIdx.x == 0) {
      mine_.alive = 1;
      if (of_.blocks > 1) wait();
    }
    __syncthreads();
    met_ = mine_.met;
    paused_ = (met_ & pause_bit) != 0;
    return mine_.alive != 0;
  }
  __device__ void wait() {
    device_wait_bound bound(of_.guard, of_.guard.rank);
    unsigned long long told = 0;
    while (((told = device_detail::load_acquire_on_device(word())) & arrival_part) !=
           of_.blocks * one_arrival) {
      if (!bound.expired()) continue;
      bound.give_up(0, 0, state_.meetings, told);
      mine_.alive = 0;
      return;
    }
    mine_.met = told;
    // All have come to this meeting, so that none looks at the one before any more.
    if (block_ == 0)
      device_detail::store_relaxed(words() + (state_.meetings + 2) % meeting_words, 0ULL);
  }

  const search_view<Id>& of_;
  block_memory<Sizes, Id>& mine_;
  const unsigned group_, block_;
  std::uint32_t* const codes_;
  named_row<Id>* const order_;
  group_state state_;  ///< the same in all threads of all the group's blocks
  unsigned long long met_ = 0, begun_ = 0;
  bool paused_ = false;
};

/// Of `threads` threads this one: scores of all groups, in their order.
__device__ inline void collect(const collect_view& of, std::int64_t thread, std::int64_t threads) {
  for (std::int64_t i = thread; i < of.count; i += threads) {
    const double* at = of.scores + (of.row_of == nullptr ? i : of.row_of[i]);
    double sum = 0;
    for (unsigned g = 0; g < of.groups; ++g, at += of.count) sum += *at;
    of.sums[i] = sum;
  }
}

/// Of `groups` groups of `lanes` threads this one: both arcs of an edge get what both found. An arc
/// to a smaller vertex is looked for in that one's row. With hubs first, their long rows are
/// searched in, and short ones gone through.
template <class Id>
__device__ void join_directions(const join_view<Id>& of, std::int64_t group, std::int64_t groups,
                                unsigned lane, unsigned lanes) {
  for (std::int64_t v = group; v < of.vertices; v += groups)
    for (edge_offset k = of.rows.offsets[v] + lane; k < of.rows.offsets[v + 1]; k += lanes) {
      const auto u = static_cast<std::int64_t>(of.rows.columns[k]);
      if (u >= v) break;
      edge_offset back = of.rows.offsets[u], end = of.rows.offsets[u + 1];
      while (end - back > 1) {
        const edge_offset middle = back + (end - back) / 2;
        (of.rows.columns[middle] <= v ? back : end) = middle;
      }
      of.sums[k] = of.sums[back] = of.sums[k] + of.sums[back];
    }
}

}  // namespace gossamer::betweenness_detail::cuda
