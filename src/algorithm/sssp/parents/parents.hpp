// Parents from finished distances: nothing is kept for them while distances are searched.
//
// A vertex takes the first neighbour in its row of in-arcs that is nearer to the source and whose
// arc is tight: rows ascend, so that it is the one with the smallest id, and most rows are left
// early. Vertices for which there is none lie at the distance of a neighbour (a weight of zero, or
// one lost in rounding); they are found from the others by a search along such arcs, level by level
// in the order of ids. Chains end at the source, since (distance, level) falls along them.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/sssp/weights.hpp"

namespace gossamer::sssp_detail {

/// -2 in `parents`: only arcs from the same distance are tight.
inline constexpr std::int64_t pending = -2;

/// Parents of the rows [first, last); `in`: in-arcs, rows ascending unless not `sorted`. Returns
/// how many stay pending.
template <class Id, class Distance>
std::int64_t find_parents(const weighted_rows<Id, Distance>& in, bool sorted,
                          const Distance* distances, std::int64_t source, std::int64_t first,
                          std::int64_t last, int threads, std::int64_t* parents);

/// Parents of those that are pending; `out`: out-arcs. Serial, O(n + m): for weights of zero.
template <class Id, class Distance>
void settle_pending(const weighted_rows<Id, Distance>& out, const Distance* distances,
                    std::int64_t* parents);

}  // namespace gossamer::sssp_detail
