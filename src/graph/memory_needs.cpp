// Bytes of each kind of work on a graph, and the comparison with the limit.
#include "gossamer/graph/memory_needs.hpp"

#include <algorithm>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "graph/saturating.hpp"

namespace gossamer {
namespace {

using detail::sat_add, detail::sat_mul;

/// Bytes of row_record<arc_key>: four for the row, then target and weight in one integer.
std::int64_t record_bytes(const graph_sizes& g) {
  if (g.weight_bytes == 0) return 4 + g.id_bytes;
  return g.id_bytes == 4 && g.weight_bytes == 4 ? 12 : 20;
}

/// The builder's arcs while they are sorted into rows (build_rows.hpp).
std::int64_t sorting_bytes(const graph_sizes& g) {
  return sat_mul(g.arcs, record_bytes(g));
}

std::int64_t offset_bytes(const graph_sizes& g) {
  return sat_mul(sat_add(g.vertices, 1), 8);
}

graph_sizes mirrored(graph_sizes g, bool mirror) {
  if (mirror && !g.symmetric) g.arcs = sat_mul(g.arcs, 2);
  return g;
}

/// The simple graph is made and copied into METIS's integers, METIS adds weights of one and a
/// coarser graph a level. How far a level shrinks depends on the graph, so METIS's own part is an
/// estimate. METIS 5.1 took, in bytes an arc: grid:1000x1000 34, cnr-2000 23, kron:18 in 64 parts
/// 64; 72 an arc and 64 a vertex leave room above all of them.
std::int64_t metis_bytes(graph_sizes g) {
  constexpr std::int64_t integer = 8;  // idx_t has 4 bytes or 8
  constexpr std::int64_t each_arc = 72 + integer, each_vertex = 64 + integer;
  g.weight_bytes = 0;
  build_options simple;
  simple.symmetrize = true;
  const std::int64_t rebuilt = rebuild_bytes(g, simple);
  g = mirrored(g, true);
  const std::int64_t own = sat_add(sat_mul(g.arcs, each_arc), sat_mul(g.vertices, each_vertex));
  return std::max(rebuilt, sat_add(csr_bytes(g), own));
}

}  // namespace

graph_sizes graph_sizes::of(const graph& g) {
  static constexpr int weight_bytes[] = {0, 4, 4, 8};
  return {g.vertices(), g.arcs(), g.id_width(), weight_bytes[g.weights.index()], g.symmetric};
}

std::int64_t csr_bytes(const graph_sizes& g) {
  return sat_add(offset_bytes(g), sat_mul(g.arcs, g.id_bytes + g.weight_bytes));
}

std::int64_t rebuild_bytes(const graph_sizes& g, const build_options& options) {
  const graph_sizes made = mirrored(g, options.symmetrize);
  // Keys of a bucket, which may hold all arcs, go before columns and weights come.
  const std::int64_t each =
      std::max<std::int64_t>(record_bytes(g) - 4, g.id_bytes + g.weight_bytes);
  return sat_add(sorting_bytes(made), sat_add(offset_bytes(made), sat_mul(made.arcs, each)));
}

std::int64_t build_bytes(const graph_sizes& g, std::int64_t list, const build_options& options) {
  const graph_sizes made = mirrored(g, options.symmetrize);
  return std::max({sat_add(list, sorting_bytes(made)), rebuild_bytes(g, options),
                   sat_add(csr_bytes(made), sat_mul(made.vertices, 8))});
}

std::int64_t component_bytes(const graph_sizes& g) {
  // Roots and new numbers; then the copy, whose vertices have names.
  return sat_add(sat_mul(g.vertices, 16 + 8), csr_bytes(g));
}

std::int64_t partition_bytes(const graph_sizes& g, std::string_view method) {
  const std::int64_t parts = sat_mul(g.vertices, 4);
  return method == "metis" ? sat_add(parts, metis_bytes(g)) : parts;
}

std::int64_t renumber_bytes(const graph_sizes& g) {
  return sat_add(csr_bytes(g), sat_mul(g.vertices, 8 + g.id_bytes));
}

std::int64_t quality_bytes(const graph_sizes& g) {
  return sat_mul(g.vertices, 12 + 4);
}

std::int64_t statistics_bytes(const graph_sizes& g, const statistics_options& options) {
  std::int64_t vertex = 2;  // marks of loops and of isolated vertices
  if (options.symmetry && !g.symmetric) vertex = 8;
  if (options.components) vertex = std::max<std::int64_t>(vertex, 16);
  // Strong components are the weak ones of a symmetric graph, which may be known only by then.
  if (options.strong_components) vertex = 40;
  std::int64_t most = sat_mul(g.vertices, vertex);
  if (options.triangles)
    most =
        std::max(most, sat_add(sat_mul(sat_add(g.vertices, 1), 16), sat_mul(g.arcs, g.id_bytes)));
  return most;
}

std::int64_t held_bytes(const graph& g) {
  return g.mapped ? 0 : csr_bytes(graph_sizes::of(g));
}

void require_memory(const graph& g, std::string_view work, std::int64_t bytes, std::int64_t limit) {
  memory_limit most{limit, "--memory"};
  if (limit <= 0) most = host_memory_limit();
  const std::int64_t held = held_bytes(g);
  if ((most.left ? bytes : sat_add(held, bytes)) <= most.bytes) return;
  const auto text = [](std::int64_t b) { return configuration::format_bytes(b); };
  throw capacity_error((g.name.empty() ? std::string("the graph") : g.name) +
                       " does not fit: " + std::to_string(g.vertices()) + " vertices, " +
                       std::to_string(g.arcs()) + " arcs; " + std::string(work) + " takes up to " +
                       text(bytes) + " beside the graph's " + text(held) + "; the limit is " +
                       text(most.bytes) + " (" + most.source + ")");
}

}  // namespace gossamer
