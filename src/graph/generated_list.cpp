// generated_list: the edge list in chunks by all threads, and the builder that consumes it.
#include "gossamer/graph/generated_list.hpp"

#include <algorithm>
#include <atomic>

#include "gossamer/base/configuration.hpp"
#include "graph/finish_generated.hpp"
#include "graph/parallel.hpp"

namespace gossamer {
namespace {

/// Share of the builder in build_list's progress; the rest is for weights.
constexpr double built_share = 0.92;

/// The list's existing edges, in order. Chunks of 64 MiB come from their own mappings, so that the
/// builder gives each back to the system as it is consumed.
template <class Id>
edge_chunks<Id> make_chunks(const generator_spec& spec, const generate_options& options) {
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
        detail::check_generator_stop(spec, options);
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
          options.progress(static_cast<double>(done) / static_cast<double>(total));
        }
      });
  return list;
}

}  // namespace

generated_list::generated_list(generator_spec spec, const generate_options& options)
    : spec_(std::move(spec)) {
  spec_.require_list();
  generate_options on_host = options;
  on_host.device = -1;
  detail::require_generator_memory(spec_, plan_generate(spec_, on_host), options);
  if (configuration::narrow_ids(spec_.vertices()))
    chunks_ = make_chunks<vertex32>(spec_, options);
  else
    chunks_ = make_chunks<vertex64>(spec_, options);
}

std::int64_t generated_list::edges() const {
  return std::visit(
      [](const auto& list) {
        std::int64_t sum = 0;
        for (const auto& chunk : list.edges) sum += static_cast<std::int64_t>(chunk.size());
        return sum;
      },
      chunks_);
}

shared_array<std::int64_t> generated_list::count_by_source(int threads,
                                                           const std::stop_token& stop) const {
  shared_array<std::int64_t> counts(static_cast<std::size_t>(spec_.vertices()));
  std::fill(counts.begin(), counts.end(), 0);
  std::visit(
      [&](const auto& list) {
        detail::parallel_blocks(detail::resolve_threads(threads),
                                static_cast<std::int64_t>(list.edges.size()),
                                [&](int, std::int64_t c) {
                                  detail::check_stop(stop, "counting edges");
                                  detail::stop_watch watch(stop, "counting edges");
                                  for (const auto& e : list.edges[c]) {
                                    watch.step();
                                    // Sums of integers: no order can show.
                                    std::atomic_ref<std::int64_t>(counts[e.source])
                                        .fetch_add(1, std::memory_order_relaxed);
                                  }
                                });
      },
      chunks_);
  return counts;
}

graph build_list(generated_list&& list, const generate_options& options) {
  build_options build;
  build.symmetrize = build.listed_once = true;
  build.remove_self_loops = build.deduplicate = !options.keep_duplicates;
  build.threads = options.threads;
  build.stop = options.stop;
  if (options.progress)
    build.progress = [&options](double part) { options.progress(built_share * part); };
  graph g =
      std::visit([&](auto& chunks) { return build_csr(std::move(chunks), build); }, list.chunks_);
  detail::finish_generated(g, list.spec_, options);
  return g;
}

}  // namespace gossamer
