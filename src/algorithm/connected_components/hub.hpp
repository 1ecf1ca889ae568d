// The vertex with the most neighbours, and whether nearly all of a graph is within two steps of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer/graph/csr.hpp"

namespace gossamer::components_detail {

/// A vertex with as many neighbours is a hub.
inline constexpr std::int64_t hub_arcs = 1024;

/// Estimated from the ends of 1,024 evenly spread arcs, so that a vertex counts as often as it has
/// arcs: whether 15 of 16 are `hub`'s neighbours or have one among their first `looked_at` ones.
/// What is left has to be hooked arc by arc, so nothing less will do. g: symmetric, with arcs.
template <class Id>
bool reaches_most(const csr_view<Id>& g, std::int64_t hub, std::int64_t looked_at) {
  constexpr std::int64_t drawn = 1024;
  const auto near = g.row(hub);
  const auto is_near = [&](Id u) {
    return u == hub || std::binary_search(near.begin(), near.end(), u);
  };
  const auto arcs = static_cast<std::int64_t>(g.indices.size());
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < drawn; ++i) {
    const Id u = g.indices[static_cast<std::size_t>(arcs / drawn * i + arcs % drawn * i / drawn)];
    const auto row = g.row(u);
    const auto end = row.begin() + std::min<std::int64_t>(std::ssize(row), looked_at);
    found += is_near(u) || std::any_of(row.begin(), end, is_near);
  }
  return found >= drawn / 16 * 15;
}

}  // namespace gossamer::components_detail
