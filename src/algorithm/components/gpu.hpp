// Engine sync on GPUs: hooking and compressing in the GPUs' memory, merged by pairs of ranks.
//
// Every rank has its slice in its GPU's memory, and a label array of the whole graph, a window.
// Everything is queued in the rank's stream, and the host waits for it once. Where ranks' rows have
// few arcs to others, labels stay with their owners instead (cuda/between.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/components/engine.hpp"
#include "algorithm/components/planning.hpp"

namespace gossamer::components_detail {

/// All ranks are GPUs of this process. In components/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(std::shared_ptr<const placed_graph> g);

/// Labels that a rank fetches from a GPU whose memory it cannot address, in one get.
inline constexpr std::int64_t fetched_by_gpu = std::int64_t{1} << 20;
/// Rows of this many arcs and more are hooked in chunks of as many, by any warps.
inline constexpr std::int64_t chunk_arcs = 4096;

/// Arcs from `rows` to other ranks' vertices up to which labels stay with their owners.
constexpr std::int64_t few_between(std::int64_t rows) {
  return rows / 32 + 64;
}

/// What a rank takes of its GPU's memory.
void declare_gpu(memory_layout& l, const machine& m, const problem& p, int rank);

}  // namespace gossamer::components_detail
