// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks take
// sources one by one.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/betweenness/engine.hpp"

namespace gossamer::betweenness_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Threads of rank `r` that work: no more than sources in all.
int workers(const machine& m, int r, std::int64_t sources);
/// Bytes of one of them.
std::int64_t thread_bytes(const problem& p, bool edges);

}  // namespace gossamer::betweenness_detail
