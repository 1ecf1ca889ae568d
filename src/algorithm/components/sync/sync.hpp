// Engine sync on CPU ranks: each hooks along its own rows, then pairs of ranks merge what they
// found.
//
// Merging goes in steps s = 1, 2, 4, … In each, every rank r with r mod 2s = 0 takes the labels of
// the rank s behind it. That rank has raised its signal when its labels hold all that it and the
// ranks behind it have found. They are fetched in pieces, so that no rank keeps a second array: r
// joins v with the label that the other has for it. After the last step rank 0 knows everything.
// log2 p steps, n labels a merge.
#pragma once

#include <memory>

#include "algorithm/components/engine.hpp"

namespace gossamer::components_detail {

/// On CPU ranks.
std::unique_ptr<engine> make_sync(std::shared_ptr<const placed_graph> g);

/// Labels that a rank fetches from another in one get.
inline constexpr std::int64_t fetched = 65536;

}  // namespace gossamer::components_detail
