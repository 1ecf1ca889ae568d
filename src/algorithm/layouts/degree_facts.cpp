// One parallel pass over the offsets: the longest row, and the share of arcs at rows of more than
// four times the mean length.
#include "algorithm/layouts/degree_facts.hpp"

#include <algorithm>
#include <vector>

#include "algorithm/layouts/cuda/graph_facts.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::algorithm_detail {

namespace {

/// Of some rows.
struct degrees_of_piece {
  std::int64_t longest = -1, most_connected = -1;
  edge_offset at_hubs = 0;
};

}  // namespace

degree_facts count_degrees(std::span<const edge_offset> offsets) {
  constexpr std::int64_t piece = std::int64_t{1} << 16;
  constexpr std::int64_t fewest = 4096;  // below, everything is in the cache anyway
  const std::int64_t n = std::max<std::int64_t>(std::ssize(offsets) - 1, 0);
  if (n == 0) return {};
  const edge_offset m = offsets.back(), hub = 4 * (m / n) + 1;
  std::vector<degrees_of_piece> parts(static_cast<std::size_t>((n + piece - 1) / piece));
  const cpu_team team{parts.size() > 4 ? host().cores : 1};
  for_pieces(team, n, piece, [&](std::int64_t first, std::int64_t last) {
    degrees_of_piece found;
    for (std::int64_t v = first; v < last; ++v) {
      const edge_offset degree = offsets[v + 1] - offsets[v];
      if (degree >= hub) found.at_hubs += degree;
      if (degree <= found.longest) continue;
      found.longest = degree;
      found.most_connected = v;
    }
    parts[static_cast<std::size_t>(first / piece)] = found;
  });
  degree_facts all;
  all.most_connected = 0;
  edge_offset at_hubs = 0;
  for (const degrees_of_piece& part : parts) {
    at_hubs += part.at_hubs;
    if (part.longest <= all.longest) continue;
    all.longest = part.longest;
    all.most_connected = part.most_connected;
  }
  all.skewed = n >= fewest && at_hubs > m / 2;
  return all;
}

degree_facts degrees_of(const graph& g) {
  graph rows = g;
  rows.weights = {};
  return *kept::of_graph<degree_facts>(rows, "degrees", [](const graph& bare) {
    return std::make_shared<degree_facts>(bare.gpu < 0 ? count_degrees(bare.offsets.span())
                                                       : degrees_on_gpu(bare));
  });
}

}  // namespace gossamer::algorithm_detail
