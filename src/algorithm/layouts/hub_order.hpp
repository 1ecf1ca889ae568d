// An order of vertices in which those that arcs lead to most often lie together.
//
// Distances and offers are read in the order of columns, which is random; on a skewed graph most of
// these reads go to few vertices, and when those share cache lines, they stay in the cache. Within
// a class of degrees the order is the old one, so that what locality there is remains.
#pragma once

#include <cstdint>
#include <span>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// Classes of degrees. powers: powers of two. lengths: also each degree below 64 by itself. Then
/// one row after the other is as long as the last, and loops over them end where the processor
/// expects.
enum class degree_classes : std::uint8_t { powers, lengths };

/// [n] where each vertex goes: by falling degree inside each of the ranges [first[r], first[r +
/// 1]). `offsets`: of rows whose lengths are the degrees.
template <class Id>
shared_array<Id> hub_positions(std::span<const edge_offset> offsets,
                               std::span<const std::int64_t> first,
                               degree_classes classes = degree_classes::powers);

}  // namespace gossamer::algorithm_detail
