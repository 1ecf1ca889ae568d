// Labels that stay with their owners. Every rank joins what its own rows join among themselves.
// Then the few arcs between ranks' vertices are hooked in all of the ranks' memories at once.
//
// Instead of merging label arrays of the whole graph by pairs (program.cpp), which every vertex's
// label has to travel for. Worth it where ranges of rows have few arcs to others, as networks in
// the order of their ids or divided by a partitioner do.
#pragma once

#include <cstdint>

#include "algorithm/components/sync/cuda/passes.hpp"

namespace gossamer::components_detail::cuda {

/// An arc from an own vertex to one of another rank.
template <class Id>
struct arc_between {
  Id own, other;
};

/// Where every vertex's label is: of v with first[r] <= v < first[r + 1], labels[r][v].
template <class Id>
struct owned_labels {
  Id* const* labels;          ///< [ranks], arrays of the whole graph
  const std::int64_t* first;  ///< [ranks + 1]
  int rank;
};

/// Lists arcs to vertices that are not of `rows`, at most `room` of them; *count, zero before, is
/// their number, or more than `room` when there are more.
template <class Id>
void list_between(const launch_site& on, const device_rows<Id>& rows, std::int64_t room,
                  arc_between<Id>* arcs, unsigned long long* count);

// In this order, a meeting of all ranks before each of the first two. Own labels are roots by then,
// as compress() leaves them.
/// Hooks arcs to smaller vertices: each edge once, from its larger end.
template <class Id>
void hook_between(const launch_site& on, const arc_between<Id>* arcs, std::int64_t count,
                  const owned_labels<Id>& all);
/// Of own vertices with arcs to others, and of the roots that they had: label := the root of all
/// ranks. No other own root has become another's child.
template <class Id>
void settle_between(const launch_site& on, const arc_between<Id>* arcs, std::int64_t count,
                    const owned_labels<Id>& all);
/// Of all own vertices: label := the label of the root that they had.
template <class Id>
void finish_owned(const launch_site& on, vertex_span own, Id* labels);

}  // namespace gossamer::components_detail::cuda
