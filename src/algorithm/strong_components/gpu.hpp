// Engine sync on a GPU: one kernel searches, trims and colours; what is left after many levels is
// searched depth first on the host. Of several GPU ranks the first works: a level takes
// microseconds, less than two GPUs need to meet.
#pragma once

#include <memory>

#include "algorithm/strong_components/engine.hpp"

namespace gossamer::strong_components_detail {

/// All ranks are GPUs of this process. In strong_components/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What the first rank takes of its GPU's memory, and the host.
void declare_gpu(memory_layout& l, const problem& p);

}  // namespace gossamer::strong_components_detail
