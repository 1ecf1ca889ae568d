#include "algorithm/vertex_parts.hpp"

#include <algorithm>

#include "algorithm/row_ranges.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/graph/renumber.hpp"

namespace gossamer::algorithm_detail {

namespace {

bool is_table(const std::string& name) {
  return name == "hash" || name == "metis" || name == "file";
}

/// One rank owns everything, and so it does of nothing.
bool divides(const partition_request& asked, const machine& m, std::int64_t vertices) {
  return asked.name != "auto" && m.size() > 1 && vertices > 0;
}

void check_table(const graph& g, int ranks, const partition_request& asked) {
  const std::vector<std::int32_t>& part_of = asked.part_of;
  const std::string who = std::string(asked.algorithm) + ": ";
  require(static_cast<std::int64_t>(part_of.size()) == g.vertices(),
          who + "the partition has " + std::to_string(part_of.size()) + " entries, the graph has " +
              std::to_string(g.vertices()) + " vertices");
  for (std::size_t v = 0; v < part_of.size(); ++v)
    require(part_of[v] >= 0 && part_of[v] < ranks,
            who + "vertex " + std::to_string(g.names.name(static_cast<std::int64_t>(v))) +
                " is in part " + std::to_string(part_of[v]) + ", the machine has " +
                std::to_string(ranks) + " ranks");
}

/// Ranges as long as the parts are large.
std::vector<std::int64_t> ranges_of(const std::vector<std::int32_t>& part_of, int ranks) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, 0);
  for (const std::int32_t part : part_of) ++first[static_cast<std::size_t>(part) + 1];
  for (std::size_t r = 1; r < first.size(); ++r) first[r] += first[r - 1];
  return first;
}

}  // namespace

void check_partition(const partition_request& asked) {
  const std::string& name = asked.name;
  require(name == "auto" || name == "ranges" || name == "edges" || is_table(name),
          std::string(asked.algorithm) + ": unknown partition '" + name +
              "' (there are auto, ranges, edges, hash, metis, file)");
}

vertex_parts divide_vertices(const graph& g, const machine& m, const partition_request& asked) {
  vertex_parts parts;
  if (asked.name == "file" && (m.size() > 1 || !asked.part_of.empty()))
    check_table(g, m.size(), asked);
  if (!divides(asked, m, g.vertices())) return parts;
  if (asked.name == "file") {
    parts.part_of = asked.part_of;
  } else {
    partition made = make_partition(g, asked.name, m.size(), asked.stop, asked.memory);
    parts.part_of = std::move(made.part_of);
  }
  parts.first = ranges_of(parts.part_of, m.size());
  parts.moved = !std::is_sorted(parts.part_of.begin(), parts.part_of.end());
  if (!parts.moved) parts.part_of = {};
  return parts;
}

vertex_parts plan_parts(const graph& g, const machine& m, const partition_request& asked) {
  if (asked.name != "metis") return divide_vertices(g, m, asked);
  vertex_parts parts;
  if (!divides(asked, m, g.vertices())) return parts;
  parts.first = even_ranges(g.vertices(), m.size());
  parts.moved = parts.estimated = true;
  return parts;
}

vertex_parts plan_parts(const graph_shape& g, const machine& m, const partition_request& asked) {
  vertex_parts parts;
  if (!divides(asked, m, g.vertices)) return parts;
  parts.first = even_ranges(g.vertices, m.size());
  parts.moved = is_table(asked.name);
  parts.estimated = asked.name != "ranges";
  return parts;
}

std::vector<std::int64_t> arcs_of_ranks(const vertex_parts& parts,
                                        std::span<const edge_offset> offsets,
                                        std::span<const std::int64_t> first, std::int64_t all) {
  const std::size_t ranks = first.size() - 1;
  if (ranks == 1) return {all};
  std::vector<std::int64_t> arcs(ranks, 0);
  if (!parts.moved) {
    for (std::size_t r = 0; r < ranks; ++r)
      arcs[r] = offsets[static_cast<std::size_t>(first[r + 1])] -
                offsets[static_cast<std::size_t>(first[r])];
  } else if (parts.part_of.empty()) {
    const auto each = static_cast<std::int64_t>(ranks);
    arcs.assign(ranks, (offsets.back() + each - 1) / each);
  } else {
    for (std::size_t v = 0; v < parts.part_of.size(); ++v)
      arcs[static_cast<std::size_t>(parts.part_of[v])] += offsets[v + 1] - offsets[v];
  }
  return arcs;
}

void plan_renumbering(memory_plan& plan, int rank, const vertex_parts& parts, const graph_sizes& g,
                      std::int64_t result_bytes, certainty vertices, certainty arcs) {
  if (!parts.moved) return;
  plan.add(rank, memory_kind::host, "renumbered graph", renumber_bytes(g), arcs);
  plan.add(rank, memory_kind::host, "order of vertices", g.vertices * (8 + 4), vertices);
  plan.add(rank, memory_kind::host, "results in that order", g.vertices * result_bytes, vertices);
}

void plan_partitioning(memory_plan& plan, const machine& m, const partition_request& asked,
                       const graph_sizes& g) {
  if (asked.name != "metis" || !divides(asked, m, g.vertices)) return;
  int first = 0;
  while (!m.here(first)) ++first;
  plan.add(first, memory_kind::host, "partitioning by METIS", partition_bytes(g, "metis"),
           certainty::about);
}

int threads_here(const machine& m) {
  if (m.all_here()) return 0;
  int threads = 0;
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r)) threads += m[r].threads;
  return threads;
}

int threads_after_run(const machine& m) {
  int threads = 0;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (m[r].is_cuda()) return host().cores;
    if (m[r].model == nullptr) threads += m[r].threads;
  }
  return std::clamp(threads, 1, host().cores);
}

parted_graph::parted_graph(const graph& g, vertex_parts parts, int threads,
                           const std::stop_token& stop)
    : first_(std::move(parts.first)) {
  if (!parts.moved) {
    rows_ = g;
    return;
  }
  vertex_ = make_array<std::int64_t>(parts.part_of.size());
  std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t v = 0; v < parts.part_of.size(); ++v)
    vertex_[static_cast<std::size_t>(next[static_cast<std::size_t>(parts.part_of[v])]++)] =
        static_cast<std::int64_t>(v);
  parts.part_of = {};
  rows_ = renumbered(g, vertex_.span(), threads, stop);
}

std::int64_t parted_graph::row_of(std::int64_t vertex) const {
  if (!moved()) return vertex;
  for (std::size_t r = 0; r + 1 < first_.size(); ++r) {
    const auto* end = vertex_.begin() + first_[r + 1];
    const auto* at =
        std::lower_bound(vertex_.begin() + first_[r], vertex_.begin() + first_[r + 1], vertex);
    if (at != end && *at == vertex) return at - vertex_.begin();
  }
  throw usage_error("there is no vertex " + std::to_string(vertex));
}

}  // namespace gossamer::algorithm_detail
