// A program outside the project: builds a graph, searches it on two ranks, checks the answer with
// the library's verifier, and catches one of its errors. Exit code 0 when all of it holds.
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/machine/machine.hpp"

int main() {
  // A ring of 1000 vertices: the depth of v is its distance along the shorter way.
  constexpr std::int32_t n = 1000;
  gossamer::edge_chunks<gossamer::vertex32> edges;
  edges.vertices = n;
  edges.edges.emplace_back(n);
  for (std::int32_t v = 0; v < n; ++v) edges.edges[0][v] = {v, (v + 1) % n};
  gossamer::build_options options;
  options.symmetrize = true;
  const gossamer::graph ring = gossamer::build_csr(std::move(edges), options);

  auto machine = gossamer::machine::open("cpu:2x1");
  const auto result = gossamer::bfs(machine, ring, 7);
  const auto parents = result.parents();
  const auto depths = result.depths();
  const auto verified = gossamer::verify_bfs(ring, 7, parents.span(), depths.span());
  if (!verified.ok) {
    std::printf("not verified: %s\n", verified.reason.c_str());
    return 1;
  }
  for (std::int32_t v = 0; v < n; ++v) {
    const std::int32_t ahead = (v - 7 + n) % n;
    const std::int32_t expected = ahead < n - ahead ? ahead : n - ahead;
    if (depths[v] != expected) {
      std::printf("depth of %d is %d, expected %d\n", v, depths[v], expected);
      return 1;
    }
  }

  try {
    gossamer::bfs(machine, ring, n);
    std::printf("a source that does not exist was taken\n");
    return 1;
  } catch (const gossamer::usage_error& e) {
    std::printf("%lld levels; refused: %s\n", static_cast<long long>(result.levels), e.what());
  }
  return 0;
}
