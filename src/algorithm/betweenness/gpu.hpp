// Engine sync on GPUs: a GPU's blocks form groups, of which each searches from one source at a
// time. Each GPU holds the whole graph, and sources go to all of them in turn.
#pragma once

#include <memory>

#include "algorithm/betweenness/engine.hpp"

namespace gossamer::betweenness_detail {

/// All ranks are GPUs of this process. In betweenness/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What ranks take of their GPUs' memories, and of the host's.
void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const betweenness_options& options);

}  // namespace gossamer::betweenness_detail
