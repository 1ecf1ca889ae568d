// Weak components by union-find and strong ones by depth-first search, for the graph layer's own
// use.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::detail {

/// root[v] is the smallest vertex of v's component.
struct components {
  std::vector<std::int64_t> root;
  std::int64_t count = 0;
  std::int64_t largest = 0;       ///< vertices of the largest component
  std::int64_t largest_root = 0;  ///< its smallest vertex; ties go to the smaller one
};

/// Components of g with the directions of its arcs ignored. O(n + m) in practice, 16 bytes a
/// vertex, on `threads` threads (0 = all cores); cancelled_error soon after a stop is requested.
components weak_components(const graph& g, int threads = 0, const std::stop_token& stop = {});

/// Number of strong components, and vertices of the largest.
struct strong {
  std::int64_t count = 0, largest = 0;
};

/// Strong components of g. O(n + m), 16 to 32 bytes a vertex, on one thread: depth-first order has
/// no parallel form. cancelled_error soon after a stop is requested.
strong strong_components(const graph& g, const std::stop_token& stop = {});

}  // namespace gossamer::detail
