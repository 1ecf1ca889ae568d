// Bytes of a search: what its windows and engines take on every rank. Private to bfs.
#pragma once

#include <vector>

#include "gossamer/algorithm/bfs.hpp"

namespace gossamer::bfs_detail {

/// The arenas of a run, exactly: every window the driver makes, each at its alignment.
std::vector<arena_plan> arenas(const placed_graph& g, const bfs_options& options);

}  // namespace gossamer::bfs_detail
