// Engine sync on GPUs: every rank has all rows in its GPU's memory, and takes every p-th slice of
// the walks.
#pragma once

#include <memory>

#include "algorithm/random_walks/engine.hpp"

namespace gossamer::random_walks_detail {

/// All ranks are GPUs of this process. In random_walks/sync/cuda, else absent: not_compiled.
std::unique_ptr<engine> make_gpu(const preparation& from);

/// What a rank takes of its GPU's memory.
void declare_gpu(memory_layout& l, const problem& p, const random_walks_options& options, int rank);

}  // namespace gossamer::random_walks_detail
