// Engine sync on one CPU rank, for graphs whose rows are all short, such as roads: triangles are
// found in the caller's rows, and nothing is laid out before.
#pragma once

#include <memory>

#include "algorithm/triangles/engine.hpp"

namespace gossamer::triangles_detail {

/// Null unless rows are sorted, of a symmetric graph without values, none of them long, with few
/// arcs a vertex. O(n).
std::unique_ptr<engine> make_short_rows(const preparation& from);

}  // namespace gossamer::triangles_detail
