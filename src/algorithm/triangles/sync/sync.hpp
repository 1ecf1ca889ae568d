// Engine sync on CPU ranks of one process: all read the same oriented rows, and threads of all
// ranks take blocks of rows until none is left.
#pragma once

#include <memory>

#include "algorithm/triangles/engine.hpp"

namespace gossamer::triangles_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of rows and of hubs' bits, which all share, and what is taken while rows are laid out.
struct shared_bytes {
  std::int64_t rows = 0, making = 0, hubs = 0, beyond = 0;
};
shared_bytes sync_bytes(const machine& m, const problem& p);
/// Bytes of a thread's arrays.
std::int64_t thread_bytes(const problem& p);

}  // namespace gossamer::triangles_detail
