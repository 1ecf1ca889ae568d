// gpu_engine: one GPU rank's rows in its memory, and the iteration over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "algorithm/pagerank/sync/iteration.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::pagerank_detail {

template <class Value>
class gpu_engine {
 public:
  virtual ~gpu_engine() = default;
  /// Own rows by slot: `ranks` is the start, and what it becomes; `jumps` may be empty. Collective.
  virtual outcome iterate(rank& r, std::span<Value> ranks, std::span<const double> jumps) = 0;
  /// Of rows that were built on the GPU, all by vertex: `start` and `jumps` may be empty; `ranks`
  /// lie on the GPU.
  virtual outcome iterate(rank& r, std::span<const double> start, std::span<const double> jumps,
                          Value* ranks) = 0;
};

/// Uploads the rows of `rank`. `one_kernel`: every rank's kernels can wait for each other's and
/// store into their memory. `needs`: how much of the rows stays on the GPU. In
/// src/algorithm/pagerank/cuda, else absent: not_compiled.
template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(const gpu_rows<Value>& rows, int rank,
                                                   const device& on,
                                                   const pagerank_options& options, bool one_kernel,
                                                   const memory_plan& needs);

/// Of rows of the only rank, which lie in its memory. Otherwise the same.
template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(std::shared_ptr<const rows_on_gpu<Value>> rows,
                                                   const device& on,
                                                   const pagerank_options& options,
                                                   bool one_kernel);

/// 64-bit words of the sums over a kernel's blocks, and bytes of what it keeps between launches.
inline constexpr std::size_t gpu_sum_words = std::size_t{2} * 2 * (2048 + 1) * 2;
inline constexpr std::size_t gpu_partial_sums = std::size_t{4} * 2048;
inline constexpr std::size_t gpu_state_bytes = 128;

}  // namespace gossamer::pagerank_detail
