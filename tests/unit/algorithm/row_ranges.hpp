// Ranges of rows, one a rank, for tests of what works on any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/ids.hpp"

namespace gossamer::testing_graphs {

/// [ranks + 1] ceil(n / ranks) rows each, the last takes what is left.
inline std::vector<std::int64_t> even_ranges(std::int64_t n, int ranks) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, n);
  for (int r = 0; r < ranks; ++r)
    first[static_cast<std::size_t>(r)] = std::min(n, r * ((n + ranks - 1) / ranks));
  return first;
}

/// [ranks + 1] as many arcs each, as far as whole rows allow.
inline std::vector<std::int64_t> arc_ranges(std::span<const edge_offset> offsets, int ranks) {
  const auto n = static_cast<std::int64_t>(offsets.size()) - 1;
  std::vector<std::int64_t> first{0};
  for (int r = 1; r < ranks; ++r) {
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), offsets.back() * r / ranks);
    first.push_back(std::max<std::int64_t>(first.back(), at - offsets.begin()));
  }
  first.push_back(n);
  return first;
}

}  // namespace gossamer::testing_graphs
