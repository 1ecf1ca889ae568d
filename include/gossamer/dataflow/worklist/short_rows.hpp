// Which graphs are networks, such as roads: rows so short that one thread walks each, and levels so
// many and so small that GPUs work on them in another way.
#pragma once

#include <cstdint>

namespace gossamer::dataflow {

inline constexpr int longest_short_row = 64;
inline constexpr std::int64_t mean_short_row = 6;

inline bool short_in_the_mean(std::int64_t vertices, std::int64_t arcs) {
  return arcs <= mean_short_row * vertices;
}
inline bool has_short_rows(std::int64_t vertices, std::int64_t arcs, std::int64_t longest_row) {
  return longest_row <= longest_short_row && short_in_the_mean(vertices, arcs);
}

}  // namespace gossamer::dataflow
