// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks share
// the walks.
#pragma once

#include <memory>

#include "algorithm/random_walks/engine.hpp"

namespace gossamer::random_walks_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of weights added up along rows, which are kept for the graph.
std::int64_t sum_bytes(const problem& p);

}  // namespace gossamer::random_walks_detail
