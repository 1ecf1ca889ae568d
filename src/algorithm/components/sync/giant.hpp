// Most of the largest component without a union: a queue from a vertex with many arcs until it has
// reached a part of the graph, then sweeps over the rows of what is not reached.
//
// A sweep marks a vertex as soon as one of its neighbours is marked, in the same sweep too, so it
// needs no levels. Where the queue grows as in small worlds, a row ends after a few arcs, and what
// is asked of a neighbour is a bit: n / 8 bytes instead of n labels at random places. Deep graphs
// would need many sweeps; how slowly their queue grows gives them away, and they are left alone.
#pragma once

#include <cstdint>
#include <span>

#include "algorithm/components/sync/hook.hpp"
#include "algorithm/driver/array_list.hpp"

namespace gossamer::components_detail {

/// What flood_giant() works with.
template <class Id>
struct flood_arrays {
  shared_array<std::uint64_t> bits;
  shared_array<Id> queue;

  void list(algorithm_detail::array_list& of, std::int64_t vertices) {
    of.add(bits, (vertices + 63) / 64);
    of.add(queue, queued(vertices));
  }
  /// The queue ends when it has reached so many.
  static std::int64_t queued(std::int64_t vertices) { return vertices / 16 + 64; }
};

/// Rows of the whole graph, which hold each edge twice. True: vertices that were reached have the
/// smallest of them as label, others their own, and the rest is for hook_others(). False: the graph
/// is too deep, or the component small; labels are as they were.
template <class Id>
bool flood_giant(const own_rows<Id>& rows, flood_arrays<Id>& space, std::span<Id> labels);

/// Hooks and compresses what flood_giant() has not reached.
template <class Id>
void hook_others(const own_rows<Id>& rows, const flood_arrays<Id>& space, std::span<Id> labels);

}  // namespace gossamer::components_detail
