// Engine sync on GPUs: hooking and compressing in the GPUs' memory, merged by pairs of ranks.
//
// Every rank has its rows in its GPU's memory, uploaded once, and a label array of the whole graph,
// a window. Everything is queued in the rank's stream, and the host waits for it once. Where ranks'
// rows have few arcs to others, labels stay with their owners instead (cuda/between.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/connected_components/planning.hpp"
#include "algorithm/connected_components/program.hpp"

namespace gossamer::components_detail {

/// Uploads the rows. `first`: [ranks + 1] row ranges; all ranks are GPUs of this process. In
/// connected_components/cuda, else absent: not_compiled.
std::unique_ptr<components_program> make_gpu(machine& m, const graph& g,
                                             const std::vector<std::int64_t>& first);

/// Labels that a rank fetches from a GPU whose memory it cannot address, in one get.
inline constexpr std::int64_t fetched_by_gpu = std::int64_t{1} << 20;
/// Rows of this many arcs and more are hooked in chunks of as many, by any warps.
inline constexpr std::int64_t chunk_arcs = 4096;

/// Arcs from `rows` to other ranks' vertices up to which labels stay with their owners.
constexpr std::int64_t few_between(std::int64_t rows) {
  return rows / 32 + 64;
}

/// What a rank takes of its GPU's memory, in bytes.
struct gpu_bytes {
  std::int64_t rows = 0;     ///< offsets and columns
  std::int64_t chunks = 0;   ///< the list of them, counters
  std::int64_t labels = 0;   ///< a window of the whole graph
  std::int64_t left = 0;     ///< of one rank: those of a result, and sizes of components
  std::int64_t between = 0;  ///< arcs to other ranks' vertices, where labels may stay
  std::int64_t fetched = 0;  ///< of another rank, where its memory cannot be addressed
};
gpu_bytes gpu_bytes_on(const machine& m, const problem& p, int rank);

}  // namespace gossamer::components_detail
