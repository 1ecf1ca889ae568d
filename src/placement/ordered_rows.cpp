// Ranges from a division of the graph, a renumbered copy where parts are not ranges already, and
// what both take.
#include "gossamer/placement/ordered_rows.hpp"

#include <algorithm>

#include "gossamer/graph/partition.hpp"
#include "gossamer/graph/renumber.hpp"
#include "placement/layout.hpp"

namespace gossamer {

namespace {

using placement_detail::division, placement_detail::range_starts;

vertex_ranges ranges_of(const division& d, bool symmetric, certainty are) {
  vertex_ranges all;
  all.first.push_back(0);
  for (const auto& s : d.shares) {
    all.first.push_back(all.first.back() + s.vertices);
    all.arcs.push_back(s.arcs);
    all.in_arcs.push_back(symmetric ? s.arcs : s.in_arcs);
  }
  all.are = are;
  return all;
}

/// What a table says may be ranges, too.
bool moves(const division& d) {
  return !std::is_sorted(d.part_of.begin(), d.part_of.end());
}

division divided(const machine& m, const graph& g, const place_options& how, balanced by,
                 bool estimate) {
  const bool weighs_in = by == balanced::in_arcs && how.partition == "edges" && !g.symmetric;
  const auto in = weighs_in && m.size() > 1 ? in_offsets_of(g) : shared_array<edge_offset>();
  return placement_detail::divide(g, m.size(), how, estimate, in.span(), range_starts::anywhere);
}

/// Shares of even size may leave the last ranks less.
void end_at(vertex_ranges& ranges, std::int64_t vertices) {
  for (std::int64_t& first : ranges.first) first = std::min(first, vertices);
}

}  // namespace

vertex_ranges plan_ranges(const machine& m, const graph& g, const place_options& how, balanced by) {
  const division d = divided(m, g, how, by, true);
  const bool estimated = how.partition == "metis" && m.size() > 1;
  auto ranges = ranges_of(d, g.symmetric, estimated ? certainty::about : certainty::exact);
  ranges.moved = estimated || moves(d);
  end_at(ranges, g.vertices());
  return ranges;
}

vertex_ranges plan_ranges(const machine& m, const graph_shape& g, const place_options& how) {
  const division d = placement_detail::divide(g, m.size(), how, range_starts::anywhere);
  auto ranges = ranges_of(d, g.symmetric, rows_certainty(m, g, how));
  ranges.moved = m.size() > 1 && placement_detail::needs_table(how);
  end_at(ranges, g.vertices);
  return ranges;
}

void plan_ordered(memory_plan& plan, const machine& m, const vertex_ranges& ranges,
                  const graph_sizes& g, const place_options& how, std::int64_t values) {
  int first = 0;
  while (!m.here(first)) ++first;
  if (how.partition == "metis" && m.size() > 1)
    plan.add(first, memory_kind::host, "partitioning by METIS", partition_bytes(g, "metis"),
             certainty::about);
  if (!ranges.moved) return;
  plan.add(first, memory_kind::host, "renumbered graph", renumber_bytes(g), ranges.are);
  plan.add(first, memory_kind::host, "order of vertices", g.vertices * (8 + 4), ranges.are);
  plan.add(first, memory_kind::host, "values in that order", g.vertices * values, ranges.are);
}

shared_array<edge_offset> in_offsets_of(const graph& g) {
  if (g.symmetric) return g.offsets;
  const auto n = static_cast<std::size_t>(g.vertices());
  auto offsets = make_array<edge_offset>(n + 1);
  std::fill(offsets.begin(), offsets.end(), 0);
  g.visit([&](const auto& out) {
    for (edge_offset k = 0; k < g.arcs(); ++k)
      ++offsets[static_cast<std::size_t>(out.indices[static_cast<std::size_t>(k)]) + 1];
  });
  for (std::size_t v = 0; v < n; ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

ordered_rows::ordered_rows(const machine& m, const graph& g, const place_options& how, balanced by,
                           int threads) {
  division d = divided(m, g, how, by, false);
  ranges_ = ranges_of(d, g.symmetric, certainty::exact);
  ranges_.moved = moves(d);
  if (!ranges_.moved) {
    rows_ = g;
    return;
  }
  vertex_ = make_array<std::int64_t>(d.part_of.size());
  std::vector<std::int64_t> next(ranges_.first.begin(), ranges_.first.end() - 1);
  for (std::size_t v = 0; v < d.part_of.size(); ++v)
    vertex_[static_cast<std::size_t>(next[static_cast<std::size_t>(d.part_of[v])]++)] =
        static_cast<std::int64_t>(v);
  d.part_of = {};
  rows_ = renumbered(g, vertex_.span(), threads, how.stop);
}

}  // namespace gossamer
