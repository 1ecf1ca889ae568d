// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks take
// batches of sources.
#pragma once

#include <memory>

#include "algorithm/distances/engine.hpp"

namespace gossamer::distances_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of what all share, with bounds where they are in the host's memory, and of what each
/// thread has.
std::int64_t shared_bytes(const problem& p, const distances_options& options, bool bounds_here);
std::int64_t thread_bytes(const problem& p, const distances_options& options);

}  // namespace gossamer::distances_detail
