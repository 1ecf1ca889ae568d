// The kernels of a round as functions: one launch each, asynchronous in a stream. The host code of
// a rank (engine.cpp) sees no launch syntax.
#pragma once

#include "algorithm/spanning_forest/sync/cuda/round_view.hpp"

namespace gossamer::spanning_forest_detail::cuda {

/// Where launches go.
struct launch_site {
  void* stream = nullptr;  ///< cudaStream_t
  int units = 1;           ///< streaming multiprocessors that this rank may fill
};

/// Every vertex is a component.
template <class Id>
void begin(const launch_site& on, const round_view<Id>& of);
/// Every vertex knows its component's name, or is nearer to it.
template <class Id>
void shorten(const launch_site& on, const round_view<Id>& of);

// Steps over a list of edges (round_steps.cuh).
template <class Id, bool Packed>
void offer(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges);
template <class Id, bool Packed>
void offer_arcs(const launch_site& on, const round_view<Id>& of,
                const edge_list<Id, Packed>& edges);
template <class Id, bool Packed>
void choose(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges);
template <class Id, bool Packed>
void drop(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges,
          edge<Id, Packed>* to);
template <class Id, bool Packed>
void take_first(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges,
                const last_edge& last, edge<Id, Packed>* to);

/// Bytes that collect() works with, for so many arcs.
std::int64_t collect_bytes(std::int64_t arcs);
/// The arcs whose bits are set, ascending, to `to`; how many to `count`.
void collect(const launch_site& on, const unsigned* chosen, std::int64_t arcs, std::int64_t* to,
             std::int64_t* count, void* work, std::int64_t work_bytes);

}  // namespace gossamer::spanning_forest_detail::cuda
