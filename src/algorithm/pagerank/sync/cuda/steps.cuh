// The iteration as kernels that never wait: for GPUs that cannot address each other's memory, and
// ranks whose kernels take turns. The host agrees and exchanges between them.
#pragma once

#include <cstdint>

#include "algorithm/cuda/block_sums.cuh"
#include "algorithm/pagerank/sync/cuda/pull.cuh"

namespace gossamer::pagerank_detail::cuda {

using algorithm_detail::cuda::block_size, algorithm_detail::cuda::block_sum,
    algorithm_detail::cuda::most_blocks;

enum class pull_step : std::uint8_t { begin, rows, split_rows };

/// Leaves a block's sums of the change and of what dangling vertices have in partial[set] and
/// partial[set + 1], sets of most_blocks.
template <class Value, bool Weighted>
__global__ void __launch_bounds__(block_size)
    step_kernel(const __grid_constant__ pull_work<Value> w, pull_step step, int from,
                double dangling, double* partial, int set) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * block_size + threadIdx.x;
  const std::int64_t threads = std::int64_t{gridDim.x} * block_size;
  pull_pass<Value, Weighted> pass(w, from, dangling);
  if (step == pull_step::begin)
    pass.begin(thread, threads);
  else if (step == pull_step::rows)
    pass.rows(thread / 32, threads / 32);
  else
    pass.split_rows(thread / 32, threads / 32);
  const double change = block_sum(pass.change), left = block_sum(pass.dangling);
  if (threadIdx.x != 0) return;
  partial[set * most_blocks + blockIdx.x] = change;
  partial[(set + 1) * most_blocks + blockIdx.x] = left;
}

}  // namespace gossamer::pagerank_detail::cuda
