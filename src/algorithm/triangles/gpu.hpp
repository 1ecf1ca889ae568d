// Engine sync on GPUs: every rank has all oriented rows in its GPU's memory, and counts what every
// p-th row closes. Each GPU has counters of all vertices, which are added up at the end.
#pragma once

#include <memory>

#include "algorithm/triangles/engine.hpp"

namespace gossamer::triangles_detail {

/// All ranks are GPUs of this process. In triangles/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What a rank takes of its GPU's memory.
void declare_gpu(memory_layout& l, const machine& m, const problem& p, int rank);
/// What the host takes while rows go to GPUs.
inline std::int64_t uploading_bytes(const problem& p) {
  return p.vertices * p.id_width;
}

}  // namespace gossamer::triangles_detail
