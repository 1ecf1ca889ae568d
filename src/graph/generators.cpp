// generate(): the edge list in chunks by all threads, then the builder; or the GPU's rows.
#include "gossamer/graph/generators.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/generated_list.hpp"
#include "gossamer/graph/renumber.hpp"
#include "graph/build_steps.hpp"
#include "graph/finish_generated.hpp"
#include "graph/generate_cuda.hpp"
#include "graph/make_matrix.hpp"
#include "graph/parallel.hpp"

namespace gossamer {
namespace {

/// The list's share of the progress of generate().
constexpr double list_share = 0.4;

/// Weights by hash of the ends, row by row: no weight travels through the builder or the GPU.
shared_array<std::int32_t> edge_weights(const graph& g, std::uint64_t seed,
                                        const generate_options& options) {
  shared_array<std::int32_t> weights(static_cast<std::size_t>(g.arcs()));
  g.visit([&](const auto& rows) {
    constexpr std::int64_t block_rows = 4096;
    const std::int64_t n = g.vertices();
    detail::parallel_blocks(detail::resolve_threads(options.threads),
                            (n + block_rows - 1) / block_rows, [&](int, std::int64_t block) {
                              detail::check_stop(options.stop, "generating weights");
                              const std::int64_t last = std::min(n, (block + 1) * block_rows);
                              for (std::int64_t u = block * block_rows; u < last; ++u)
                                for (edge_offset i = rows.offsets[u]; i < rows.offsets[u + 1]; ++i)
                                  weights[i] = symmetric_weight(u, rows.indices[i], seed);
                            });
  });
  return weights;
}

}  // namespace

edge_maker make_edge_maker(const generator_spec& spec) {
  spec.require_list();
  return {spec.kind,
          spec.scale,
          spec.edge_factor,
          spec.width,
          spec.height,
          spec.depth,
          spec.keep,
          counter_random::of(spec.seed, static_cast<std::uint64_t>(spec.kind) + 1),
          permutation::of(static_cast<std::uint64_t>(spec.vertices()), spec.seed)};
}

shared_array<edge<vertex64>> generate_edges(const generator_spec& spec, std::int64_t first,
                                            std::int64_t last) {
  require(0 <= first && first <= last && last <= spec.candidates(),
          "generate_edges: the range is not part of the edge list");
  const edge_maker maker = make_edge_maker(spec);
  shared_array<edge<vertex64>> edges(static_cast<std::size_t>(last - first));
  std::size_t count = 0;
  for (std::int64_t k = first; k < last; ++k) {
    const generated e = generated_edge(maker, k);
    edges[count] = {e.source, e.target};
    count += e.exists;
  }
  return edges.first(count);
}

namespace detail {

void require_generator_memory(const generator_spec& spec, const generator_plan& plan,
                              const generate_options& options) {
  memory_limit limit{options.memory, "--memory"};
  if (options.memory <= 0) limit = host_memory_limit();
  if (plan.host_bytes > limit.bytes)
    throw capacity_error(spec.text + " does not fit: " + plan.text() + "; the limit is " +
                         configuration::format_bytes(limit.bytes) + " (" + limit.source + ")");
}

void check_generator_stop(const generator_spec& spec, const generate_options& options) {
  if (options.stop.stop_requested()) throw cancelled_error("generating " + spec.text + " stopped");
}

std::string generated_weights(const generator_spec& spec) {
  return "generated: 1..255 by a symmetric hash of the ends and seed " + std::to_string(spec.seed);
}

void finish_generated(graph& g, const generator_spec& spec, const generate_options& options) {
  g.name = spec.text;
  check_generator_stop(spec, options);
  if (!spec.matrix() && (options.weights || spec.kind == generator_kind::road)) {
    g.weights = edge_weights(g, spec.seed, options);
    g.weight_source = generated_weights(spec);
  }
  if (options.progress) options.progress(1.0);
}

}  // namespace detail

namespace {

/// List, then graph, as one progress.
graph cpu_graph(const generator_spec& spec, const generate_options& options) {
  generate_options listing = options, building = options;
  if (options.progress) {
    listing.progress = [&](double part) { options.progress(list_share * part); };
    building.progress = [&](double part) {
      options.progress(list_share + (1 - list_share) * part);
    };
  }
  return build_list(generated_list(spec, listing), building);
}

graph device_graph(const generator_spec& spec, const generate_options& options,
                   const generator_plan& plan) {
  detail::generated_rows rows = detail::generate_rows_cuda(spec, options, plan);
  graph g;
  g.offsets = std::move(rows.offsets);
  g.indices = std::move(rows.indices);
  // The same words as the builder's, so that a graph says the same whatever made it.
  g.steps.push_back("symmetrized");
  if (!options.keep_duplicates) {
    g.steps.push_back(detail::removed_step(rows.self_loops, "self-loop"));
    g.steps.push_back(detail::removed_step(rows.duplicates, "duplicate arc"));
  }
  g.symmetric = true;
  detail::finish_generated(g, spec, options);
  return g;
}

/// By falling degree, those of a degree in the order they had.
std::vector<std::int64_t> degree_order(const graph& g) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(g.vertices()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::int64_t v) { return g.degree(v); });
  return order;
}

graph ordered_graph(generator_spec spec, generate_options options) {
  const bool weights = std::exchange(options.weights, false);
  spec.by_degree = false;
  graph g = generate(spec, options);
  g = renumbered(g, degree_order(g), options.threads, options.stop);
  g.names = {};
  options.weights = weights;
  detail::finish_generated(g, spec, options);
  return g;
}

}  // namespace

graph generate(const generator_spec& spec, const generate_options& options) {
  if (spec.by_degree) {
    detail::require_generator_memory(spec, plan_generate(spec, options), options);
    return ordered_graph(spec, options);
  }
  const bool on_device = options.device >= 0 && !spec.matrix();
  if (!on_device && !spec.matrix()) return cpu_graph(spec, options);
  const std::int64_t free = on_device ? detail::cuda_free_bytes(options.device) : 0;
  const generator_plan plan = plan_generate(spec, options, free);
  detail::require_generator_memory(spec, plan, options);
  if (on_device) return device_graph(spec, options, plan);
  graph g = detail::make_matrix(spec, options);
  detail::finish_generated(g, spec, options);
  return g;
}

}  // namespace gossamer
