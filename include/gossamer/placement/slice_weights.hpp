// Weights beside the columns of a slice: derived from a placement when somebody asks for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/team.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/placed_graph.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gossamer {

/// [arcs of the slice of `rank`] in host memory: of the graph that was placed, whose `weights` lie
/// in the order of its arcs. Where placed ids are the caller's they are part of that array.
template <class Id, class Weight>
shared_array<Weight> slice_weights(const placed_graph& g, int rank,
                                   const shared_array<Weight>& weights) {
  const graph& source = g.source();
  const std::int64_t first = g.bounds()[static_cast<std::size_t>(rank)],
                     last = g.bounds()[static_cast<std::size_t>(rank) + 1];
  if (first == last) return {};
  const edge_offset* const offsets = source.offsets.data();
  if (g.identity() && g.id_width() == source.id_width())
    return {weights.data() + offsets[first],
            static_cast<std::size_t>(offsets[last] - offsets[first]), weights.owner()};
  const Id* const vertices = g.vertices_by_id<Id>();
  const Id* const ids = g.ids_by_vertex<Id>();
  const auto vertex_of = [vertices](std::int64_t id) {
    return vertices == nullptr ? id : std::int64_t{vertices[id]};
  };
  std::vector<edge_offset> begins{0};
  edge_offset longest = 0;
  for (std::int64_t i = first; i < last; ++i) {
    const edge_offset length = vertex_of(i) < 0 ? 0 : source.degree(vertex_of(i));
    longest = std::max(longest, length);
    begins.push_back(begins.back() + length);
  }
  shared_array<Weight> beside(static_cast<std::size_t>(begins.back()));
  // By (column, place), as slices have them. No exception may leave the threads: room is taken
  // before.
#ifdef _OPENMP
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  require_team(static_cast<int>(threads));
#else
  const std::size_t threads = 1;
#endif
  std::vector<std::vector<std::pair<Id, edge_offset>>> rooms(threads);
  for (auto& room : rooms) room.reserve(static_cast<std::size_t>(longest));
  source.visit([&](const auto& rows) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1024) num_threads(static_cast <int>(rooms.size()))
#endif
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t v = vertex_of(i);
      if (v < 0) continue;
#ifdef _OPENMP
      auto& row = rooms[static_cast<std::size_t>(omp_get_thread_num())];
#else
      auto& row = rooms.front();
#endif
      row.clear();
      for (edge_offset k = offsets[v]; k < offsets[v + 1]; ++k) {
        const auto u = static_cast<std::size_t>(rows.indices[static_cast<std::size_t>(k)]);
        row.emplace_back(ids == nullptr ? static_cast<Id>(u) : ids[u], k);
      }
      std::sort(row.begin(), row.end());
      Weight* to = beside.data() + begins[static_cast<std::size_t>(i - first)];
      for (const auto& [column, k] : row) *to++ = weights[static_cast<std::size_t>(k)];
    }
  });
  return beside;
}

/// The same of the graph's own weights; usage_error where it has none of this type.
template <class Id, class Weight>
shared_array<Weight> slice_weights(const placed_graph& g, int rank) {
  const weight_array& all = g.source().weights;
  const auto* weights = std::get_if<shared_array<Weight>>(&all);
  if (weights == nullptr) {
    constexpr const char* names[] = {"no weights", "weights of int32", "weights of float",
                                     "weights of double"};
    const std::size_t asked = weight_array(shared_array<Weight>()).index();
    throw usage_error((g.name().empty() ? "the graph" : g.name()) + " has " + names[all.index()] +
                      ", and the program takes " + names[asked]);
  }
  return slice_weights<Id>(g, rank, *weights);
}

}  // namespace gossamer
