// From how many neighbours on a vertex is a hub.
#pragma once

#include <cstdint>

namespace gossamer::components_detail {

/// A vertex with as many neighbours is a hub.
inline constexpr std::int64_t hub_arcs = 1024;

}  // namespace gossamer::components_detail
