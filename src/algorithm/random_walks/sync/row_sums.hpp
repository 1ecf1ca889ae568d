// Weights added up along rows, as integers: what weighted walks draw from. Kept for the graph.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "gossamer/base/shared_array.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::random_walks_detail {

struct row_sums {
  shared_array<std::uint64_t> up_to;  ///< [arcs] of the arc's row, up to it and with it
  shared_array<std::uint64_t> all;    ///< [vertices] of the row
};

/// `seconds`: what making them took, 0 where they were kept.
std::shared_ptr<const row_sums> row_sums_of(const graph& g, int threads,
                                            const std::stop_token& stop, double& seconds);

}  // namespace gossamer::random_walks_detail
