// Triangles of long rows: a block takes a row v, marks its entries as bits in its own memory, and
// its warps look for marks in the rows of v's entries u. Where u's row is far longer than what
// stands before u in v's row, that is searched for in u's row.
//
// Counts of u gather in registers of its warp, those of v in the block. Those of third vertices w
// are atomics: in the block's memory for the names that most triangles have, else in the GPU's.
#pragma once

#include "algorithm/triangles/sync/cuda/row_steps.cuh"

namespace gossamer::triangles_detail::cuda {

template <class Sizes, class Value>
struct block_memory {
  unsigned long long next;  ///< ticket of the next row
  device_worth<Value> sums[Sizes::long_threads / 32];
  unsigned marks[Sizes::marks / 32];
  unsigned counters[valued<Value> ? 1 : Sizes::counters];
  unsigned tail;  ///< where the row's entries without marks begin
};

template <class Sizes, class Id, class Value>
class long_rows {
 public:
  using worth = device_worth<Value>;
  /// Of an edge's triangles: a number below a row's length, or what they are worth.
  using edge_sum = std::conditional_t<valued<Value>, worth, unsigned>;

  __device__ long_rows(const row_share<Id, Value>& of, block_memory<Sizes, Value>& mine)
      : of_(of), mine_(mine) {}

  /// Until no row is left. All threads of a block call.
  __device__ void count() {
    for (unsigned i = threadIdx.x; i < Sizes::marks / 32; i += threads) mine_.marks[i] = 0;
    if constexpr (!valued<Value>)
      for (unsigned i = threadIdx.x; i < Sizes::counters; i += threads) mine_.counters[i] = 0;
    if (threadIdx.x == 0) mine_.next = atomicAdd(of_.ticket, 1ULL);
    __syncthreads();
    unsigned long long entries = 0;
    while (true) {
      const std::int64_t at = static_cast<std::int64_t>(mine_.next) * of_.ranks + of_.rank;
      if (at >= of_.size) break;
      const std::int64_t v = of_.list[at];
      begin_ = of_.rows.offsets[v];
      row_ = of_.rows.columns + begin_;
      length_ = static_cast<unsigned>(of_.rows.offsets[v + 1] - begin_);
      if (entries + length_ > Sizes::most_entries) {
        flush();
        entries = 0;
      }
      entries += length_;
      mark();
      __syncthreads();
      unsigned long long after = 0;
      if (threadIdx.x == 0) after = atomicAdd(of_.ticket, 1ULL);  // it travels meanwhile
      const worth sum = warp_sum(count_edges());
      if (lane() == 0) mine_.sums[threadIdx.x / 32] = sum;
      if (threadIdx.x == 0) mine_.next = after;
      __syncthreads();
      unmark();
      if (threadIdx.x == 0) add_up(v);
      __syncthreads();
    }
    flush();
    found_ = warp_sum(found_);
    if (lane() == 0 && found_ != 0) atomicAdd(of_.found, found_);
  }

 private:
  static constexpr unsigned threads = Sizes::long_threads, warps = threads / 32;
  using name = std::make_unsigned_t<Id>;

  __device__ static unsigned lane() { return threadIdx.x % 32; }

  __device__ void mark() {
    for (unsigned j = threadIdx.x; j < length_; j += threads) {
      const auto w = static_cast<name>(row_[j]);
      const bool marked = w < Sizes::marks;
      if (marked)
        atomicOr(&mine_.marks[w / 32], 1U << (w % 32));
      else if (j == 0)
        mine_.tail = 0;
      if (marked && (j + 1 == length_ || static_cast<name>(row_[j + 1]) >= Sizes::marks))
        mine_.tail = j + 1;
    }
  }
  __device__ void unmark() {
    for (unsigned j = threadIdx.x; j < length_; j += threads)
      if (const auto w = static_cast<name>(row_[j]); w < Sizes::marks) mine_.marks[w / 32] = 0;
  }
  __device__ void add_up(std::int64_t v) {
    worth all{};
    for (unsigned i = 0; i < warps; ++i) all += mine_.sums[i];
    if (all != worth{}) atomicAdd(of_.counts + v, all);
  }
  __device__ void flush() {
    if constexpr (!valued<Value>)
      for (unsigned i = threadIdx.x; i < Sizes::counters; i += threads)
        if (const unsigned n = mine_.counters[i]; n != 0) {
          atomicAdd(of_.counts + i, static_cast<unsigned long long>(n));
          mine_.counters[i] = 0;
        }
    __syncthreads();
  }
  __device__ void add(Id w, worth more) {
    if constexpr (!valued<Value>)
      if (static_cast<name>(w) < Sizes::counters) {
        atomicAdd(&mine_.counters[w], static_cast<unsigned>(more));
        return;
      }
    atomicAdd(of_.counts + w, more);
  }

  /// Warps take entries in turn, each lane what belongs to one of 32: their loads overlap. Returns
  /// the lane's part of v's sum.
  __device__ worth count_edges() {
    worth all{};
    for (unsigned first = 1 + threadIdx.x / 32; first < length_; first += threads) {
      const unsigned own = first + lane() * warps;
      Id u{};
      edge_offset from = 0;
      unsigned length = 0;
      worth edge{1};
      if (own < length_) {
        u = row_[own];
        from = of_.rows.offsets[u];
        length = static_cast<unsigned>(of_.rows.offsets[u + 1] - from);
        if constexpr (valued<Value>) edge = static_cast<worth>(of_.rows.values[begin_ + own]);
      }
      edge_sum mine{};
      for (unsigned l = 0; l < 32; ++l) {
        const unsigned i = first + l * warps;
        if (i >= length_) break;
        const unsigned others = __shfl_sync(all_lanes, length, l);
        if (others == 0) continue;
        const edge_offset begin = __shfl_sync(all_lanes, from, l);
        worth factor{1};
        if constexpr (valued<Value>) factor = __shfl_sync(all_lanes, edge, l);
        const edge_sum sum =
            warp_sum(others / Sizes::search_long > i ? search(i, begin, others, factor)
                                                     : scan(begin, others, factor));
        if (lane() == l) mine = sum;
      }
      if (mine == edge_sum{}) continue;
      add(u, mine);
      all += mine;
    }
    return all;
  }

  /// All of u's row, which is coalesced: the lane's part of the sum.
  __device__ edge_sum scan(edge_offset begin, unsigned others, worth edge) {
    constexpr unsigned at_once = 4;
    const Id* const other = of_.rows.columns + begin;
    edge_sum sum{};
    for (unsigned base = lane(); base < others; base += 32 * at_once) {
      Id w[at_once];
#pragma unroll
      for (unsigned s = 0; s < at_once; ++s)
        w[s] = base + 32 * s < others ? other[base + 32 * s] : Id{-1};
#pragma unroll
      for (unsigned s = 0; s < at_once; ++s)
        if (const unsigned at = place(w[s]); at != none)
          sum += hit(w[s], at, begin + base + 32 * s, edge);
    }
    return sum;
  }
  /// What stands before u in v's row.
  __device__ edge_sum search(unsigned i, edge_offset begin, unsigned others, worth edge) {
    const Id* const other = of_.rows.columns + begin;
    edge_sum sum{};
    for (unsigned j = lane(); j < i; j += 32) {
      const Id w = row_[j];
      const unsigned at = position(other, others, w);
      if (at < others && other[at] == w) sum += hit(w, j, begin + at, edge);
    }
    return sum;
  }

  static constexpr unsigned none = 0xffffffffU;
  /// Where `w` stands in v's row, if it does; without values any place will do. -1 is in no row.
  __device__ unsigned place(Id w) const {
    unsigned from = 0, to = mine_.tail;
    if (static_cast<name>(w) < Sizes::marks) {
      if ((mine_.marks[static_cast<unsigned>(w) / 32] >> (static_cast<unsigned>(w) % 32) & 1) == 0)
        return none;
      if constexpr (!valued<Value>) return 0;
    } else {
      from = to;
      to = length_;
      if (from == to || w < Id{0}) return none;
    }
    const unsigned at = from + position(row_ + from, to - from, w);
    return at < to && row_[at] == w ? at : none;
  }
  /// A triangle: `at` of v's row, and the column `k` of u's, are w.
  __device__ edge_sum hit(Id w, unsigned at, edge_offset k, worth edge) {
    if constexpr (valued<Value>) {
      ++found_;
      const worth product = static_cast<worth>(of_.rows.values[begin_ + at]) *
                            static_cast<worth>(of_.rows.values[k]) * edge;
      add(w, product);
      return product;
    } else {
      ++found_;
      add(w, 1);
      return 1;
    }
  }

  const row_share<Id, Value>& of_;
  block_memory<Sizes, Value>& mine_;
  const Id* row_ = nullptr;
  edge_offset begin_ = 0;
  unsigned length_ = 0;
  unsigned long long found_ = 0;
};

}  // namespace gossamer::triangles_detail::cuda
