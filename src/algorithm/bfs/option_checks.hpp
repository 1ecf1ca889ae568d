// What a search is asked for, checked before there is a graph: the same for plans and for runs.
#pragma once

#include "algorithm/driver/engine_choice.hpp"
#include "gossamer/algorithm/bfs.hpp"

namespace gossamer::bfs_detail {

/// The engine that runs on `m`. Throws usage_error for names that are none and options that it has
/// not, not_compiled for an engine that is not there.
algorithm_detail::engine_choice check_asked(const machine& m, const bfs_options& options);

}  // namespace gossamer::bfs_detail
