// Shortest paths as a vertex program, and Dijkstra's algorithm to compare with. Weights are given
// by position in the graph (real ones) or made from the two ends, so that any placement has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/dataflow/operator_worklist.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::testing_paths {

/// The operator: the smallest sum wins.
template <class W>
struct min_plus {
  using value = W;
  static constexpr W far = std::numeric_limits<W>::max();
  GOSSAMER_HD static bool update(W& at, const W& incoming) {
    if (incoming >= at) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD static W propagate(const W& from, const Arc& along) {
    return from + along.weight;
  }
  GOSSAMER_HD static double priority(const W& at) { return static_cast<double>(at); }
};

/// The same for both directions and for parallel arcs: 1 … 97, a multiple of 1/4 for floats, so
/// that sums do not depend on their order.
template <class W>
W weight_of(std::int64_t u, std::int64_t v) {
  const auto low = static_cast<std::uint64_t>(std::min(u, v));
  const auto high = static_cast<std::uint64_t>(std::max(u, v));
  const std::uint64_t mixed = (low * 0x9e3779b97f4a7c15u + high) * 0xff51afd7ed558ccdu;
  const auto whole = static_cast<std::uint32_t>(1 + (mixed >> 40) % 97);
  return std::is_floating_point_v<W> ? static_cast<W>(whole) / 4 : static_cast<W>(whole);
}

template <class W>
struct found_paths {
  std::vector<W> distances;  ///< by the caller's vertex; min_plus::far = not reached
  worklist_counters work;
};

/// Runs on every rank of the placement's machine. `real`: by position of the arc in the graph,
/// whose placement must be the identity; empty: weight_of.
template <class W, class Id = vertex32>
found_paths<W> paths_from(const placed_graph& placed, std::int64_t source, worklist_options options,
                          std::span<const W> real = {}, run_options run = {}) {
  machine& m = placed.on();
  using program = operator_worklist<min_plus<W>, Id, W, ownership_view>;
  const ownership& owners = placed.owners();
  std::vector<std::int64_t> capacity;
  for (int r = 0; r < m.size(); ++r) capacity.push_back(owners.local_size(r));
  run.arenas = {
      {static_cast<std::size_t>(distributed_worklist<program>::window_bytes(m.size(), options)),
       4096}};
  found_paths<W> found;
  found.distances.assign(static_cast<std::size_t>(placed.vertices()), min_plus<W>::far);
  std::vector<worklist_counters> counted(static_cast<std::size_t>(m.size()));
  const std::int64_t start = placed.placed_id(source);
  m.run(
      [&](rank& r) {
        const auto& slice = placed.slice<Id>(r.id());
        std::vector<W> made;
        const W* weights = nullptr;
        if (!real.empty()) {
          weights = real.data() + placed.source().offsets[owners.global(r.id(), 0)];
        } else {
          for (std::int64_t i = 0; i < slice.rows; ++i)
            for (edge_offset e = slice.offsets[i]; e < slice.offsets[i + 1]; ++e)
              made.push_back(weight_of<W>(placed.vertex(owners.global(r.id(), i)),
                                          placed.vertex(slice.columns[e])));
          weights = made.data();
        }
        program values({}, {slice.rows, slice.offsets, slice.columns, weights}, owners.view(),
                       r.id(), r.size(), owners.placed());
        distributed_worklist<program> work(values, r.id(), capacity, options);
        values.clear(min_plus<W>::far);
        work.begin(r);
        if (owners.owner(start) == r.id()) values.start(work, static_cast<Id>(start), W{0});
        work.run();
        counted[static_cast<std::size_t>(r.id())] = work.counters();
        for (std::int64_t i = 0; i < slice.rows; ++i) {
          const std::int64_t v = placed.vertex(owners.global(r.id(), i));
          if (v >= 0)
            found.distances[static_cast<std::size_t>(v)] = values[owners.global(r.id(), i)];
        }
      },
      run);
  for (const auto& c : counted) found.work.add(c);
  return found;
}

/// Dijkstra's algorithm; weight(u, v, position of the arc).
template <class W, class Weight>
std::vector<W> dijkstra(const graph& g, std::int64_t source, Weight&& weight) {
  std::vector<W> distances(static_cast<std::size_t>(g.vertices()), min_plus<W>::far);
  using entry = std::pair<W, std::int64_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
  distances[static_cast<std::size_t>(source)] = 0;
  queue.push({0, source});
  g.visit([&](const auto& view) {
    while (!queue.empty()) {
      const auto [d, u] = queue.top();
      queue.pop();
      if (d > distances[static_cast<std::size_t>(u)]) continue;
      for (edge_offset e = g.offsets[u]; e < g.offsets[u + 1]; ++e) {
        const std::int64_t v = view.indices[static_cast<std::size_t>(e)];
        const W there = d + weight(u, v, e);
        if (there >= distances[static_cast<std::size_t>(v)]) continue;
        distances[static_cast<std::size_t>(v)] = there;
        queue.push({there, v});
      }
    }
  });
  return distances;
}

}  // namespace gossamer::testing_paths
