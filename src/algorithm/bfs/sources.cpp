// draw_sources: distinct vertices with arcs, drawn by a counter-based generator.
#include <unordered_set>

#include "gossamer/algorithm/bfs.hpp"

namespace gossamer {

namespace {

// SplitMix64's output function (Steele, Lea, Flood, OOPSLA'14): the i-th number of a seed is a
// function of both, so that draws are the same whoever makes them.
std::uint64_t mix(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<std::int64_t> draw_sources(const graph& g, std::int64_t count, std::uint64_t seed) {
  require(count >= 0, "sources: the number must not be negative");
  const std::int64_t n = g.vertices();
  std::vector<std::int64_t> drawn;
  std::unordered_set<std::int64_t> taken;
  // Rejection is quick unless nearly every suitable vertex is wanted; then the rest is taken in
  // ascending order.
  const std::uint64_t tries = 64 * static_cast<std::uint64_t>(count) + 1024;
  for (std::uint64_t i = 0; i < tries && static_cast<std::int64_t>(drawn.size()) < count; ++i) {
    __extension__ using wide = unsigned __int128;
    const auto v = static_cast<std::int64_t>((wide{mix(seed, i)} * static_cast<wide>(n)) >> 64);
    if (g.degree(v) > 0 && taken.insert(v).second) drawn.push_back(v);
  }
  for (std::int64_t v = 0; v < n && static_cast<std::int64_t>(drawn.size()) < count; ++v) {
    if (g.degree(v) > 0 && taken.insert(v).second) drawn.push_back(v);
  }
  return drawn;
}

}  // namespace gossamer
