// generate(): the edge list in chunks by all threads, then the builder; or the GPU's rows.
#include "gossamer/graph/generators.hpp"

#include <atomic>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "graph/build_rows.hpp"
#include "graph/generate_cuda.hpp"
#include "graph/make_matrix.hpp"
#include "graph/parallel.hpp"

namespace gossamer {
namespace {

void check_stop(const generate_options& options, const generator_spec& spec) {
  if (options.stop.stop_requested()) throw cancelled_error("generating " + spec.text + " stopped");
}

/// Shares of the progress bar: the list, then the builder, then the weights.
constexpr double list_share = 0.4, built_share = 0.95;

/// The list's existing edges, in order. Chunks of 64 MiB come from their own mappings, so that the
/// builder gives each back to the system as it is consumed.
template <class Id>
edge_chunks<Id> edge_list(const generator_spec& spec, const generate_options& options) {
  const edge_maker maker = make_edge_maker(spec);
  const std::int64_t total = spec.candidates();
  const std::int64_t size =
      std::clamp<std::int64_t>(total / 16, 1 << 14, (64 << 20) / sizeof(edge<Id>));
  edge_chunks<Id> list;
  list.vertices = spec.vertices();
  list.edges.resize((total + size - 1) / size);
  std::atomic<std::int64_t> made{0};
  const int threads = total < 4096 ? 1 : detail::resolve_threads(options.threads);
  detail::parallel_blocks(
      threads, static_cast<std::int64_t>(list.edges.size()), [&](int, std::int64_t c) {
        check_stop(options, spec);
        const std::int64_t first = c * size, last = std::min(total, first + size);
        shared_array<edge<Id>> chunk(last - first);
        std::size_t count = 0;
        // A chunk of 64 MiB takes a second on a slow core.
        detail::stop_watch watch(options.stop, "generating");
        for (std::int64_t k = first; k < last; ++k) {
          watch.step();
          const generated e = generated_edge(maker, k);
          chunk[count] = {static_cast<Id>(e.source), static_cast<Id>(e.target)};
          count += e.exists;
        }
        list.edges[c] = chunk.first(count);
        if (options.progress) {
          const auto done = made.fetch_add(last - first, std::memory_order_relaxed) + last - first;
          options.progress(list_share * static_cast<double>(done) / static_cast<double>(total));
        }
      });
  return list;
}

graph cpu_graph(const generator_spec& spec, const generate_options& options) {
  build_options build;
  build.symmetrize = true;
  build.remove_self_loops = build.deduplicate = !options.keep_duplicates;
  build.threads = options.threads;
  build.stop = options.stop;
  if (options.progress)
    build.progress = [&options](double part) {
      options.progress(list_share + (built_share - list_share) * part);
    };
  if (configuration::narrow_ids(spec.vertices()))
    return build_csr(edge_list<vertex32>(spec, options), build);
  return build_csr(edge_list<vertex64>(spec, options), build);
}

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
  if (spec.matrix()) throw usage_error(spec.text + " is a matrix: it has no list of edges");
  return {spec.kind,
          spec.scale,
          spec.width,
          spec.height,
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

graph generate(const generator_spec& spec, const generate_options& options) {
  const bool on_device = options.device >= 0 && !spec.matrix();
  const std::int64_t free = on_device ? detail::cuda_free_bytes(options.device) : 0;
  const generator_plan plan = plan_generate(spec, options, free);
  memory_limit limit{options.memory, "--memory"};
  if (options.memory <= 0) limit = host_memory_limit();
  if (plan.host_bytes > limit.bytes)
    throw capacity_error(spec.text + " does not fit: " + plan.text() + "; the limit is " +
                         configuration::format_bytes(limit.bytes) + " (" + limit.source + ")");
  graph g;
  if (spec.matrix()) {
    g = detail::make_matrix(spec, options);
  } else if (on_device) {
    detail::generated_rows rows = detail::generate_rows_cuda(spec, options, plan);
    g.offsets = std::move(rows.offsets);
    g.indices = std::move(rows.indices);
    // The same words as the builder's, so that a graph says the same whatever made it.
    g.steps.push_back("symmetrized");
    if (!options.keep_duplicates) {
      g.steps.push_back(detail::removed_step(rows.self_loops, "self-loop"));
      g.steps.push_back(detail::removed_step(rows.duplicates, "duplicate arc"));
    }
    g.symmetric = true;
  } else {
    g = cpu_graph(spec, options);
  }
  g.name = spec.text;
  check_stop(options, spec);
  if (!spec.matrix() && (options.weights || spec.kind == generator_kind::road)) {
    g.weights = edge_weights(g, spec.seed, options);
    g.weight_source =
        "generated: 1..255 by a symmetric hash of the ends and seed " + std::to_string(spec.seed);
  }
  if (options.progress) options.progress(1.0);
  return g;
}

}  // namespace gossamer
