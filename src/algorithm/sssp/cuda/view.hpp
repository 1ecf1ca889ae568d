// Distances and arcs in a GPU's memory, as kernels see them after a search.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gossamer/base/ids.hpp"

namespace gossamer::sssp_detail::cuda {

/// Distances as unsigned numbers of the same order: their own bits, since none is below zero.
template <class Distance>
using key_of = std::conditional_t<sizeof(Distance) == 8, unsigned long long, std::uint32_t>;

/// Where an arc leads, and its weight's bits: one load.
template <class Distance>
struct alignas(2 * sizeof(Distance)) packed_arc {
  std::int32_t to;
  Distance weight;
};

}  // namespace gossamer::sssp_detail::cuda
