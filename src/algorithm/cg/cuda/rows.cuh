// A rank's rows as kernels read them: several lanes of a warp a row, or sliced (sliced.hpp).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithm/cg/sliced.hpp"

namespace gossamer::cg_detail::cuda {

/// In the GPU's memory.
struct device_rows {
  std::int64_t rows = 0, entries = 0;
  const std::int64_t* offsets = nullptr;  ///< of rows; sliced: of slices
  const std::int32_t* columns = nullptr;
  const double* values = nullptr;
  bool sliced = false;
};

/// `Lanes` threads a row, a power of two up to 32: about the average row length, so that lanes read
/// consecutive entries.
template <int Lanes>
struct by_lanes {
  static constexpr int lanes = Lanes;

  /// take(i, sum of the row's entries times x(column)) for every row, in one thread each. All of
  /// `threads` threads call, `thread` counts them and is that of the warp's lane modulo 32.
  template <class Vector, class Take>
  static __device__ void products(const device_rows& m, std::int64_t thread, std::int64_t threads,
                                  Vector x, Take take) {
    const int lane = static_cast<int>(thread % Lanes);
    const unsigned base = static_cast<unsigned>(thread % 32) / Lanes * Lanes;
    const unsigned group = Lanes == 32 ? 0xffffffffu : ((1u << (Lanes % 32)) - 1) << base;
    for (std::int64_t i = thread / Lanes; i < m.rows; i += threads / Lanes) {
      double sum = 0;
      const std::int64_t last = m.offsets[i + 1];
      for (std::int64_t k = m.offsets[i] + lane; k < last; k += Lanes)
        sum += m.values[k] * x(m.columns[k]);
      for (int half = Lanes / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(group, sum, half, Lanes);
      if (lane == 0) take(i, sum);
    }
  }
};

/// A thread a row, `Batch` entries in flight.
template <int Batch>
struct by_slices {
  static constexpr int lanes = 1;

  template <class Vector, class Take>
  static __device__ void products(const device_rows& m, std::int64_t thread, std::int64_t threads,
                                  Vector x, Take take) {
    for (std::int64_t i = thread; i < m.rows; i += threads) {
      const std::int64_t slice = i / slice_rows, end = m.offsets[slice + 1];
      double sum = 0;
      // The warp's rows have one length: no lane waits for another.
      for (std::int64_t k = m.offsets[slice] + i % slice_rows; k < end; k += Batch * slice_rows) {
        std::int32_t columns[Batch];
        double values[Batch];
#pragma unroll
        for (int j = 0; j < Batch; ++j) {
          const std::int64_t at = k + j * slice_rows;
          if (at >= end) continue;
          columns[j] = m.columns[at];
          values[j] = m.values[at];
        }
#pragma unroll
        for (int j = 0; j < Batch; ++j)
          if (k + j * slice_rows < end) sum += values[j] * x(columns[j]);
      }
      take(i, sum);
    }
  }
};

/// f(by_lanes or by_slices), as suits the rows.
template <int Batch, class F>
void with_rows(const device_rows& m, F f) {
  const std::int64_t average = m.entries / (m.rows > 0 ? m.rows : 1);
  if (m.sliced) return f(by_slices<Batch>{});
  if (average < 12) return f(by_lanes<4>{});
  if (average < 48) return f(by_lanes<16>{});
  f(by_lanes<32>{});
}

}  // namespace gossamer::cg_detail::cuda
