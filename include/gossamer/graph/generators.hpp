// Generators: graphs from a one-line spec, the same bytes whatever makes them.
//
//   kron:SCALE[:EDGEFACTOR[:SEED[:degree]]]
//                                    Graph500's Kronecker graph, 2^SCALE vertices; `degree`: ids go
//                                    by falling degree
//   uniform:SCALE[:DEGREE[:SEED]]    DEGREE * 2^SCALE edges with uniform ends
//   grid:WxH                         a grid, vertex y * W + x
//   road:SIDE[:KEEP[:SEED]]          a SIDE x SIDE grid whose edges exist with probability KEEP
//   star:N                           vertex 0 joined with all others
//   path:N                           each vertex joined with the next
//   tree:DEPTH[:ARITY]               DEPTH levels below the root; parents come before children
//   cliques:COUNTxSIZE               a chain of cliques, the last vertex of each with the next's
//   lollipop:CLIQUExPATH             a clique, and a path that hangs on it
//   bipartite:HUBSxLEAVES:DEGREE[:SEED]
//                                    each leaf joined with DEGREE of the hubs, which come first
//   small-world:N:K:PER_MILLE[:SEED]
//                                    a ring, each vertex joined with the K nearest; PER_MILLE of
//                                    1,000 edges lead anywhere instead (Watts and Strogatz 1998)
//   mesh:XxYxZ                       a grid of three dimensions, vertex (z * Y + y) * X + x
//   preferential:N:M[:SEED]          each vertex joined with M before it, in proportion to their
//                                    edges (Barabási and Albert 1999); the oldest have most
//   geometric:N:DEGREE[:SEED]        points of a square, near ones joined, DEGREE in the mean;
//                                    ids go by squares of the plane, row by row
//   web:N:DEGREE[:SEED]              pages of sites, with DEGREE links in the mean; most stay near,
//                                    many are copied from near pages (Kumar et al. 2000), and few
//                                    lead to well-known pages far away
//   poisson:NX[xNY[xNZ]], band:ROWS:NON_ZEROS[:SEED]   matrices, see matrices.hpp
//
// All are undirected. Edge k of a spec's list is a pure function (generated_edge), on host and
// device, so that any rank can make any part. Matrices and graphs in degree order have no such
// list.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer {

/// In the order of their streams of random numbers, which decide what graphs are: new ones go last.
enum class generator_kind : int {
  kronecker,
  uniform,
  grid,
  road,
  poisson,
  band,
  star,
  path,
  tree,
  cliques,
  lollipop,
  bipartite,
  small_world,
  mesh,
  preferential,
  geometric,
  web
};

/// A parsed spec.
struct generator_spec {
  generator_kind kind = generator_kind::kronecker;
  int scale = 0;                  ///< kron, uniform: log2 of the vertices
  std::int64_t edge_factor = 16;  ///< edges in the list, a vertex; tree: ARITY
  /// grid, road, mesh, poisson: sides; band: rows; cliques, lollipop, bipartite: the two numbers in
  /// their order; geometric: points, cells in a row; else the vertices.
  std::int64_t width = 0, height = 1, depth = 1;
  int dimensions = 0;          ///< poisson: 1 to 3
  std::int64_t non_zeros = 0;  ///< band: entries asked for
  /// road: an edge exists when a 32-bit word is below this; small-world: it leads anywhere then;
  /// geometric: the square of the distance up to which points are joined.
  std::uint64_t keep = 0;
  std::uint64_t seed = 1;
  bool by_degree = false;  ///< kron: vertices are numbered by falling degree
  std::string text;        ///< the spec as given

  /// True for poisson and band: stored with their values and their diagonal.
  [[nodiscard]] bool matrix() const {
    return kind == generator_kind::poisson || kind == generator_kind::band;
  }
  /// True when edges are a pure function of their number: not of matrices, and not in an order that
  /// needs the whole graph.
  [[nodiscard]] bool listed() const { return !matrix() && !by_degree; }
  /// usage_error unless listed().
  void require_list() const;
  [[nodiscard]] std::int64_t vertices() const;
  /// Entries of the edge list before anything is dropped; road: edges of the full grid; matrices:
  /// stored entries.
  [[nodiscard]] std::int64_t candidates() const;

 private:
  /// Edges of a grid of up to three dimensions.
  [[nodiscard]] std::int64_t sides() const;
};

/// What a kernel needs to make edges of a spec, as plain data.
struct edge_maker {
  generator_kind kind{};
  int scale = 0;
  std::int64_t edge_factor = 0, width = 0, height = 0, depth = 0;
  std::uint64_t keep = 0;
  counter_random random;
  permutation relabel;
};
/// usage_error unless the spec is listed().
edge_maker make_edge_maker(const generator_spec& spec);

/// One entry of an edge list; `exists` is false for the edges that road leaves out.
struct generated {
  std::int64_t source, target;
  bool exists;
};

/// Graph500's quadrant probabilities A = 0.57, B = 0.19, C = 0.19 in units of 2^-32, cumulated.
inline constexpr std::uint64_t kronecker_a = 2448131358u;    // 0.57 * 2^32
inline constexpr std::uint64_t kronecker_ab = 3264175144u;   // 0.76 * 2^32
inline constexpr std::uint64_t kronecker_abc = 4080218931u;  // 0.95 * 2^32

namespace detail {

GOSSAMER_HD inline generated kronecker_edge(const edge_maker& m, std::uint64_t index) {
  std::uint64_t u = 0, v = 0, word = 0;
  for (int level = 0; level < m.scale; ++level) {
    // One word decides two levels: 32 bits each.
    word = (level & 1) == 0 ? m.random(index * 32 + static_cast<std::uint64_t>(level >> 1))
                            : word >> 32;
    const std::uint64_t r = word & 0xffffffffu;
    // Quadrants in the order A (0,0), B (0,1), C (1,0), D (1,1).
    const std::uint64_t row = r >= kronecker_ab;
    const std::uint64_t column = (r >= kronecker_a && r < kronecker_ab) || r >= kronecker_abc;
    u = u << 1 | row;
    v = v << 1 | column;
  }
  return {static_cast<std::int64_t>(m.relabel(u)), static_cast<std::int64_t>(m.relabel(v)), true};
}

/// Horizontal edges come first.
GOSSAMER_HD inline generated grid_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t across = (m.width - 1) * m.height;
  const bool horizontal = k < across;
  const std::int64_t i = horizontal ? k : k - across;
  const std::int64_t per_row = horizontal ? m.width - 1 : m.width;
  const std::int64_t source = i / per_row * m.width + i % per_row;
  return {source, source + (horizontal ? 1 : m.width), true};
}

/// Along x, then y, then z.
GOSSAMER_HD inline generated mesh_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t along_x = (m.width - 1) * m.height * m.depth;
  if (k < along_x) {
    const std::int64_t source = k / (m.width - 1) * m.width + k % (m.width - 1);
    return {source, source + 1, true};
  }
  k -= along_x;
  const std::int64_t layer = m.width * m.height, along_y = m.width * (m.height - 1) * m.depth;
  if (k < along_y) {
    const std::int64_t open = layer - m.width;  // vertices of a layer with one more row behind
    const std::int64_t source = k / open * layer + k % open;
    return {source, source + m.width, true};
  }
  return {k - along_y, k - along_y + layer, true};
}

/// Each pair of `size` vertices once: by distance around the ring, an even one's half way once.
GOSSAMER_HD inline generated clique_edge(std::int64_t size, std::int64_t k) {
  const std::int64_t source = k % size;
  return {source, (source + k / size + 1) % size, true};
}
GOSSAMER_HD constexpr std::int64_t clique_edges(std::int64_t size) {
  return size * (size - 1) / 2;
}

/// The edges of cliques, then those between them.
GOSSAMER_HD inline generated cliques_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t each = clique_edges(m.height), inside = m.width * each;
  if (k >= inside) return {(k - inside + 1) * m.height - 1, (k - inside + 1) * m.height, true};
  const std::int64_t first = k / each * m.height;
  const generated e = clique_edge(m.height, k % each);
  return {first + e.source, first + e.target, true};
}

GOSSAMER_HD inline generated lollipop_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t inside = clique_edges(m.width);
  if (k < inside) return clique_edge(m.width, k);
  return {m.width - 1 + k - inside, m.width + k - inside, true};
}

/// A leaf's hubs are the first places of a permutation of its own, so that all differ.
GOSSAMER_HD inline generated bipartite_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t leaf = k / m.edge_factor;
  const auto hubs = permutation::of(static_cast<std::uint64_t>(m.width),
                                    m.random(static_cast<std::uint64_t>(leaf)));
  const auto hub = hubs(static_cast<std::uint64_t>(k % m.edge_factor));
  return {m.width + leaf, static_cast<std::int64_t>(hub), true};
}

GOSSAMER_HD inline generated small_world_edge(const edge_maker& m, std::int64_t k) {
  const auto index = static_cast<std::uint64_t>(k);
  const std::int64_t source = k % m.width, step = k / m.width + 1;
  if ((m.random(2 * index) & 0xffffffffu) >= m.keep)
    return {source, (source + step) % m.width, true};
  const auto anywhere = m.random(2 * index + 1) % static_cast<std::uint64_t>(m.width);
  return {source, static_cast<std::int64_t>(anywhere), true};
}

/// Both ends of all edges so far are in one list, and a place in it is drawn. If it is a target's,
/// that was drawn the same way (Batagelj and Brandes, Phys. Rev. E 71, 2005).
GOSSAMER_HD inline generated preferential_edge(const edge_maker& m, std::int64_t k) {
  std::uint64_t at = static_cast<std::uint64_t>(k);
  for (;;) {
    const std::uint64_t place = m.random(at) % (2 * at + 1);
    at = place / 2;
    if (place % 2 == 0) break;
  }
  return {k / m.edge_factor, static_cast<std::int64_t>(at) / m.edge_factor, true};
}

/// Points lie in cells, so many in each, and reach no farther than the next cells: a circle of
/// radius 1 has 3.14 times a cell's area. It holds the point itself, too.
GOSSAMER_HD constexpr std::int64_t points_of_cell(std::int64_t degree) {
  return (degree + 3) / 3;
}
/// A point is looked at with those of its own cell and of four cells behind. A cell is 2^16 wide.
GOSSAMER_HD inline generated geometric_edge(const edge_maker& m, std::int64_t k) {
  const std::int64_t points = points_of_cell(m.edge_factor), side = m.height;
  const std::int64_t source = k / (5 * points), other = k % (5 * points);
  const std::int64_t cell = source / points, x = cell % side, y = cell / side;
  const std::int64_t way = other / points;  // own cell, right, below left, below, below right
  const std::int64_t to_x = way == 0 ? x : way == 1 ? x + 1 : x + way - 3;
  const std::int64_t to_y = way < 2 ? y : y + 1;
  const std::int64_t target = (to_y * side + to_x) * points + other % points;
  if (to_x < 0 || to_x >= side || target >= m.width || (way == 0 && target <= source))
    return {0, 0, false};
  const auto place = [&](std::int64_t point, std::int64_t of, int shift) {
    const auto inside = m.random(static_cast<std::uint64_t>(point)) >> shift & 0xffff;
    return of * 65536 + static_cast<std::int64_t>(inside);
  };
  const std::int64_t dx = place(source, x, 0) - place(target, to_x, 0);
  const std::int64_t dy = place(source, y, 16) - place(target, to_y, 16);
  return {source, target, static_cast<std::uint64_t>(dx * dx + dy * dy) < m.keep};
}

/// A number below n, of a word of 32 bits.
GOSSAMER_HD constexpr std::uint64_t scaled(std::uint64_t n, std::uint64_t word) {
  return (n >> 32) * word + ((n & 0xffffffffu) * word >> 32);
}

inline constexpr std::int64_t pages_of_site = 64;  ///< the last site may have less
inline constexpr std::int64_t near_sites = 2;      ///< links are copied from as many sites before
inline constexpr std::uint64_t copied_links = 96;  ///< of 256
inline constexpr std::uint64_t directories = 32;   ///< one site of so many has links far away

/// Pages of a site have a rank, by a permutation of the site's own. A link is that of the page
/// whose rank is the cube of a uniform number: the first of 64 has a quarter of all links.
GOSSAMER_HD inline std::int64_t web_source(const edge_maker& m, std::int64_t k) {
  const std::int64_t site = k / (pages_of_site * m.edge_factor);
  const std::int64_t first = site * pages_of_site;
  const auto pages =
      static_cast<std::uint64_t>(m.width - first < pages_of_site ? m.width - first : pages_of_site);
  const std::uint64_t word = m.random(4 * static_cast<std::uint64_t>(k)) & 0xffffffffu;
  const std::uint64_t cube = (word * word >> 32) * word >> 32;
  const auto order = permutation::of(pages, m.random(4 * static_cast<std::uint64_t>(site) + 3));
  return first + static_cast<std::int64_t>(order(scaled(pages, cube)));
}

/// A copied link leads where the link before leads that it was copied from, and so on.
GOSSAMER_HD inline generated web_edge(const edge_maker& m, std::int64_t k) {
  auto at = static_cast<std::uint64_t>(k);
  const auto reach = static_cast<std::uint64_t>(near_sites * pages_of_site * m.edge_factor);
  std::uint64_t word = m.random(4 * at + 1);
  while ((word & 0xff) < copied_links && at > 0) {
    at -= 1 + scaled(at < reach ? at : reach, word >> 32);
    word = m.random(4 * at + 1);
  }
  const std::uint64_t far = word >> 32, n = static_cast<std::uint64_t>(m.width);
  const std::int64_t site = static_cast<std::int64_t>(at) / (pages_of_site * m.edge_factor);
  const bool directory = m.random(4 * static_cast<std::uint64_t>(site) + 2) % directories == 0;
  if (directory && (word & 0x100) != 0) {  // likewise by the eighth power, of all pages
    std::uint64_t power = far;
    for (int i = 0; i < 3; ++i) power = power * power >> 32;
    return {web_source(m, k), static_cast<std::int64_t>(m.relabel(scaled(n, power))), true};
  }
  const std::int64_t target =
      site * pages_of_site +
      static_cast<std::int64_t>(scaled(2 * pages_of_site, far));  // its site or the next
  return {web_source(m, k), target < m.width ? target : m.width - 1, true};
}

}  // namespace detail

/// Entry k (0 <= k < candidates) of the edge list.
GOSSAMER_HD inline generated generated_edge(const edge_maker& m, std::int64_t k) {
  const auto index = static_cast<std::uint64_t>(k);
  switch (m.kind) {
    case generator_kind::kronecker:
      return detail::kronecker_edge(m, index);
    case generator_kind::uniform: {
      const std::uint64_t mask = (std::uint64_t{1} << m.scale) - 1;
      return {static_cast<std::int64_t>(m.random(2 * index) & mask),
              static_cast<std::int64_t>(m.random(2 * index + 1) & mask), true};
    }
    case generator_kind::road: {
      generated e = detail::grid_edge(m, k);
      e.exists = (m.random(index) & 0xffffffffu) < m.keep;
      return e;
    }
    case generator_kind::star:
      return {0, k + 1, true};
    case generator_kind::path:
      return {k, k + 1, true};
    case generator_kind::tree:
      return {k / m.edge_factor, k + 1, true};
    case generator_kind::cliques:
      return detail::cliques_edge(m, k);
    case generator_kind::lollipop:
      return detail::lollipop_edge(m, k);
    case generator_kind::bipartite:
      return detail::bipartite_edge(m, k);
    case generator_kind::small_world:
      return detail::small_world_edge(m, k);
    case generator_kind::mesh:
      return detail::mesh_edge(m, k);
    case generator_kind::preferential:
      return detail::preferential_edge(m, k);
    case generator_kind::geometric:
      return detail::geometric_edge(m, k);
    case generator_kind::web:
      return detail::web_edge(m, k);
    case generator_kind::grid:
    case generator_kind::poisson:  // matrices have no edges
    case generator_kind::band:
      break;
  }
  return detail::grid_edge(m, k);
}

/// How to make a graph. None of it changes which graph is made, except `weights` and
/// `keep_duplicates`.
struct generate_options {
  int threads = 0;               ///< 0 = all cores this process may use
  bool weights = false;          ///< weights 1..255; road always has them, matrices their values
  bool keep_duplicates = false;  ///< keep self-loops and parallel edges (Graph500 counts them)
  std::int64_t memory = 0;       ///< limit in bytes; 0 = host_memory_limit()
  int device = -1;               ///< CUDA ordinal to generate on; -1 = CPU, as always for matrices
  std::function<void(double)> progress;  ///< called with 0..1 now and then, from any thread
  std::stop_token stop;
};

/// What generating will take, known before anything is allocated.
struct generator_plan {
  std::int64_t vertices = 0;
  std::int64_t generated_edges = 0;  ///< entries of the edge list
  std::int64_t arcs_bound = 0;       ///< no more arcs than this are stored
  bool exact = false;                ///< exactly so many are
  std::int64_t longest_row = 0;      ///< no row has more arcs; 0: no such bound
  int weight_bytes = 0;              ///< of each weight, 0 without
  std::int64_t graph_bytes = 0;      ///< the graph itself, at most
  std::int64_t host_bytes = 0;       ///< peak on the host, the graph included
  std::int64_t device_bytes = 0;     ///< peak on the GPU, 0 when none is used
  int device_passes = 0;             ///< source ranges generated one after the other on the GPU
  /// One line for people, also the text of capacity_error.
  [[nodiscard]] std::string text() const;
};

/// Forms of all specs, as people write them: "grid:WxH", ….
std::vector<std::string> generator_forms();
/// True when the text begins with a generator's name and a colon.
bool is_generator(std::string_view text);
/// Parses a spec; usage_error with an example when it is malformed or out of range.
generator_spec parse_generator(std::string_view text);
/// `device_free`: bytes free on the GPU, when options.device >= 0 (0 = as if all were free).
generator_plan plan_generate(const generator_spec& spec, const generate_options& options,
                             std::int64_t device_free = 0);
/// Makes the graph. Undirected, simple unless keep_duplicates; graph::steps says what was dropped.
/// Throws capacity_error with the plan when it does not fit, cancelled_error on a stop,
/// not_compiled when a device is asked for in a build without CUDA.
graph generate(const generator_spec& spec, const generate_options& options = {});
/// The same graph in the memory of GPU options.device, where it stays (graph::gpu). Not for
/// specs without a list and keep_duplicates: usage_error. capacity_error when the GPU lacks the
/// memory.
graph generate_on_gpu(const generator_spec& spec, const generate_options& options);

/// Entries [first, last) of the edge list as edges, without those that do not exist: the part of a
/// graph that one rank makes for itself. usage_error unless the spec is listed().
shared_array<edge<vertex64>> generate_edges(const generator_spec& spec, std::int64_t first,
                                            std::int64_t last);

}  // namespace gossamer
