// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks share
// the edges.
#pragma once

#include <memory>

#include "algorithm/spanning_forest/engine.hpp"

namespace gossamer::spanning_forest_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of what all share: edges at most, and what is known of vertices and arcs.
struct sync_bytes {
  std::int64_t edges = 0, vertices = 0, arcs = 0;
};
sync_bytes sync_bytes_of(const problem& p);

}  // namespace gossamer::spanning_forest_detail
