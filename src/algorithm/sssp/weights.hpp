// Weighted rows as shortest paths see them, and the types that go together.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gossamer/algorithm/sssp.hpp"

namespace gossamer::sssp_detail {

/// Weights that distances of this type are sums of.
template <class Distance>
using weight_of =
    std::conditional_t<std::is_same_v<Distance, std::uint32_t>, std::int32_t, Distance>;

/// "Not reached": more than any distance.
template <class Distance>
inline constexpr Distance unreached = std::numeric_limits<Distance>::has_infinity
                                          ? std::numeric_limits<Distance>::infinity()
                                          : std::numeric_limits<Distance>::max();

/// Rows with weights, as plain pointers: a graph's, or one rank's.
template <class Id, class Distance>
struct weighted_rows {
  const edge_offset* offsets = nullptr;
  const Id* columns = nullptr;
  const weight_of<Distance>* weights = nullptr;
  std::int64_t vertices = 0;  ///< that columns name
  std::int64_t first = 0;     ///< whose row is the first

  /// Where the arcs of v's row are.
  [[nodiscard]] edge_offset begin(std::int64_t v) const { return offsets[v - first]; }
  [[nodiscard]] edge_offset end(std::int64_t v) const { return offsets[v - first + 1]; }
};

template <class Id, class Distance>
weighted_rows<Id, Distance> rows_of(const graph& g) {
  return {g.offsets.data(), std::get<shared_array<Id>>(g.indices).data(),
          std::get<shared_array<weight_of<Distance>>>(g.weights).data(), g.vertices()};
}

/// distance + weight; of integers only where the sum fits (see longest()).
template <class Distance>
GOSSAMER_HD Distance along(Distance distance, weight_of<Distance> weight) {
  return static_cast<Distance>(distance + static_cast<Distance>(weight));
}

/// The largest distance whose sum with any weight up to `largest` stays below `unreached`. Beyond
/// it arcs need a look each. Floats do not wrap: their sums become infinite, and shorten nothing.
template <class Distance>
Distance longest(double largest) {
  if constexpr (std::is_same_v<Distance, std::uint32_t>)
    return unreached<Distance> - 1 - static_cast<std::uint32_t>(largest);
  else
    return unreached<Distance>;
}

}  // namespace gossamer::sssp_detail
