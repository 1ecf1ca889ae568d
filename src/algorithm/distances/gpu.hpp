// Engine sync on GPUs: 64 searches at once by one kernel. Every rank has all rows in its GPU's
// memory, and takes batches of sources; bounds are in the memory of the first, which works alone.
#pragma once

#include <memory>

#include "algorithm/distances/engine.hpp"

namespace gossamer::distances_detail {

/// All ranks are GPUs of this process. In distances/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What ranks take of their GPUs' memory.
void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const distances_options& options);

}  // namespace gossamer::distances_detail
