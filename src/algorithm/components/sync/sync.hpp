// Engine sync on CPU ranks: each hooks along its own rows, then pairs of ranks merge what they
// found.
//
// Merging goes in steps s = 1, 2, 4, … In each, every rank r with r mod 2s = 0 takes the labels of
// the rank s behind it. That rank has raised its signal when its labels hold all that it and the
// ranks behind it have found. They are fetched in pieces, so that no rank keeps a second array: r
// joins v with the label that the other has for it. After the last step rank 0 knows everything.
// log2 p steps, n labels a merge.
#pragma once

#include "gossamer/algorithm/components.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

/// Fills labels, by placed id, times and phases of `result`.
void run_sync(const placed_graph& g, const run_options& options, components_result& result);

}  // namespace gossamer::components_detail
