// The pull of one rank on a GPU: every row's sum, its new rank, and what it offers next.
//
// Rows are cut into tiles, about as much work each, the longest rows first: chunks of split rows,
// then one, two, eight or 96 rows a tile. A warp takes every so-manieth tile, always the same
// ones, and adds in a fixed order; so the bits of a result do not depend on timing. Each lane has
// up to sixteen columns, then as many offers on the way at a time: an arc costs a read from the
// L2 at a random place, and only many in flight hide how long it takes.
//
// Where rows are skewed, the hubs' offers lie in shared memory as well. Half of the arcs of a
// Kronecker graph begin at one vertex in a thousand. The L1 would keep many of these anyway, but at
// the cost of lookups that the other reads need.
//
// Offers have two buffers, read and written in turn. They are read by plain loads (no read-only
// path, which may keep what an earlier iteration read): the barriers between iterations acquire.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "algorithm/pagerank/sync/gpu_rows.hpp"

namespace gossamer::pagerank_detail::cuda {

/// Rows of a lane at a time; a fourth takes more registers than there are.
inline constexpr int single_rows = 3;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// Ranks whose hubs are told from other vertices, one comparison each.
inline constexpr int most_hub_ranks = 8;
/// Of all ranks' hubs, in a block's shared memory; a block fills a multiprocessor, so that there is
/// one copy. With more the L1 gets too small: kron:22 on an H200 takes 0.580 ms with 96 KiB, 0.536
/// with 160, 0.527 with 192 and 0.655 with 208.
inline constexpr int hub_bytes = 192 << 10;

/// Rows that one tile of each class has; a tile of split rows is one chunk.
inline constexpr std::int64_t rows_a_tile[row_classes] = {0, 1, 2, 8, 32 * single_rows};

/// What a rank pulls from and to, in its GPU's memory.
template <class Value>
struct pull_work {
  std::int64_t rows, first, vertices;  ///< `first`: its first slot of all
  std::int64_t arcs;
  std::int64_t class_end[row_classes];
  std::int64_t tile_end[row_classes];  ///< of all tiles
  const std::uint32_t* offsets;
  const std::int64_t* bases;
  const vertex32* columns;
  const Value* shares;
  const Value* inverse;
  const vertex32* place;        ///< null: offers lie by slot
  const std::uint32_t* wanted;  ///< null: nobody else's memory is written to
  const chunk* chunks;
  const std::int64_t* chunk_first;
  double* chunk_sums;
  Value* offers;            ///< [2][vertices]
  std::byte* const* peers;  ///< theirs
  int rank, ranks;
  Value* ranked;  ///< [rows] ranks
  /// Hubs that each rank's range begins with: so many where a kernel has room for those of all
  /// ranks, and where the ranges begin.
  unsigned hubs_each;
  vertex32 hubs_first[most_hub_ranks];
  const double* jumps;  ///< [rows], or null: `uniform`
  double uniform, damping;
};

/// One iteration, or the beginning, of one thread.
template <class Value, bool Weighted>
class pull_pass {
 public:
  /// Reads offers number `from` (0 or 1), writes the others. `hubs`: hub_bytes of shared memory,
  /// or null.
  __device__ pull_pass(const pull_work<Value>& w, int from, double dangling, Value* hubs = nullptr)
      : w_(w),
        hubs_(hubs),
        hubs_each_(hubs == nullptr ? 0 : w.hubs_each),
        read_(w.offers + from * w.vertices),
        write_(static_cast<std::int64_t>(from ^ 1) * w.vertices),
        jumped_(dangling) {}

  double change = 0;    ///< |new - old| of the rows that this thread has finished
  double dangling = 0;  ///< of their ranks that no arc leads on from

  /// Copies the hubs' offers to shared memory, ahead of rows(). Whole blocks call.
  __device__ void take_hubs() {
    if (hubs_each_ == 0) return;
    for (int q = 0; q < w_.ranks; ++q)
      for (unsigned i = threadIdx.x; i < hubs_each_; i += blockDim.x)
        hubs_[q * hubs_each_ + i] = read_[w_.hubs_first[q] + i];
    __syncthreads();
  }

  /// What the first ranks offer, into the buffer that is written.
  __device__ void begin(std::int64_t thread, std::int64_t threads) {
    for (std::int64_t s = thread; s < w_.rows; s += threads) {
      const Value rank = w_.ranked[s], inverse = w_.inverse[s];
      if (inverse == 0) dangling += static_cast<double>(rank);
      offer(s, rank * inverse);
    }
  }

  /// All rows but split ones, and the chunks of these. Whole warps call.
  __device__ void rows(std::int64_t warp, std::int64_t warps) {
    std::int64_t tile = warp;
    for (; tile < w_.tile_end[split]; tile += warps) one_chunk(tile);
    several<32, 1, batch, whole>(tile, warps);
    several<16, 1, batch, half>(tile, warps);
    several<4, 1, batch, quarter>(tile, warps);
    several<1, single_rows, batch / 2, single>(tile, warps);
  }

  /// Split rows, after all warps' rows().
  __device__ void split_rows(std::int64_t warp, std::int64_t warps) {
    for (std::int64_t s = warp; s < w_.class_end[split]; s += warps) {
      double sum = 0;
      for (std::int64_t c = w_.chunk_first[s] + lane(); c < w_.chunk_first[s + 1]; c += 32)
        sum += w_.chunk_sums[c];
      sum = group_sum<32>(sum);
      if (lane() == 0) finish(s, sum, w_.ranked[s], w_.inverse[s]);
    }
  }

 private:
  /// Arcs of a lane on the way at a time; wider ones take the registers of two.
  static constexpr int batch = Weighted || sizeof(Value) > 4 ? 4 : 8;

  [[nodiscard]] __device__ static int lane() { return static_cast<int>(threadIdx.x % 32); }

  /// Sum over groups of `Lanes`, in the first of each.
  template <int Lanes>
  __device__ static double group_sum(double value) {
#pragma unroll
    for (int step = Lanes / 2; step > 0; step /= 2)
      value += __shfl_down_sync(whole_warp, value, step, Lanes);
    return value;
  }

  /// How many arcs before a row's first a whole warp begins, so that it reads whole lines. Where
  /// columns lie in the host's memory, each line is a read of its own there.
  template <int Lanes, int Rows>
  [[nodiscard]] __device__ static int into_line(std::int64_t arc) {
    return Lanes == 32 && Rows == 1 ? static_cast<int>(arc % 32) : 0;
  }

  /// Adds arcs k, k + Lanes, … of `Rows` rows to sums, `Batch` of each in flight. Row j begins
  /// `begin[j]` arcs after `base`.
  template <int Lanes, int Rows, int Batch>
  __device__ void gather(std::int64_t base, const int (&begin)[Rows], const int (&count)[Rows],
                         int longest, double (&sum)[Rows]) {
    const vertex32* columns = w_.columns + base;
    const Value* shares = Weighted ? w_.shares + base : nullptr;
    for (int k = lane() % Lanes - into_line<Lanes, Rows>(base + begin[0]); k < longest;
         k += Lanes * Batch) {
      vertex32 column[Rows][Batch];
      Value share[Weighted ? Rows : 1][Weighted ? Batch : 1];
#pragma unroll
      for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int u = 0; u < Batch; ++u) {
          const int at = k + u * Lanes;
          const bool inside = at < count[j] && at >= 0;
          column[j][u] = inside ? __ldcs(columns + begin[j] + at) : -1;
          if constexpr (Weighted) share[j][u] = inside ? __ldcs(shares + begin[j] + at) : Value{0};
        }
      Value offered[Rows][Batch];
#pragma unroll
      for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int u = 0; u < Batch; ++u)
          offered[j][u] = column[j][u] >= 0 ? offer_at(column[j][u]) : Value{0};
#pragma unroll
      for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int u = 0; u < Batch; ++u) {
          const auto value = static_cast<double>(offered[j][u]);
          if constexpr (Weighted)
            sum[j] += value * static_cast<double>(share[j][u]);
          else
            sum[j] += value;
        }
    }
  }

  [[nodiscard]] __device__ Value offer_at(vertex32 column) const {
    if (hubs_each_ == 0) return read_[column];
    for (int q = 0; q < w_.ranks; ++q) {
      const auto hub = static_cast<unsigned>(column - w_.hubs_first[q]);
      if (hub < hubs_each_) return hubs_[q * hubs_each_ + hub];
    }
    return read_[column];
  }

  __device__ void one_chunk(std::int64_t tile) {
    const int begin[1] = {0}, count[1] = {static_cast<int>(w_.chunks[tile].count)};
    double sum[1] = {0};
    gather<32, 1, batch>(w_.chunks[tile].begin, begin, count, count[0], sum);
    sum[0] = group_sum<32>(sum[0]);
    if (lane() == 0) w_.chunk_sums[tile] = sum[0];
  }

  template <int Lanes, int Rows, int Batch, row_class Class>
  __device__ void several(std::int64_t& tile, std::int64_t warps) {
    constexpr std::int64_t each = rows_a_tile[Class];
    static_assert(Class > split && each == 32 / Lanes * Rows);
    for (; tile < w_.tile_end[Class]; tile += warps) {
      const std::int64_t first = w_.class_end[Class - 1] + (tile - w_.tile_end[Class - 1]) * each;
      const std::int64_t left = w_.class_end[Class] - first;
      if constexpr (Class == single) {
        const std::int64_t next = first + warps * each;
        if (next + each < w_.class_end[Class]) look_ahead<each>(next);
      }
      some_rows<Lanes, Rows, Batch>(first, static_cast<int>(left < each ? left : each));
    }
  }

  /// Has the L2 fetch what this warp's next tile streams, `Each` rows from slot `first` on: a tile
  /// is a chain of three reads from memory (offset, columns, offers), and too few warps fit to hide
  /// it. Where the columns begin is known by the 128 rows; a guess beside them costs nothing, as
  /// other warps want what lies there.
  template <std::int64_t Each>
  __device__ void look_ahead(std::int64_t first) const {
    constexpr int mean = 2, most = 3;  // arcs of a row, about
    const std::int64_t at = first - w_.class_end[split];
    const auto inside = static_cast<int>(at % base_rows);
    if (lane() == 0) fetch_ahead(w_.offsets + first, Each);
    if (lane() == 1) fetch_ahead(w_.ranked + first, Each);
    if (lane() == 2) fetch_ahead(w_.inverse + first, Each);
    if (lane() != 3) return;
    const std::int64_t arc = w_.bases[at / base_rows] + mean * inside;
    if (arc + most * Each <= w_.arcs) fetch_ahead(w_.columns + arc, most * Each);
  }
  /// `count` elements and some around them, into the L2, by one instruction.
  template <class T>
  __device__ static void fetch_ahead(const T* from, std::int64_t count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto begin = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{15};
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin),
                 "r"(static_cast<std::uint32_t>(count * sizeof(T) + 15) & ~15u)
                 : "memory");
#endif
  }

  /// `rows` of them from slot `first` on.
  template <int Lanes, int Rows, int Batch>
  __device__ void some_rows(std::int64_t first, int rows) {
    const bool leads = lane() % Lanes == 0;
    const std::uint32_t low = w_.offsets[first];
    const std::int64_t upper = w_.bases[(first - w_.class_end[split]) / base_rows];
    int begin[Rows], count[Rows], longest = 0;
    Value before[Rows], inverse[Rows];
    double sum[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const int i = j * (32 / Lanes) + lane() / Lanes;
      begin[j] = count[j] = 0;
      before[j] = inverse[j] = 0;
      sum[j] = 0;
      if (i >= rows) continue;
      const std::uint32_t from = w_.offsets[first + i];
      begin[j] = static_cast<int>(from - low);
      count[j] = static_cast<int>(w_.offsets[first + i + 1] - from);
      longest = count[j] > longest ? count[j] : longest;
      if (!leads) continue;  // what the end needs is read while the offers are on the way
      before[j] = w_.ranked[first + i];
      inverse[j] = w_.inverse[first + i];
    }
    gather<Lanes, Rows, Batch>(upper + (low - static_cast<std::uint32_t>(upper)), begin, count,
                               longest, sum);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const int i = j * (32 / Lanes) + lane() / Lanes;
      const double all = group_sum<Lanes>(sum[j]);
      if (leads && i < rows) finish(first + i, all, before[j], inverse[j]);
    }
  }

  __device__ void finish(std::int64_t s, double arrives, Value before, Value inverse) {
    const double jump = w_.jumps != nullptr ? w_.jumps[s] : w_.uniform;
    const auto next =
        static_cast<Value>(w_.damping * (arrives + jumped_ * jump) + (1 - w_.damping) * jump);
    w_.ranked[s] = next;
    change += fabs(static_cast<double>(next) - static_cast<double>(before));
    if (inverse == 0) dangling += static_cast<double>(next);
    offer(s, next * inverse);
  }

  __device__ void offer(std::int64_t s, Value value) {
    const std::int64_t at = write_ + (w_.place != nullptr ? w_.place[s] : w_.first + s);
    w_.offers[at] = value;
    if (w_.wanted == nullptr) return;
    for (std::uint32_t who = w_.wanted[s]; who != 0; who &= who - 1)
      for (int peer = __ffs(static_cast<int>(who)) - 1; peer < w_.ranks; peer += 32)
        if (peer != w_.rank) reinterpret_cast<Value*>(w_.peers[peer])[at] = value;
  }

  const pull_work<Value>& w_;
  Value* hubs_;
  unsigned hubs_each_;
  const Value* read_;
  std::int64_t write_;
  double jumped_;  ///< what dangling vertices had, of all ranks
};

}  // namespace gossamer::pagerank_detail::cuda
