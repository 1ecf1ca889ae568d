// Partitions by ranges, by hash and from a given vector, and their quality.
#include "gossamer/graph/partition.hpp"

#include <algorithm>

#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/graph/random.hpp"
#include "graph/parallel.hpp"

namespace gossamer {
namespace {

void check_parts(int parts) {
  require(parts >= 1, "partition: " + std::to_string(parts) + " parts; at least one is needed");
}

partition from_bounds(const graph& g, std::vector<std::int64_t> bounds, std::string method) {
  partition p;
  p.parts = static_cast<int>(bounds.size()) - 1;
  p.method = std::move(method);
  p.part_of.resize(static_cast<std::size_t>(g.vertices()));
  for (int i = 0; i < p.parts; ++i)
    std::fill(p.part_of.begin() + bounds[i], p.part_of.begin() + bounds[i + 1], i);
  p.bounds = std::move(bounds);
  return p;
}

/// total * part / parts without overflow.
std::int64_t share(std::int64_t total, int part, int parts) {
  return total / parts * part + total % parts * part / parts;
}

double balance(const std::vector<std::int64_t>& loads) {
  std::int64_t sum = 0, most = 0;
  for (const std::int64_t load : loads) {
    sum += load;
    most = std::max(most, load);
  }
  if (sum == 0) return 1;
  return static_cast<double>(most) * static_cast<double>(loads.size()) / static_cast<double>(sum);
}

}  // namespace

partition partition_ranges(const graph& g, int parts) {
  check_parts(parts);
  std::vector<std::int64_t> bounds(static_cast<std::size_t>(parts) + 1);
  for (int p = 0; p <= parts; ++p) bounds[p] = share(g.vertices(), p, parts);
  return from_bounds(g, std::move(bounds), "ranges");
}

partition partition_edge_ranges(const graph& g, int parts) {
  check_parts(parts);
  const std::int64_t n = g.vertices();
  std::vector<std::int64_t> bounds(static_cast<std::size_t>(parts) + 1, n);
  bounds[0] = 0;
  for (int p = 1; p < parts; ++p) {
    const std::int64_t goal = share(g.arcs() + n, p, parts);
    bounds[p] = detail::row_at(g.offsets.data(), bounds[p - 1], n, goal);
  }
  return from_bounds(g, std::move(bounds), "edges");
}

partition partition_hash(const graph& g, int parts, int block_bits, std::uint64_t seed) {
  check_parts(parts);
  require(block_bits < 62, "partition: block bits must be at most 61");
  const std::int64_t n = g.vertices();
  if (block_bits < 0) {
    block_bits = 6;
    while (block_bits > 0 && n >> block_bits < 8 * std::int64_t{parts}) --block_bits;
  }
  partition p;
  p.parts = parts;
  p.method = "hash";
  p.part_of.resize(static_cast<std::size_t>(n));
  const std::int64_t blocks = n == 0 ? 0 : ((n - 1) >> block_bits) + 1;
  // The block at place i of the shuffled order goes to part i mod parts: at most one block more for
  // one part than for another, which independent draws would not give.
  const permutation shuffled = permutation::of(static_cast<std::uint64_t>(blocks), seed);
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto part = static_cast<std::int32_t>(shuffled(static_cast<std::uint64_t>(b)) %
                                                static_cast<std::uint64_t>(parts));
    const std::int64_t last = std::min(n, (b + 1) << block_bits);
    std::fill(p.part_of.begin() + (b << block_bits), p.part_of.begin() + last, part);
  }
  return p;
}

partition partition_given(const graph& g, std::span<const std::int32_t> part_of, int parts) {
  require(static_cast<std::int64_t>(part_of.size()) == g.vertices(),
          "partition: " + std::to_string(part_of.size()) + " entries for " +
              std::to_string(g.vertices()) + " vertices");
  std::int32_t most = -1;
  for (std::size_t v = 0; v < part_of.size(); ++v) {
    const std::int32_t part = part_of[v];
    require(part >= 0 && (parts == 0 || part < parts), [&] {
      return "partition: vertex " + std::to_string(g.names.name(static_cast<std::int64_t>(v))) +
             " is in part " + std::to_string(part) +
             (parts > 0 ? ", outside 0.." + std::to_string(parts - 1) : ", below 0");
    });
    most = std::max(most, part);
  }
  partition p;
  p.parts = parts > 0 ? parts : std::max(1, most + 1);
  p.method = "given";
  p.part_of.assign(part_of.begin(), part_of.end());
  return p;
}

partition make_partition(const graph& g, std::string_view method, int parts,
                         const std::stop_token& stop, std::int64_t memory) {
  detail::check_stop(stop, "partition");
  if (method == "metis") return partition_metis(g, parts, 1, stop, memory);
  require_memory(g, "partitioning", partition_bytes(graph_sizes::of(g), method), memory);
  if (method == "ranges" || method == "auto") return partition_ranges(g, parts);
  if (method == "edges") return partition_edge_ranges(g, parts);
  if (method == "hash") return partition_hash(g, parts);
  throw usage_error("partition '" + std::string(method) +
                    "' is not known (there are auto, ranges, edges, hash, metis)");
}

partition_quality evaluate(const graph& g, const partition& p, const std::stop_token& stop,
                           std::int64_t memory) {
  const std::int64_t n = g.vertices();
  require(static_cast<std::int64_t>(p.part_of.size()) == n, "partition: made for another graph");
  partition_quality q;
  q.vertices.assign(p.parts, 0);
  q.arcs.assign(p.parts, 0);
  q.halo.assign(p.parts, 0);
  if (n == 0) return q;
  require_memory(g, "measuring the partition", quality_bytes(graph_sizes::of(g)), memory);
  detail::stop_watch watch(stop, "partition");
  // Vertices part by part (counting sort), so that one mark a vertex serves all parts in turn.
  std::vector<std::int64_t> start(static_cast<std::size_t>(p.parts) + 1, 0);
  for (const std::int32_t part : p.part_of) ++start[part + 1];
  for (int i = 0; i < p.parts; ++i) {
    q.vertices[i] = start[i + 1];
    start[i + 1] += start[i];
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  {
    std::vector<std::int64_t> at(start.begin(), start.end() - 1);
    for (std::int64_t v = 0; v < n; ++v) {
      watch.step();
      order[at[p.part_of[v]]++] = v;
    }
  }
  std::vector<std::int32_t> seen(static_cast<std::size_t>(n), -1);
  g.visit([&](const auto& rows) {
    for (int part = 0; part < p.parts; ++part)
      for (std::int64_t i = start[part]; i < start[part + 1]; ++i) {
        watch.step(g.degree(order[i]) + 1);
        for (const auto u : rows.row(order[i])) {
          ++q.arcs[part];
          if (p.part_of[u] == part) continue;
          ++q.cut_arcs;
          if (seen[u] == part) continue;
          seen[u] = part;
          ++q.halo[part];
        }
      }
  });
  for (const std::int64_t h : q.halo) q.halo_total += h;
  if (g.arcs() > 0) q.cut_share = static_cast<double>(q.cut_arcs) / static_cast<double>(g.arcs());
  q.vertex_balance = balance(q.vertices);
  q.arc_balance = balance(q.arcs);
  return q;
}

}  // namespace gossamer
