// Edges to CSR and graph to graph: options, steps and dispatch over widths and weights.
#include "gossamer/graph/builder.hpp"

#include <algorithm>
#include <limits>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "graph/arc_sources.hpp"
#include "graph/build_rows.hpp"
#include "graph/build_steps.hpp"
#include "graph/components.hpp"
#include "graph/derived.hpp"
#include "graph/listed_both_ways.hpp"

namespace gossamer {
namespace {

constexpr const char* kept_name = "keeping the largest component";

using detail::mirroring;

/// Pairs of vertices with parallel arcs, in sorted rows that were mirrored.
std::int64_t doubled_pairs(const graph& g, const build_options& options) {
  return g.visit([&](const auto& rows) {
    return detail::sum_ranges<std::int64_t>(
        detail::resolve_threads(options.threads), g.vertices(), detail::vertex_grain, options.stop,
        "counting parallel arcs", [&](std::int64_t first, std::int64_t last, std::int64_t& sum) {
          for (std::int64_t v = first; v < last; ++v) {
            const auto row = rows.row(v);
            for (std::size_t i = 1; i < row.size(); ++i)
              sum += row[i] > v && row[i] == row[i - 1] && (i < 2 || row[i - 2] != row[i]);
          }
        });
  });
}

graph assemble(detail::built_rows&& rows, const build_options& options, mirroring mirrored) {
  graph g;
  g.offsets = std::move(rows.offsets);
  g.indices = std::move(rows.indices);
  g.weights = std::move(rows.weights);
  detail::build_counts counts{rows.self_loops, rows.duplicates, 0};
  if (detail::counts_doubled_pairs(options, mirrored))
    counts.doubled_pairs = doubled_pairs(g, options);
  g.steps = detail::build_steps(counts, options, mirrored);
  return g;
}

detail::row_options as_row_options(const build_options& options, bool mirror) {
  return {mirror,          options.deduplicate, options.remove_self_loops,
          options.threads, options.progress,    options.stop};
}

template <class Id>
graph build(edge_chunks<Id>&& input, const build_options& options) {
  require(input.vertices >= 0, "build_csr: a negative number of vertices");
  require(input.vertices <= std::numeric_limits<vertex32>::max() || sizeof(Id) == 8,
          "build_csr: 2^31 or more vertices need 64-bit ids");
  const bool narrow = sizeof(Id) == 4 || configuration::narrow_ids(input.vertices);
  mirroring mirrored = !options.symmetrize       ? mirroring::none
                       : options.known_symmetric ? mirroring::needless
                                                 : mirroring::done;
  const auto run = [&]<class Weight>(Weight) {
    if constexpr (!std::is_same_v<Weight, std::monostate>) {
      const auto& weights = std::get<detail::chunk_weights<Weight>>(input.weights);
      bool match = weights.size() == input.edges.size();
      for (std::size_t c = 0; match && c < weights.size(); ++c)
        match = weights[c].size() == input.edges[c].size();
      require(match, "build_csr: weights and edges differ in number");
    }
    detail::chunk_source<Id, Weight> source(input);
    if (mirrored == mirroring::done && !options.listed_once &&
        detail::listed_both_ways<Weight>(source, options.threads, options.stop))
      mirrored = mirroring::needless;
    const auto rows = as_row_options(options, mirrored == mirroring::done);
    if constexpr (sizeof(Id) == 8)
      if (!narrow) return detail::build_rows<vertex64, Weight>(source, input.vertices, rows);
    return detail::build_rows<vertex32, Weight>(source, input.vertices, rows);
  };
  detail::built_rows rows = [&] {
    switch (input.weights.index()) {
      case 1:
        return run(std::int32_t{});
      case 2:
        return run(float{});
      case 3:
        return run(double{});
      default:
        return run(std::monostate{});
    }
  }();
  input = {};
  graph g = assemble(std::move(rows), options, mirrored);
  g.symmetric = mirrored != mirroring::none;
  if (options.known_symmetric) {
    if (!is_symmetric(g, options.threads, options.stop))
      throw input_error("the graph is said to be symmetric, but some arc has no mirror");
    g.symmetric = true;
  }
  return g;
}

/// The arcs of the vertices with index[v] >= 0, renumbered; both ends must be kept.
template <class Id>
shared_array<Id> kept_indices(const graph& g, const std::vector<std::int64_t>& index,
                              std::int64_t arcs, detail::stop_watch& watch) {
  shared_array<Id> indices(static_cast<std::size_t>(arcs));
  std::int64_t at = 0;
  g.visit([&](const auto& rows) {
    for (std::int64_t v = 0; v < rows.vertices(); ++v) {
      watch.step(g.degree(v) + 1);
      if (index[v] >= 0)
        for (const auto u : rows.row(v)) indices[at++] = static_cast<Id>(index[u]);
    }
  });
  return indices;
}

weight_array kept_weights(const graph& g, const std::vector<std::int64_t>& index, std::int64_t arcs,
                          detail::stop_watch& watch) {
  return std::visit(
      [&](const auto& from) -> weight_array {
        using Array = std::decay_t<decltype(from)>;
        if constexpr (std::is_same_v<Array, std::monostate>) {
          return from;
        } else {
          Array to(static_cast<std::size_t>(arcs));
          auto* at = to.data();
          for (std::int64_t v = 0; v < g.vertices(); ++v) {
            watch.step(g.degree(v) + 1);
            if (index[v] >= 0)
              at = std::copy(from.data() + g.offsets[v], from.data() + g.offsets[v + 1], at);
          }
          return to;
        }
      },
      g.weights);
}

}  // namespace

namespace detail {

built_rows rows_of(const graph& g, const row_options& options) {
  return with_types(g, [&]<class Id, class Weight>(Id, Weight) {
    row_source<Id, Weight> source(g);
    return build_rows<Id, Weight>(source, g.vertices(), options);
  });
}

bool listed_both_ways(const graph& g, const build_options& options) {
  return with_types(g, [&]<class Id, class Weight>(Id, Weight) {
    return listed_both_ways<Weight>(row_source<Id, Weight>(g), options.threads, options.stop);
  });
}

}  // namespace detail

graph build_csr(edge_chunks<vertex32>&& input, const build_options& options) {
  return build(std::move(input), options);
}
graph build_csr(edge_chunks<vertex64>&& input, const build_options& options) {
  return build(std::move(input), options);
}

graph rebuild(const graph& g, const build_options& options) {
  bool known =
      g.symmetric || (options.known_symmetric && is_symmetric(g, options.threads, options.stop));
  if (options.known_symmetric && !known)
    throw input_error("the graph is said to be symmetric, but some arc has no mirror");
  if (options.symmetrize && !known && !options.listed_once)
    known = detail::listed_both_ways(g, options);
  const mirroring mirrored = !options.symmetrize ? mirroring::none
                             : known             ? mirroring::needless
                                                 : mirroring::done;
  graph_sizes sizes = graph_sizes::of(g);
  sizes.symmetric = known;
  require_memory(g, "rebuilding", rebuild_bytes(sizes, options), options.memory);
  const auto rows = as_row_options(options, mirrored == mirroring::done);
  graph out = assemble(detail::rows_of(g, rows), options, mirrored);
  out.name = g.name;
  out.format = g.format;
  out.symmetric = options.symmetrize || known;
  out.weight_source = g.weight_source;
  out.names = g.names;
  out.steps.insert(out.steps.begin(), g.steps.begin(), g.steps.end());
  return out;
}

graph largest_component(const graph& g, int threads, const std::stop_token& stop,
                        std::int64_t memory) {
  const std::int64_t n = g.vertices();
  if (n == 0) return g;
  require_memory(g, "finding components", 16 * n, memory);
  const detail::components parts = detail::weak_components(g, threads, stop);
  const auto kept_step = [&](std::int64_t kept) {
    return "kept the largest of " + std::to_string(parts.count) + " components (" +
           std::to_string(kept) + " of " + std::to_string(n) + " vertices)";
  };
  if (parts.count == 1) {
    graph all = g;
    all.steps.push_back(kept_step(n));
    return all;
  }
  require_memory(g, kept_name, component_bytes(graph_sizes::of(g)), memory);
  detail::stop_watch watch(stop, kept_name);
  // Vertices keep their order, so sorted rows stay sorted; arcs never leave a component.
  std::vector<std::int64_t> index(static_cast<std::size_t>(n), -1);
  std::int64_t kept = 0, arcs = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    if (parts.root[v] == parts.largest_root) {
      index[v] = kept++;
      arcs += g.degree(v);
    }
  }
  graph out = detail::derived_from(g);
  out.sorted = g.sorted;
  out.offsets = shared_array<edge_offset>(static_cast<std::size_t>(kept) + 1);
  out.names.texts = g.names.texts;
  out.names.map = shared_array<std::int64_t>(static_cast<std::size_t>(kept));
  out.offsets[0] = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    if (index[v] >= 0) {
      out.offsets[index[v] + 1] = out.offsets[index[v]] + g.degree(v);
      out.names.map[index[v]] = g.names.name(v);
    }
  }
  if (configuration::narrow_ids(kept))
    out.indices = kept_indices<vertex32>(g, index, arcs, watch);
  else
    out.indices = kept_indices<vertex64>(g, index, arcs, watch);
  out.weights = kept_weights(g, index, arcs, watch);
  out.steps.push_back(kept_step(kept));
  return out;
}

}  // namespace gossamer
