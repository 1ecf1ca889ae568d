// Rows as one CPU rank's search reads them, copied once. Each column has its weight beside it, so a
// short row is one cache line. On a skewed graph they are in the order of hub_order.hpp, so most of
// the distances that arcs ask for stay in the cache.
#pragma once

#include <cstdint>

#include "algorithm/sssp/sync/row_offsets.hpp"
#include "algorithm/sssp/weights.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
struct solo_rows {
  struct arc {
    Id column;
    weight_of<Distance> weight;
  };

  solo_rows(const weighted_rows<Id, Distance>& rows, int threads);
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, bool skewed);

  [[nodiscard]] bool reordered() const { return !position.empty(); }
  [[nodiscard]] std::int64_t place(std::int64_t v) const {
    return reordered() ? static_cast<std::int64_t>(position[static_cast<std::size_t>(v)]) : v;
  }
  /// Where reordered: distances by vertex from those by position.
  void to_callers_order(const Distance* ordered, Distance* distances) const;

  std::int64_t vertices;
  int threads;
  shared_array<Id> position;  ///< of each vertex in all that follows; empty: as it is
  algorithm_detail::row_offsets offsets;
  shared_array<arc> arcs;
};

}  // namespace gossamer::sssp_detail
