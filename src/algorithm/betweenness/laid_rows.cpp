// Steps of the layer `graph`, one after the other.
#include "algorithm/betweenness/laid_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/layouts/hub_order.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/renumber.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::betweenness_detail {

namespace {

/// Of sorted rows.
struct arc_facts {
  bool parallel = false;
};

bool has_parallel_arcs(const graph& g) {
  std::atomic<bool> found{false};
  g.visit([&](const auto& rows) {
    for_pieces(cpu_team{g.arcs() < (1 << 18) ? 1 : host().cores}, rows.vertices(), 4096,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t v = first; v < last; ++v) {
                   if (found.load(std::memory_order_relaxed)) return;
                   const auto row = rows.row(v);
                   if (std::adjacent_find(row.begin(), row.end()) != row.end()) found = true;
                 }
               });
  });
  return found;
}

/// Renumbering takes as long as it saves such a number of searches, or twice as many.
constexpr std::int64_t worth_reordering = 16;

bool may_reorder(bool symmetric, const row_uses& uses) {
  return symmetric && !uses.edges && uses.searches >= worth_reordering;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

build_options simple_rows(const graph& g, const std::stop_token& stop) {
  build_options options;
  options.deduplicate = true;
  options.known_symmetric = g.symmetric;
  options.stop = stop;
  return options;
}

/// With few neighbours' values in most cache lines the hubs', which most arcs lead to, are spread
/// over all of them.
void put_hubs_first(laid_rows& rows, const std::stop_token& stop) {
  const std::int64_t n = rows.out.vertices();
  const std::array<std::int64_t, 2> all = {0, n};
  rows.row_of = algorithm_detail::hub_positions<std::int64_t>(rows.out.offsets.span(), all);
  rows.vertex_of = make_array<std::int64_t>(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v)
    rows.vertex_of[static_cast<std::size_t>(rows.row_of[static_cast<std::size_t>(v)])] = v;
  rows.out = renumbered(rows.out, rows.vertex_of.span(), 0, stop);
  rows.out.names = {};
}

}  // namespace

row_steps steps_of(const graph& g, const row_uses& uses) {
  const bool parallel =
      !g.sorted || kept::of_graph<arc_facts>(g, "parallel arcs", [](const graph& bare) {
                     return std::make_shared<arc_facts>(arc_facts{has_parallel_arcs(bare)});
                   })->parallel;
  return {parallel, may_reorder(g.symmetric, uses) && algorithm_detail::degrees_of(g).skewed,
          !g.symmetric};
}

row_steps possible_steps(bool symmetric, const row_uses& uses) {
  return {true, may_reorder(symmetric, uses), !symmetric};
}

std::int64_t laying_out_bytes(const graph_sizes& g, const row_steps& steps) {
  std::int64_t bytes = 0;
  if (steps.simplify) bytes += rebuild_bytes(g, {});
  if (steps.hubs_first) bytes += renumber_bytes(g) + 16 * g.vertices;
  if (steps.reverse) bytes += rebuild_bytes(g, {});
  return bytes;
}

found_rows lay_out(const graph& g, const row_uses& uses, const std::stop_token& stop) {
  const row_steps steps = steps_of(g, uses);
  found_rows found;
  const auto* const what =
      steps.hubs_first ? "rows of betweenness, hubs first" : "rows of betweenness";
  found.rows = kept::of_graph<laid_rows>(g, what, [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<laid_rows>();
    made->out = steps.simplify ? rebuild(bare, simple_rows(bare, stop)) : bare;
    if (steps.hubs_first) put_hubs_first(*made, stop);
    if (steps.simplify || steps.hubs_first) found.laying_out = seconds_since(begin);
    return made;
  });
  if (!steps.reverse) return found;
  // Strong components reverse the same arcs.
  const graph& out = found.rows->out;
  found.reversed = kept::of_graph<graph>(
      g, steps.simplify ? "simple, reversed" : "reversed", [&](const graph& bare) {
        const auto begin = std::chrono::steady_clock::now();
        auto made = std::make_shared<graph>((steps.simplify ? out : bare).transposed(stop));
        found.reversing = seconds_since(begin);
        return made;
      });
  return found;
}

}  // namespace gossamer::betweenness_detail
