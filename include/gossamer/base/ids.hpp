// Ids and the host/device marker, shared by every layer.
#pragma once

#include <cstdint>

// Functions that run on both sides carry this marker. A body never differs by compiler (no ODR
// traps): the marker is the only thing that changes.
#if defined(__CUDACC__)
#define GOSSAMER_HD __host__ __device__
#else
#define GOSSAMER_HD
#endif

namespace gossamer {

/// Position in an adjacency array; always 64 bits, so that m may exceed 2^32.
using edge_offset = std::int64_t;
/// Vertex id of graphs with fewer than 2^31 vertices. Signed, so that -1 can mean "none".
using vertex32 = std::int32_t;
/// Vertex id of larger graphs.
using vertex64 = std::int64_t;

}  // namespace gossamer
