// Graphs that vertices move in: the caller's, and the smaller ones made of it.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "algorithm/driver/array_list.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::communities_detail {

/// An arc of a smaller graph: to a vertex of it, with the weight of all arcs that it stands for.
template <class Id, class Sum>
struct coarse_arc {
  Id to;
  Sum weight;
};

/// A smaller graph. Loops are left out: they tell for no move, and strengths have them.
template <class Id, class Sum>
struct coarse_graph {
  shared_array<edge_offset> begin, end;  ///< of rows; there may be room between two
  shared_array<std::int64_t> strengths;
  shared_array<coarse_arc<Id, Sum>> arcs;

  void list_vertices(algorithm_detail::array_list& of, std::int64_t vertices) {
    of.add(begin, vertices);
    of.add(end, vertices);
    of.add(strengths, vertices);
  }
  void list_arcs(algorithm_detail::array_list& of, std::int64_t count) { of.add(arcs, count); }
};

/// The caller's rows without weights. each(v, f): f(u, weight) for the arcs of v, but loops.
template <class Id, class Sum>
struct bare_rows {
  const edge_offset* offsets;
  const Id* columns;

  [[nodiscard]] std::int64_t arcs_of(std::int64_t v) const { return offsets[v + 1] - offsets[v]; }
  template <class F>
  void each(std::int64_t v, const F& f) const {
    for (edge_offset arc = offsets[v]; arc < offsets[v + 1]; ++arc)
      if (const Id u = columns[arc]; static_cast<std::int64_t>(u) != v) f(u, Sum{1});
  }
};

/// The same with weights; arcs that weigh nothing are left out, too.
template <class Id, class Sum>
struct weighted_rows {
  const edge_offset* offsets;
  const Id* columns;
  const Sum* weights;

  [[nodiscard]] std::int64_t arcs_of(std::int64_t v) const { return offsets[v + 1] - offsets[v]; }
  template <class F>
  void each(std::int64_t v, const F& f) const {
    for (edge_offset arc = offsets[v]; arc < offsets[v + 1]; ++arc)
      if (const Id u = columns[arc]; static_cast<std::int64_t>(u) != v && weights[arc] > 0)
        f(u, weights[arc]);
  }
};

/// Of a smaller graph.
template <class Id, class Sum>
struct coarse_rows {
  const edge_offset *begin, *end;
  const coarse_arc<Id, Sum>* arcs;

  [[nodiscard]] std::int64_t arcs_of(std::int64_t v) const { return end[v] - begin[v]; }
  template <class F>
  void each(std::int64_t v, const F& f) const {
    for (edge_offset arc = begin[v]; arc < end[v]; ++arc) f(arcs[arc].to, arcs[arc].weight);
  }
};

}  // namespace gossamer::communities_detail
