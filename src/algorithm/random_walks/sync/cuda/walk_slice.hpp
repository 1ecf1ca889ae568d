// What a kernel that walks is given.
#pragma once

#include <cstdint>

#include "algorithm/random_walks/step.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::random_walks_detail::cuda {

/// Rows in a GPU's memory.
template <class Id>
struct device_rows {
  const edge_offset* offsets;
  const Id* columns;
  const std::uint64_t* up_to;    ///< [arcs], of weighted walks
  const std::uint64_t* row_sum;  ///< [vertices], of weighted walks
  bool sorted, symmetric;
};

/// Walks [first, first + count), and of these the steps [from, to). Where a walk stands is in its
/// row.
template <class Id>
struct walk_slice {
  std::int64_t first, count;
  std::int64_t from, to, length;
  std::int64_t walks_of_source;
  const std::int64_t* sources;  ///< null: all vertices
  std::uint64_t seed;
  second_order counts;
  Id* walks;                          ///< [count][length + 1]
  unsigned long long *steps, *ended;  ///< are added to
};

}  // namespace gossamer::random_walks_detail::cuda
