// Engine sync on a GPU: edges lie in its memory, and each step of a round is a kernel. Of several
// GPU ranks the first works: later rounds have too little to do for one.
#pragma once

#include <memory>

#include "algorithm/spanning_forest/engine.hpp"

namespace gossamer::spanning_forest_detail {

/// All ranks are GPUs of this process. In spanning_forest/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What the first rank takes of its GPU's memory, and the host while edges go there.
void declare_gpu(memory_layout& l, const machine& m, const problem& p);

}  // namespace gossamer::spanning_forest_detail
