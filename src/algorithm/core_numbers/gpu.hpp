// Engine sync on a GPU: one kernel peels level by level. Of several GPU ranks the first works: a
// level takes microseconds, less than two GPUs need to meet.
#pragma once

#include <memory>

#include "algorithm/core_numbers/engine.hpp"

namespace gossamer::core_numbers_detail {

/// All ranks are GPUs of this process. In core_numbers/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What the first rank takes of its GPU's memory.
void declare_gpu(memory_layout& l, const machine& m, const problem& p);

}  // namespace gossamer::core_numbers_detail
