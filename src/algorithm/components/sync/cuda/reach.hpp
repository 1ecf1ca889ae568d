// What the vertex with the most neighbours reaches in two steps is one component, found without a
// union: on graphs with a hub nearly all of it. One rank's way of sampling such graphs, instead of
// two arcs of each row (passes.hpp): kron:22 took 0.92 ms so, 0.14 this way, on an H200.
#pragma once

#include <cstdint>

#include "algorithm/components/sync/cuda/passes.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer::components_detail::cuda {

/// Arcs of a row that are looked at, at most.
inline constexpr int reach_arcs = 64;

/// Estimated from the ends of 1,024 evenly spread arcs, so that a vertex counts as often as it has
/// arcs: whether 15 of 16 are `hub`'s neighbours or have one among their first `looked_at` ones.
/// What is left has to be hooked arc by arc, so nothing less will do. The graph is symmetric and
/// has `arcs` arcs, one or more; by a thread whose current device is that of the rows.
template <class Id>
bool reaches_most(const device& on, const device_rows<Id>& rows, std::int64_t arcs, Id hub,
                  std::int64_t looked_at = reach_arcs);

/// Afterwards state->largest is the smallest vertex found within two steps of `hub` (three where
/// a neighbour was found in time) and the label of all of them; other vertices have their own.
/// Clears state->chunks. `rows` are those of all vertices.
template <class Id>
void reach(const launch_site& on, const device_rows<Id>& rows, Id hub, edge_offset hub_arcs,
           Id* labels, run_state* state);

}  // namespace gossamer::components_detail::cuda
