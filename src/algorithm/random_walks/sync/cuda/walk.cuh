// Walks of one thread of a GPU, one after the other: so many threads walk that they hide each
// other's memory accesses.
#pragma once

#include "algorithm/random_walks/sync/cuda/walk_slice.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::random_walks_detail::cuda {

/// Weighted: arcs are drawn by sums of weights. Second: p and q count.
template <class Id, bool Weighted, bool Second>
class walker {
 public:
  __device__ walker(const device_rows<Id>& rows, const walk_slice<Id>& of) : rows_(rows), of_(of) {}

  /// Of `threads` threads this is the one numbered `thread`; whole warps come.
  __device__ void run(std::int64_t thread, std::int64_t threads) {
    unsigned long long steps = 0;
    for (std::int64_t i = thread; i < of_.count; i += threads)
      steps += static_cast<unsigned long long>(walk(i));
    dataflow::cuda::add_of_warp(of_.steps, steps);
    dataflow::cuda::add_of_warp(of_.ended, ended_);
  }

 private:
  using row_type = walk_row<Id>;

  /// Steps that it took.
  __device__ std::int64_t walk(std::int64_t i) {
    number_ = static_cast<std::uint64_t>(of_.first + i);
    Id* const row = of_.walks + i * (of_.length + 1);
    if (of_.from == 0) {
      const std::int64_t source = (of_.first + i) / of_.walks_of_source;
      row[0] = static_cast<Id>(of_.sources == nullptr ? source : of_.sources[source]);
    }
    Id v = row[of_.from];
    if (v < 0) return fill(row, of_.from);
    if (Second && of_.from > 0) arrive(before_, row[of_.from - 1]);
    for (std::int64_t step = of_.from; step < of_.to; ++step) {
      arrive(here_, v);
      if (here_.row.degree == 0 || (Weighted && here_.sum == 0)) {
        ++ended_;
        fill(row, step);
        return step - of_.from;
      }
      v = here_.row.columns[arc(step)];
      row[step + 1] = v;
      if constexpr (Second) before_ = here_;
    }
    return of_.to - of_.from;
  }
  /// The walk has ended at `step`.
  __device__ std::int64_t fill(Id* row, std::int64_t step) const {
    for (; step < of_.to; ++step) row[step + 1] = -1;
    return 0;
  }

  struct place {
    Id vertex;
    row_type row;
    std::uint64_t sum;  ///< of the row's weights
  };
  __device__ void arrive(place& at, Id v) const {
    const edge_offset first = rows_.offsets[v];
    at.vertex = v;
    at.row = {rows_.columns + first, Weighted ? rows_.up_to + first : nullptr,
              rows_.offsets[v + 1] - first};
    if constexpr (Weighted) at.sum = rows_.row_sum[v];
  }

  /// Which of the row's arcs the step takes.
  __device__ std::int64_t arc(std::int64_t step) const {
    const auto at_step = static_cast<std::uint32_t>(step);
    if constexpr (Second)
      if (step > 0) return arc_by_attempts(at_step);
    return drawn(draw(of_.seed, number_, at_step, 0).a);
  }
  __device__ std::int64_t arc_by_attempts(std::uint32_t step) const {
    for (std::uint32_t attempt = 0; attempt < attempts_at_most; ++attempt) {
      const drawn_words words = draw(of_.seed, number_, step, attempt);
      const std::int64_t i = drawn(words.a);
      if (is_taken(here_.row.columns[i], words.b >> 1)) return i;
    }
    return exact_arc(here_.row, before_.row, before_.vertex, of_.counts, rows_.sorted,
                     draw(of_.seed, number_, step, attempts_at_most).a);
  }
  __device__ std::int64_t drawn(std::uint64_t a) const {
    const auto degree = static_cast<std::uint64_t>(here_.row.degree);
    if constexpr (!Weighted) return static_cast<std::int64_t>(part_of(a, degree));
    const std::uint64_t wanted = part_of(a, here_.sum);
    std::int64_t low = 0, high = here_.row.degree - 1;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (here_.row.sums[middle] > wanted)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  /// By the bar that it must be below. In an undirected graph either row says whether x and the
  /// vertex before are neighbours.
  __device__ bool is_taken(Id x, std::uint64_t bar) const {
    const second_order& counts = of_.counts;
    if (x == before_.vertex) return bar < counts.back;
    if (bar < counts.near && bar < counts.far) return true;
    if (bar >= counts.near && bar >= counts.far) return false;
    row_type row = before_.row;
    Id wanted = x;
    if (rows_.symmetric) {
      const edge_offset first = rows_.offsets[x];
      const std::int64_t degree = rows_.offsets[x + 1] - first;
      if (degree < row.degree) {
        row = {rows_.columns + first, nullptr, degree};
        wanted = before_.vertex;
      }
    }
    return bar <
           (row_has(row.columns, row.degree, wanted, rows_.sorted) ? counts.near : counts.far);
  }

  const device_rows<Id>& rows_;
  const walk_slice<Id>& of_;
  std::uint64_t number_ = 0;
  place here_{}, before_{};
  unsigned long long ended_ = 0;
};

}  // namespace gossamer::random_walks_detail::cuda
