// What is made of a batch's depths, vertex by vertex: rows of a matrix, and bounds.
#pragma once

#include "algorithm/distances/sync/bounds.hpp"
#include "algorithm/distances/sync/cuda/depth_view.hpp"
#include "algorithm/distances/sync/cuda/lane_bits.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::distances_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::whole_warp;

/// Binary digits of the deepest depth.
__device__ inline int digits_of(const depth_planes& of) {
  return 32 - __clz(of.deepest);
}

/// f(lane, depth) for each search, -1 where it has not met v.
template <class F>
__device__ void each_depth(const depth_planes& of, std::int64_t v, const F& f) {
  const lane_word met = of.met[v];
  const int digits = digits_of(of), each = lanes_at_most / of.width;
  lane_word plane[depth_words];
#pragma unroll
  for (int p = 0; p < depth_words; ++p)
    plane[p] = p < digits && met != 0 ? of.planes[p * of.vertices + v] : 0;
  for (int lane = 0; lane < of.lanes; ++lane) {
    std::uint32_t depth = 0;
#pragma unroll
    for (int p = 0; p < depth_words; ++p) {
      if (p >= digits) continue;
      depth |= static_cast<std::uint32_t>(plane[p] & 1) << p;
      for (int q = 1; q < of.width; ++q)
        depth |= static_cast<std::uint32_t>(plane[p] >> (q * each) & 1) << (q * depth_words + p);
      plane[p] >>= 1;
    }
    f(lane, (met >> lane & 1) != 0 ? static_cast<std::int32_t>(depth) : -1);
  }
}

/// Rows of a matrix. Those of bytes: a lane has a search, and writes its depths of 32 vertices
/// together, which it gets digit by digit from those that have the vertices.
template <class Id>
class matrix_rows {
 public:
  __device__ matrix_rows(const depth_planes& from, const depth_matrix_view<Id>& to)
      : from_(from), to_(to) {}

  /// By thread `thread` of `threads`.
  __device__ void write(std::int64_t thread, std::int64_t threads) const {
    if (from_.width == 1) return write_bytes(thread, threads);
    for (std::int64_t j = thread; j < to_.columns; j += threads)
      each_depth(from_, vertex(j), [&](int lane, std::int32_t depth) {
        const std::int64_t at = lane * to_.row + j;
        if (from_.width == 2)
          static_cast<std::int16_t*>(to_.depths)[at] = static_cast<std::int16_t>(depth);
        else
          static_cast<std::int32_t*>(to_.depths)[at] = depth;
      });
  }

 private:
  [[nodiscard]] __device__ std::int64_t vertex(std::int64_t j) const {
    return to_.targets == nullptr ? j : static_cast<std::int64_t>(to_.targets[j]);
  }

  __device__ void write_bytes(std::int64_t thread, std::int64_t threads) const {
    const int digits = digits_of(from_);
    for (std::int64_t base = thread - lane_id(); base < to_.columns; base += threads) {
      const std::int64_t j = base + lane_id(), v = j < to_.columns ? vertex(j) : 0;
      // All at once: a warp that waited for one after the other would do little else.
      lane_word met = 0, planes[depth_words];
      if (j < to_.columns) met = from_.met[v];
#pragma unroll
      for (int p = 0; p < depth_words; ++p)
        planes[p] = p < digits ? from_.planes[p * from_.vertices + v] : 0;
#pragma unroll
      for (int p = 0; p < depth_words; ++p) planes[p] &= met;
      for (int first = 0; first < from_.lanes; first += 32) {
        std::uint32_t bytes[8];
        const std::uint32_t none = ~transposed(static_cast<std::uint32_t>(met >> first));
#pragma unroll
        for (int k = 0; k < 8; ++k) bytes[k] = spread(none, k) * 0xffU;
#pragma unroll
        for (int p = 0; p < depth_words; ++p) {
          if (p >= digits) continue;
          const std::uint32_t digit = transposed(static_cast<std::uint32_t>(planes[p] >> first));
#pragma unroll
          for (int k = 0; k < 8; ++k) bytes[k] |= spread(digit, k) << p;
        }
        const int search = first + static_cast<int>(lane_id());
        if (search >= from_.lanes) continue;
        auto* const row = static_cast<std::int8_t*>(to_.depths) + search * to_.row + base;
        auto* const words = reinterpret_cast<int4*>(row);
        words[0] = four(bytes);
        words[1] = four(bytes + 4);
      }
    }
  }
  /// Bits 4 k and on, each in a byte of its own.
  __device__ static std::uint32_t spread(std::uint32_t bits, int k) {
    return ((bits >> (4 * k) & 0xfU) * 0x00204081U) & 0x01010101U;
  }
  __device__ static int4 four(const std::uint32_t* words) {
    return {static_cast<int>(words[0]), static_cast<int>(words[1]), static_cast<int>(words[2]),
            static_cast<int>(words[3])};
  }

  const depth_planes& from_;
  const depth_matrix_view<Id>& to_;
};

/// Bounds of all vertices' eccentricities (Takes, Kosters 2013): step by step.
template <class Id>
class bounds_steps {
 public:
  __device__ bounds_steps(const bounds_view<Id>& of, const depth_planes& from, std::int64_t thread,
                          std::int64_t threads)
      : of_(of), from_(from), thread_(thread), threads_(threads) {}

  __device__ void run(bounds_step step) {
    switch (step) {
      case bounds_step::begin:
        return each_vertex([&](std::int64_t v) {
          of_.lower[v] = 0;
          of_.upper[v] = arcs(v) == 0 ? 0 : unbounded;
        });
      case bounds_step::narrow:
        return narrow();
      case bounds_step::small:
        return each_vertex([&](std::int64_t v) {
          if (of_.upper[v] != unbounded) return;
          const std::int32_t found =
              small_eccentricity(of_.rows.offsets, of_.rows.columns, static_cast<Id>(v));
          if (found < 0) return;
          of_.lower[v] = of_.upper[v] = found;
          atomicMax(&of_.counts->best, found);
        });
      case bounds_step::choose:
        return choose();
    }
  }

 private:
  template <class F>
  __device__ void each_vertex(const F& f) const {
    for (std::int64_t v = thread_; v < of_.vertices; v += threads_) f(v);
  }
  [[nodiscard]] __device__ edge_offset arcs(std::int64_t v) const {
    return of_.rows.offsets[v + 1] - of_.rows.offsets[v];
  }

  __device__ void narrow() {
    std::int32_t best = 0;
    each_vertex([&](std::int64_t v) {
      if (from_.met[v] == 0) return;
      std::int32_t low = of_.lower[v], high = of_.upper[v];
      each_depth(from_, v, [&](int lane, std::int32_t depth) {
        if (depth < 0) return;
        const std::int32_t e = of_.totals[lane].eccentricity;
        const std::int32_t at_least = depth > e - depth ? depth : e - depth;
        if (at_least > low) low = at_least;
        if (e + depth < high) high = e + depth;
      });
      of_.lower[v] = low;
      of_.upper[v] = high;
      if (low > best) best = low;
    });
    for (int by = 16; by > 0; by /= 2) {
      const std::int32_t other = __shfl_xor_sync(whole_warp, best, by);
      if (other > best) best = other;
    }
    if (lane_id() == 0 && best > 0) atomicMax(&of_.counts->best, best);
  }

  /// Each warp offers the best of its vertices; of equals those with the most arcs.
  __device__ void choose() {
    const std::int32_t best = of_.counts->best;
    candidate upper{0, 0}, lower{0, 0};
    unsigned long long open = 0;
    each_vertex([&](std::int64_t v) {
      bound_leaf(v);
      const std::int32_t low = of_.lower[v], high = of_.upper[v];
      if (of_.diameter ? high <= best : high <= low) return;
      ++open;
      const edge_offset many = arcs(v);
      const auto few = static_cast<unsigned long long>(many < 0x7fffffff ? many : 0x7fffffff);
      take(upper, {static_cast<unsigned long long>(high) << 32 | few, v});
      take(lower, {static_cast<unsigned long long>(unbounded - low) << 32 | few, v});
    });
    for (int by = 16; by > 0; by /= 2) {
      take(upper, other(upper, by));
      take(lower, other(lower, by));
    }
    dataflow::cuda::add_of_warp(&of_.counts->open, open);
    if (lane_id() != 0) return;
    of_.by_upper[thread_ / 32] = upper;
    of_.by_lower[thread_ / 32] = lower;
  }
  __device__ static void take(candidate& best, const candidate& other) {
    if (other.worth > best.worth || (other.worth == best.worth && other.vertex < best.vertex))
      best = other;
  }
  __device__ static candidate other(const candidate& mine, int by) {
    return {__shfl_xor_sync(whole_warp, mine.worth, by),
            __shfl_xor_sync(whole_warp, mine.vertex, by)};
  }
  /// Who has one neighbour alone is one further from all others than that is, unless there are only
  /// the two. Whoever has more is not changed meanwhile.
  __device__ void bound_leaf(std::int64_t v) {
    if (arcs(v) != 1 || of_.upper[v] <= of_.lower[v]) return;
    const auto to = static_cast<std::int64_t>(of_.rows.columns[of_.rows.offsets[v]]);
    edge_offset at = of_.rows.offsets[to];
    const edge_offset end = of_.rows.offsets[to + 1];
    const auto leads_on = [&](std::int64_t w) { return w != to && w != v; };
    while (at < end && !leads_on(static_cast<std::int64_t>(of_.rows.columns[at]))) ++at;
    if (at == end) return;
    const std::int32_t low = of_.lower[to] + 1, high = of_.upper[to];
    if (low > of_.lower[v]) of_.lower[v] = low;
    if (high != unbounded && high + 1 < of_.upper[v]) of_.upper[v] = high + 1;
  }

  const bounds_view<Id>& of_;
  const depth_planes& from_;
  std::int64_t thread_, threads_;
};

}  // namespace gossamer::distances_detail::cuda
