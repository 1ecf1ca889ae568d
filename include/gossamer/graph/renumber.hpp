// The same graph with its vertices in another order, so that those that belong together lie in one
// range.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Vertex i of the result is vertex order[i] of g, and keeps its name (vertex_names::map). Rows are
/// sorted by the new ids whatever those of g were; parallel arcs stay in their order. `threads`: 0
/// = all cores. usage_error unless `order` names each vertex once; cancelled_error soon after a
/// stop is requested. Takes renumber_bytes() (memory_needs.hpp) and, with
/// weights, 16 bytes an arc of the longest row for each thread. O(n + m log(longest row)).
graph renumbered(const graph& g, std::span<const std::int64_t> order, int threads = 0,
                 const std::stop_token& stop = {});

}  // namespace gossamer
