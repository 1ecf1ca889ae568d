// Parts of vertices as a file may have them, for tests of partitions on CPUs and on GPUs.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

/// Drawn at random: `number` says which. Of some one part owns everything, of others one part,
/// which may be the first, owns nothing.
inline std::vector<std::int32_t> drawn_parts(const graph& g, int ranks, int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  const int left_out = number % 4 == 3 ? number / 4 % ranks : -1;
  std::vector<std::int32_t> part_of(static_cast<std::size_t>(g.vertices()));
  for (std::int32_t& part : part_of) {
    part = number % 9 == 0 ? ranks - 1
                           : static_cast<std::int32_t>(random() % static_cast<unsigned>(ranks));
    if (part == left_out) part = (part + 1) % ranks;
  }
  return part_of;
}

}  // namespace gossamer::testing_graphs
