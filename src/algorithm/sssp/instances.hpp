// Explicit instantiations of what shortest paths have for each type of distances.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

/// `Each(Distance)` of every type.
#define GOSSAMER_SSSP_DISTANCES(Each) Each(std::uint32_t) Each(float) Each(double)

/// `Each(Id, Distance)` of all types.
#define GOSSAMER_SSSP_TYPES(Each)                                            \
  Each(vertex32, std::uint32_t) Each(vertex32, float) Each(vertex32, double) \
      Each(vertex64, std::uint32_t) Each(vertex64, float) Each(vertex64, double)

/// Of a class template, `Of`: "class name".
#define GOSSAMER_SSSP_CLASS(Of)         \
  template Of<vertex32, std::uint32_t>; \
  template Of<vertex32, float>;         \
  template Of<vertex32, double>;        \
  template Of<vertex64, std::uint32_t>; \
  template Of<vertex64, float>;         \
  template Of<vertex64, double>;
