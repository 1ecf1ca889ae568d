// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks share
// the searches and the vertices.
#pragma once

#include <memory>

#include "algorithm/strong_components/engine.hpp"

namespace gossamer::strong_components_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of what all share.
std::int64_t shared_bytes(const problem& p);

}  // namespace gossamer::strong_components_detail
