// Engine sync on CPU ranks of one process: all read the same rows, and threads of all ranks share
// the vertices of each level.
#pragma once

#include <memory>

#include "algorithm/communities/engine.hpp"

namespace gossamer::communities_detail {

std::unique_ptr<engine> make_sync(const preparation& from);

/// Bytes of what all share, and of each thread.
struct sync_bytes {
  std::int64_t arcs = 0;      ///< weights, and the smaller graphs, at most
  std::int64_t vertices = 0;  ///< what is known of vertices and communities
  std::int64_t thread = 0;    ///< a weight and a place for each community
};
sync_bytes sync_bytes_of(const problem& p, const communities_options& options);

}  // namespace gossamer::communities_detail
