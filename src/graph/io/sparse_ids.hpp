// Ids of lists that do not say how many vertices there are: any numbers, which need not be dense.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/io/edge_sink.hpp"

namespace gossamer::io {

/// The plan for `edges` with ids up to `largest`, of which `nodes` says how many there are.
read_plan plan_sparse(const read_context& context, std::int64_t edges, std::int64_t largest,
                      int weight_bytes, std::optional<std::int64_t> nodes = {});

/// Of all ids in the sink; 0 without edges.
std::int64_t largest_id(edge_sink& sink);

struct named_vertices {
  std::int64_t count = 0;
  vertex_names names;
};
/// Renumbers what is in the sink, in ascending order of ids; no map where they are 0 to `largest`.
/// Refuses before memory is taken.
named_vertices renumbered(edge_sink& sink, std::int64_t largest, const read_context& context);

}  // namespace gossamer::io
