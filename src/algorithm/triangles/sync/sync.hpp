// Engine sync on CPU ranks of one process: all read the same oriented rows, and threads of all
// ranks take blocks of rows until none is left.
#pragma once

#include <memory>

#include "algorithm/triangles/engine.hpp"

namespace gossamer::triangles_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of counters that all threads share.
std::int64_t beyond_bytes(const problem& p);
/// Bytes of a thread's arrays.
std::int64_t thread_bytes(const problem& p);

}  // namespace gossamer::triangles_detail
