// What is laid out for a graph before anything is counted, and stays with it for later calls: the
// oriented rows, the bits of hubs, and pieces of about the same work.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "algorithm/layouts/oriented_rows.hpp"
#include "algorithm/triangles/planning.hpp"
#include "algorithm/triangles/sync/hub_bits.hpp"

namespace gossamer::triangles_detail {

template <class Id, class Value>
struct laid_rows {
  algorithm_detail::oriented_rows<Id, Value> rows;
  hub_bits hubs;
  std::vector<std::int64_t> blocks;  ///< rows that a thread takes at once begin here; and the end
};

/// Found where an earlier call left it, or made; `seconds` that took. cancelled_error soon after a
/// request to `stop`.
template <class Id, class Value>
std::shared_ptr<const laid_rows<Id, Value>> laid(const machine& m, const graph& g,
                                                 const std::stop_token& stop, double& seconds);

/// No row is longer.
std::int64_t longest_row(std::int64_t vertices, std::int64_t arcs, bool symmetric);

/// Bytes in host memory of rows, of hubs' bits, and of what is taken while rows are laid out.
struct laid_bytes {
  std::int64_t rows = 0, making = 0, hubs = 0;
};
laid_bytes bytes_of_laid(const machine& m, const problem& p);
/// What edges are worth, in bytes: see oriented_rows.
int value_width(const problem& p);
/// Edges, at most.
std::int64_t most_edges(const problem& p);

}  // namespace gossamer::triangles_detail
