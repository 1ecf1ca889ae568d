// draw_sources: distinct vertices with arcs, drawn by a counter-based generator.
#include <span>
#include <unordered_set>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/fabric/rank.hpp"

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

/// Draws with the help of linked(vertices, out), which says of each vertex whether it has arcs.
template <class Linked>
std::vector<std::int64_t> draw(std::int64_t n, std::int64_t count, std::uint64_t seed,
                               const Linked& linked) {
  require(count >= 0, "sources: the number must not be negative");
  std::vector<std::int64_t> drawn, batch;
  std::unordered_set<std::int64_t> taken;
  const auto missing = [&] { return static_cast<std::int64_t>(drawn.size()) < count; };
  const auto take = [&] {
    std::vector<char> has(batch.size());
    linked(std::span<const std::int64_t>(batch), std::span<char>(has));
    for (std::size_t i = 0; i < batch.size() && missing(); ++i)
      if (has[i] != 0 && taken.insert(batch[i]).second) drawn.push_back(batch[i]);
    batch.clear();
  };
  // Rejection is quick unless nearly every suitable vertex is wanted; then the rest is taken in
  // ascending order.
  const std::uint64_t tries = 64 * static_cast<std::uint64_t>(count) + 1024;
  for (std::uint64_t i = 0; i < tries && missing(); ++i) {
    __extension__ using wide = unsigned __int128;
    batch.push_back(static_cast<std::int64_t>((wide{mix(seed, i)} * static_cast<wide>(n)) >> 64));
    if (batch.size() == 1024 || i + 1 == tries) take();
  }
  for (std::int64_t v = 0; v < n && missing(); ++v) {
    batch.push_back(v);
    if (batch.size() == 65536 || v + 1 == n) take();
  }
  return drawn;
}

/// Whether each of `vertices` that `r` owns has arcs; others are left as they are.
template <class Id>
void look_up(const placed_graph& g, const rank& r, std::span<const std::int64_t> vertices,
             std::span<char> out) {
  const graph_slice<Id>& slice = g.slice<Id>(r.id());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::int64_t placed = g.placed_id(vertices[i]);
    if (g.owners().owner(placed) != r.id()) continue;
    edge_offset ends[2];
    copy_bytes(ends, slice.offsets + g.owners().local(placed), sizeof ends);
    out[i] = ends[1] > ends[0];
  }
}

}  // namespace

std::vector<std::int64_t> draw_sources(const graph& g, std::int64_t count, std::uint64_t seed) {
  return draw(g.vertices(), count, seed,
              [&](std::span<const std::int64_t> vertices, std::span<char> out) {
                for (std::size_t i = 0; i < vertices.size(); ++i) {
                  edge_offset ends[2];  // which may lie on a GPU
                  copy_bytes(ends, g.offsets.data() + vertices[i], sizeof ends);
                  out[i] = ends[1] > ends[0];
                }
              });
}

std::vector<std::int64_t> draw_sources(const placed_graph& g, std::int64_t count,
                                       std::uint64_t seed) {
  if (g.whole()) return draw_sources(g.source(), count, seed);
  const auto linked = [&](std::span<const std::int64_t> vertices, std::span<char> out) {
    g.on().run([&](rank& r) {
      std::vector<char> mine(vertices.size()), all(vertices.size() * r.size());
      g.id_width() == 4 ? look_up<vertex32>(g, r, vertices, mine)
                        : look_up<vertex64>(g, r, vertices, mine);
      r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
      // Ranks of one process share `out`.
      if (r.id() != 0 && r.owner().all_here()) return;
      for (std::size_t i = 0; i < all.size(); ++i) out[i % vertices.size()] |= all[i];
    });
  };
  return draw(g.vertices(), count, seed, linked);
}

}  // namespace gossamer
