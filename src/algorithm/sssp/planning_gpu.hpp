// Bytes of shortest paths on GPU ranks, by engine: planning.cpp's other half.
#pragma once

#include "algorithm/sssp/planning.hpp"

namespace gossamer::sssp_detail {

/// What rank `r` takes of its GPU and, for messages, of the host, without agreement.
void plan_gpu(memory_plan& plan, const machine& m, const problem& p, int r,
              const sssp_options& options);
/// The part of these bytes that is windows.
arena_plan gpu_arena(const machine& m, const problem& p, int r, const sssp_options& options);

}  // namespace gossamer::sssp_detail
