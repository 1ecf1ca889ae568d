// Contiguous ranges of rows, one a rank, for algorithms that read rows where the caller has them.
//
// Every process of a machine has the whole graph, so a CPU rank needs no slice of its own: it reads
// its range of the caller's arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// [ranks + 1] ceil(n / ranks) rows each, the last takes what is left.
std::vector<std::int64_t> even_ranges(std::int64_t n, int ranks);
/// [ranks + 1] as many arcs each, as far as whole rows allow.
std::vector<std::int64_t> arc_ranges(std::span<const edge_offset> offsets, int ranks);
/// Rows of the longest of [ranks + 1] ranges.
std::int64_t longest_range(std::span<const std::int64_t> first);
/// Whether rows lie elsewhere in blocks of longest_range() places, one a rank: never those of
/// even_ranges().
bool is_padded(std::span<const std::int64_t> first);

}  // namespace gossamer::algorithm_detail
