// What bounds of eccentricities have in common on CPUs and on GPUs.
#pragma once

#include <cstdint>
#include <limits>

#include "gossamer/base/ids.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::distances_detail {

/// Not bounded yet.
inline constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();
/// Rounds of few searches that may go by in a deep graph before more begin together.
inline constexpr std::int64_t patient_rounds = 64;
/// Components of so many vertices are searched without the arrays.
inline constexpr int small_component = 32;

/// v's eccentricity, if its component is small, else -1.
template <class Id>
GOSSAMER_HD std::int32_t small_eccentricity(const edge_offset* offsets, const Id* columns, Id v) {
  Id met[small_component];
  int tail = 0;
  met[tail++] = v;
  std::int32_t depth = 0;
  for (int head = 0, end = 1; head < tail; end = tail, ++depth)
    for (; head < end; ++head)
      for (edge_offset arc = offsets[met[head]]; arc < offsets[met[head] + 1]; ++arc) {
        const Id to = columns[arc];
        bool known = false;
        for (int i = 0; i < tail && !known; ++i) known = met[i] == to;
        if (known) continue;
        if (tail == small_component) return -1;
        met[tail++] = to;
      }
  return depth - 1;
}

}  // namespace gossamer::distances_detail
