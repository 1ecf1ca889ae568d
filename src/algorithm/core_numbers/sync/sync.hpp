// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks share
// the vertices that leave at a level.
#pragma once

#include <memory>

#include "algorithm/core_numbers/engine.hpp"

namespace gossamer::core_numbers_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of the lists of vertices that all share.
std::int64_t list_bytes(const problem& p);

}  // namespace gossamer::core_numbers_detail
