// A program that builds a layer of Gossamer as a part of itself: makes a graph, looks at a row, and
// catches one of the library's errors. Exit code 0 when all of it holds.
#include <cstdint>
#include <cstdio>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/machine/machine.hpp"

int main() {
  constexpr std::int32_t n = 1000;
  gossamer::edge_chunks<gossamer::vertex32> edges;
  edges.vertices = n;
  edges.edges.emplace_back(n);
  for (std::int32_t v = 0; v < n; ++v) edges.edges[0][v] = {v, (v + 1) % n};
  gossamer::build_options options;
  options.symmetrize = true;
  const gossamer::graph ring = gossamer::build_csr(std::move(edges), options);
  const auto rows = ring.view<gossamer::vertex32>();
  const auto first = rows.row(0);
  if (ring.arcs() != 2 * n || first.size() != 2 || first[0] != 1 || first[1] != n - 1) {
    std::printf("not a ring\n");
    return 1;
  }
  try {
    gossamer::machine::open("nonsense");
    std::printf("a machine that does not exist was opened\n");
    return 1;
  } catch (const gossamer::usage_error& e) {
    std::printf("refused: %s\n", e.what());
  }
  return 0;
}
