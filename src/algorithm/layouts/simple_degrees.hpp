// Degrees in the simple graph under the arcs, with the rows that they are counted from: sorted, so
// that parallel arcs lie together, and of a directed graph in both directions.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

struct simple_degrees {
  graph out;  ///< ascending rows: the caller's arrays, or a sorted copy
  graph in;   ///< the same reversed; without arrays where `out` is symmetric
  /// [n] distinct columns of both rows but the vertex itself. Who is in both counts twice.
  shared_array<std::int32_t> degrees;

  /// Rows by direction; the second is empty where `out` is symmetric.
  template <class Id>
  [[nodiscard]] std::array<csr_view<Id>, 2> rows() const {
    return {out.view<Id>(), out.symmetric ? csr_view<Id>() : in.view<Id>()};
  }
};

/// capacity_error for a vertex of 2^31 neighbours; cancelled_error soon after a request to `stop`.
simple_degrees count_simple_degrees(const graph& g, int threads, const std::stop_token& stop = {});

}  // namespace gossamer::algorithm_detail
