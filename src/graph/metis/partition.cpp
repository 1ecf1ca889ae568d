// METIS's multilevel k-way partitioning (Karypis and Kumar 1998) of the undirected simple graph.
#include <metis.h>

#include <limits>
#include <numeric>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/graph/partition.hpp"
#include "graph/metis/child.hpp"

namespace gossamer {

partition partition_metis(const graph& g, int parts, int seed, const std::stop_token& stop,
                          std::int64_t memory) {
  require(parts >= 1, "partition: " + std::to_string(parts) + " parts; at least one is needed");
  partition p;
  p.parts = parts;
  p.method = "metis";
  p.part_of.assign(static_cast<std::size_t>(g.vertices()), 0);
  if (parts == 1 || g.vertices() == 0) return p;
  const auto most = static_cast<std::int64_t>(std::numeric_limits<idx_t>::max());
  const auto too_big = [&](std::int64_t arcs) {
    if (g.vertices() >= most || arcs >= most)
      throw capacity_error("METIS has " + std::to_string(8 * sizeof(idx_t)) +
                           "-bit integers here; " + std::to_string(g.vertices()) +
                           " vertices with " + std::to_string(arcs) +
                           " arcs do not fit (use edges, or a METIS with 64-bit idx_t)");
  };
  too_big(g.symmetric ? 0 : g.arcs());
  if (parts >= g.vertices()) {  // METIS would leave vertices together, and name parts beyond
    std::iota(p.part_of.begin(), p.part_of.end(), 0);
    return p;
  }
  require_memory(g, "partitioning by METIS", partition_bytes(graph_sizes::of(g), "metis"), memory);
  graph bare = g;
  bare.weights = std::monostate{};
  build_options clean;
  clean.symmetrize = clean.deduplicate = clean.remove_self_loops = true;
  clean.stop = stop;
  clean.memory = memory;
  const graph simple = rebuild(bare, clean);
  too_big(simple.arcs());
  auto n = static_cast<idx_t>(simple.vertices());
  idx_t constraints = 1, wanted = parts, cut = 0;
  std::vector<idx_t> rows(simple.offsets.begin(), simple.offsets.end());
  std::vector<idx_t> columns;
  simple.visit([&](const auto& view) { columns.assign(view.indices.begin(), view.indices.end()); });
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = seed;
  options[METIS_OPTION_NUMBERING] = 0;
  detail::run_in_child(
      stop, "METIS", static_cast<std::size_t>(n) * sizeof(idx_t),
      [&](void* result) {
        return METIS_PartGraphKway(&n, &constraints, rows.data(), columns.data(), nullptr, nullptr,
                                   nullptr, &wanted, nullptr, nullptr, options, &cut,
                                   static_cast<idx_t*>(result));
      },
      [&](int code, const void* result) {
        if (code == METIS_ERROR_MEMORY) throw capacity_error("METIS ran out of memory");
        if (code != METIS_OK)
          throw foreign_error("METIS_PartGraphKway failed with code " + std::to_string(code), code,
                              false);
        const auto* parts_of = static_cast<const idx_t*>(result);
        p.part_of.assign(parts_of, parts_of + n);
      });
  return p;
}

}  // namespace gossamer
