// Engine sync on a GPU: rounds of moves are one kernel, and smaller graphs are made by sorting. Of
// several GPU ranks the first works: later levels have too little to do for one.
#pragma once

#include <memory>

#include "algorithm/communities/engine.hpp"

namespace gossamer::communities_detail {

/// All ranks are GPUs of this process. In communities/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What the first rank takes of its GPU's memory, and the host while weights go there.
void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const communities_options& options);

}  // namespace gossamer::communities_detail
