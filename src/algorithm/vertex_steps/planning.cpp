// Lists what the driver and its engines take, in the order in which they take it.
#include "algorithm/vertex_steps/planning.hpp"

#include <algorithm>

#include "algorithm/vertex_steps/engine.hpp"

namespace gossamer::steps_detail {

namespace {

certainty at_most_if(bool bound, certainty sure) {
  return bound && sure == certainty::exact ? certainty::at_most : sure;
}

graph_sizes without_weights(graph_sizes g) {
  g.weight_bytes = 0;
  return g;
}

/// Numbers, tables of arrays, and reports of blocks and ranks (cuda/engine.cpp).
std::int64_t table_bytes(const machine& m, int rank) {
  const auto ranks = static_cast<std::size_t>(m.size());
  const auto units = static_cast<std::size_t>(std::max(1, m[rank].units));
  const std::size_t words =
      most_numbers + ranks * most_arrays + (units + 2 * ranks) * (most_words + 1);
  return static_cast<std::int64_t>(words * sizeof(step_word)) + 4096;
}

void add_gpu(algorithm_detail::memory_layout& l, const machine& m, const problem& p, int r,
             bool hubs) {
  const planned_rows& rows = p.rows;
  const std::int64_t own = rows.ids(r), weight = p.sizes.weight_bytes;
  const std::int64_t ways = p.sizes.symmetric ? 1 : 2;
  std::int64_t arcs = rows.arcs[static_cast<std::size_t>(r)], most = arcs;
  if (!p.sizes.symmetric) {
    const std::int64_t in = p.in_arcs[static_cast<std::size_t>(r)];
    arcs += in;
    most = std::max(most, in);
  }
  l.own(r, "order of rows", own * ways * 16, rows.rows_are);
  // For pushes from 256 arcs on, for gathers from 4096 (row_order.hpp).
  l.own(r, "chunks of long rows", arcs / 8, at_most_if(true, rows.arcs_are));
  l.own(r, "weights", arcs * weight, rows.arcs_are);
  l.agreement(r, table_bytes(m, r), 8192);
  if (!hubs) return;
  // Once gathers are made, and what sorting them takes.
  const certainty sure = at_most_if(p.skewed_are != certainty::exact, rows.arcs_are);
  l.own(r, "columns of copies", arcs * (4 + weight) + own * ways * 4, sure);
  l.own(r, "sorted columns", (most + rows.ids()) * 4, sure);
}

/// On the host, of a rank after the other, and of hubs once a direction.
std::int64_t ordering_bytes(const machine& m, const problem& p, bool hubs) {
  std::int64_t most = hubs && p.skewed ? 8 * p.rows.ids() : 0;
  for (int r = 0; r < m.size(); ++r) most = std::max(most, 16 * p.rows.ids(r));
  return most;
}

/// While arcs are turned, beyond what stays of them and `later`, bytes that come behind.
std::int64_t turning_bytes(const machine& m, const graph_sizes& g, std::int64_t later) {
  if (g.symmetric) return 0;
  const graph_sizes bare = without_weights(g);
  std::int64_t second = 0, beyond = 0;
  if (turns_arcs(m, g)) {
    second = csr_bytes(g);
    beyond = rebuild_bytes(g, {}) - second;
  }
  const std::int64_t first = rebuild_bytes(bare, {}) - csr_bytes(bare) - second;
  return std::max({first - later, beyond - later, std::int64_t{0}});
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const place_options& where, bool skewed) {
  problem p{graph_sizes::of(g), plan_placement(m, g, where), plan_rows(m, g, where)};
  if (m[0].is_cuda()) p.in_arcs = plan_in_arcs(m, g, where);
  p.skewed = skewed;
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, const place_options& where,
                   int weight_bytes) {
  problem p{{g.vertices, g.arcs, g.id_width, weight_bytes, g.symmetric},
            plan_placement(m, g, where),
            plan_rows(m, g, where)};
  p.in_arcs = plan_in_arcs(m, g, where);
  p.turned_are = at_most_if(!g.directed, g.arcs_are);
  p.skewed = true;
  p.skewed_are = certainty::at_most;
  return p;
}

place_options placement_of(std::int64_t memory) {
  place_options where;
  where.partition = "edges";
  where.both_directions = true;
  where.memory = memory;
  return where;
}

bool turns_arcs(const machine& m, const graph_sizes& g) {
  return !g.symmetric && (g.weight_bytes > 0 || m[0].is_cuda());
}

algorithm_detail::memory_layout layout_of(const machine& m, const problem& p, bool hubs) {
  algorithm_detail::memory_layout l(m);
  l.include(p.placed);
  if (turns_arcs(m, p.sizes)) l.shared("arcs reversed", csr_bytes(p.sizes), p.turned_are);
  if (p.rows.moved)
    l.shared("weights by rank", p.sizes.arcs * p.sizes.weight_bytes, p.rows.arcs_are);
  if (!m[0].is_cuda()) return l;
  l.shared("rows while they are ordered", ordering_bytes(m, p, hubs), p.rows.rows_are);
  for (int r = 0; r < m.size(); ++r) add_gpu(l, m, p, r, hubs && p.skewed);
  return l;
}

algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const steps_fields& fields) {
  // Copies of hubs are gathered from arrays that every rank can read.
  algorithm_detail::memory_layout l = layout_of(m, p, fields.shared > 0);
  std::int64_t later = 0;
  for (int r = 0; r < m.size(); ++r) {
    const bool gpu = m[r].is_cuda();
    const std::int64_t own = p.rows.ids(r), all = gpu ? p.rows.ids() : own;
    const std::int64_t bytes = own * fields.own + all * fields.shared;
    l.own(r, "fields", bytes, p.rows.rows_are);
    if (!gpu) later += bytes;
  }
  l.shared("reversing arcs, beyond these", turning_bytes(m, p.sizes, later),
           at_most_if(true, p.turned_are));
  return l;
}

}  // namespace gossamer::steps_detail
