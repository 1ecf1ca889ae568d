// Triangles of short rows: a warp takes a row v into its own memory. The rows of v's entries u,
// one behind the other, are items that lanes take in turn: each w of them is looked up in v's row,
// by a bit and, if that is set, by bisection. Where u's row is far longer than what stands before u
// in v's row, that is searched for in u's row.
//
// Both u and w stand in v's row, so their counts gather beside it: an atomic in the GPU's memory is
// due an entry, not a triangle.
#pragma once

#include "algorithm/triangles/sync/cuda/row_steps.cuh"

namespace gossamer::triangles_detail::cuda {

/// Rows have fewer than Sizes::long_row entries.
template <class Sizes, class Id, class Value>
struct warp_memory {
  edge_offset from[Sizes::long_row];  ///< where u's row begins
  std::conditional_t<valued<Value>, device_worth<Value>, unsigned> shares[Sizes::long_row];
  Id row[Sizes::long_row];
  unsigned lengths[Sizes::long_row];
  unsigned items[Sizes::long_row + 1];  ///< of the entries before
  unsigned filter[32];                  ///< a bit for each name, modulo 1,024
};

template <class Sizes, class Id, class Value>
class short_rows {
 public:
  using worth = device_worth<Value>;
  using edge_sum = std::conditional_t<valued<Value>, worth, unsigned>;

  __device__ short_rows(const row_share<Id, Value>& of, warp_memory<Sizes, Id, Value>& mine)
      : of_(of), mine_(mine) {}

  /// Until no row is left. All lanes of a warp call.
  __device__ void count() {
    unsigned long long next = ticket();
    next = __shfl_sync(all_lanes, next, 0);
    while (static_cast<std::int64_t>(next) * of_.ranks + of_.rank < of_.size) {
      const unsigned long long after = ticket();  // it travels meanwhile
      for (unsigned b = 0; b < Sizes::rows_at_once; ++b) {
        const std::int64_t at = static_cast<std::int64_t>(next + b) * of_.ranks + of_.rank;
        if (at >= of_.size) break;
        count_row(of_.list[at]);
      }
      next = __shfl_sync(all_lanes, after, 0);
    }
    found_ = warp_sum(found_);
    if (lane() == 0 && found_ != 0) atomicAdd(of_.found, found_);
  }

 private:
  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ unsigned long long ticket() const {
    constexpr unsigned long long rows = Sizes::rows_at_once;
    return lane() == 0 ? atomicAdd(of_.ticket, rows) : 0;
  }
  __device__ static bool searches(unsigned i, unsigned length) {
    return length / Sizes::search_short > i;
  }

  __device__ void count_row(std::int64_t v) {
    begin_ = of_.rows.offsets[v];
    const auto length = static_cast<unsigned>(of_.rows.offsets[v + 1] - begin_);
    const unsigned all = fetch(length);
    worth sum = warp_sum(count_items(all));
    __syncwarp();
    if (lane() == 0 && sum != worth{}) atomicAdd(of_.counts + v, sum);
    for (unsigned j = lane(); j < length; j += 32)
      if (const edge_sum share = mine_.shares[j]; share != edge_sum{})
        atomicAdd(of_.counts + mine_.row[j], static_cast<worth>(share));
    __syncwarp();  // the next row takes this one's place
  }

  /// Returns the number of items.
  __device__ unsigned fetch(unsigned length) {
    mine_.filter[lane()] = 0;
    __syncwarp();
    unsigned all = 0;
    for (unsigned base = 0; base < length; base += 32) {
      const unsigned j = base + lane();
      unsigned items = 0;
      if (j < length) {
        const Id u = of_.rows.columns[begin_ + j];
        const edge_offset from = of_.rows.offsets[u];
        const auto others = static_cast<unsigned>(of_.rows.offsets[u + 1] - from);
        items = searches(j, others) ? j : j == 0 ? 0 : others;
        mine_.row[j] = u;
        mine_.from[j] = from;
        mine_.lengths[j] = others;
        mine_.shares[j] = edge_sum{};
        atomicOr(&mine_.filter[static_cast<unsigned>(u) / 32 % 32], 1U << (u % 32));
      }
      unsigned before = items;
      for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned other = __shfl_up_sync(all_lanes, before, d);
        if (lane() >= d) before += other;
      }
      if (j < length) mine_.items[j] = all + before - items;
      all += __shfl_sync(all_lanes, before, 31);
    }
    if (lane() == 0) mine_.items[length] = all;
    __syncwarp();
    return all;
  }

  /// Returns the lane's part of v's sum.
  __device__ worth count_items(unsigned all) {
    worth sum{};
    edge_sum share{};  // of entry i
    unsigned i = 0;
    for (unsigned item = lane(); item < all; item += 32) {
      if (mine_.items[i + 1] <= item) {
        keep(i, share);
        share = edge_sum{};
        do ++i;
        while (mine_.items[i + 1] <= item);
      }
      const edge_sum more = look(i, item - mine_.items[i]);
      share += more;
      sum += more;
    }
    keep(i, share);
    return sum;
  }
  __device__ void keep(unsigned i, edge_sum share) {
    if (share != edge_sum{}) atomicAdd(&mine_.shares[i], share);
  }

  /// Item `j` of entry i: what the triangle there is worth, if there is one.
  __device__ edge_sum look(unsigned i, unsigned j) {
    edge_offset k = mine_.from[i];
    unsigned at;  // in v's row
    if (const unsigned others = mine_.lengths[i]; searches(i, others)) {
      const Id w = mine_.row[at = j];
      const unsigned there = position(of_.rows.columns + k, others, w);
      k += there;
      if (there == others || of_.rows.columns[k] != w) return edge_sum{};
    } else {
      k += j;
      const Id w = of_.rows.columns[k];
      if ((mine_.filter[static_cast<unsigned>(w) / 32 % 32] >> (w % 32) & 1) == 0)
        return edge_sum{};
      at = position(mine_.row, i, w);
      if (at == i || mine_.row[at] != w) return edge_sum{};
    }
    ++found_;
    edge_sum product{1};
    if constexpr (valued<Value>)
      product = static_cast<worth>(of_.rows.values[begin_ + at]) *
                static_cast<worth>(of_.rows.values[begin_ + i]) *
                static_cast<worth>(of_.rows.values[k]);
    atomicAdd(&mine_.shares[at], product);
    return product;
  }

  const row_share<Id, Value>& of_;
  warp_memory<Sizes, Id, Value>& mine_;
  edge_offset begin_ = 0;
  unsigned long long found_ = 0;
};

}  // namespace gossamer::triangles_detail::cuda
