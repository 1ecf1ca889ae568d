// A rank's rows, its slice of a placement, and what runs take beside their windows.
#pragma once

#include <algorithm>
#include <array>

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/sync/cuda/passes.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail::cuda {

/// Moments of a run on the GPU's clock, in this order.
enum moment : std::uint8_t { begun, sampled, hooked, merged, ended, moments };

struct row_arrays {
  buffer<row_chunk> chunks;
  buffer<run_state> state;
  buffer<vertex_span> surveyed;

  /// `arcs`: 0 where no row is long.
  void list(algorithm_detail::array_list& of, std::int64_t arcs) {
    of.add(chunks, 2 * arcs / chunk_arcs);
    of.add(state, 1);
    of.add(surveyed, 1);
  }
};

/// Made while the rank's GPU is current.
template <class Id>
class rank_rows {
 public:
  rank_rows(const placed_graph& g, int rank)
      : units_(std::max(1, g.on()[rank].units / std::max(1, g.on()[rank].share))) {
    const device& on = g.on()[rank];
    const graph_slice<Id>& slice = g.slice<Id>(rank);
    const std::int64_t first = g.bounds()[static_cast<std::size_t>(rank)],
                       last = g.bounds()[static_cast<std::size_t>(rank) + 1];
    algorithm_detail::array_list taken(on);
    const bool long_rows = algorithm_detail::degrees_of(g.source()).longest >= chunk_arcs;
    arrays_.list(taken, long_rows ? slice.arcs : 0);
    for (event& e : at_) e = event(on.ordinal);
    rows_ = {first, last - first, 0, slice.offsets, slice.columns};
    span_ = g.on().size() == 1 ? own() : survey_columns(on, slice.arcs);
  }

  [[nodiscard]] const device_rows<Id>& view() const { return rows_; }
  [[nodiscard]] vertex_span span() const { return span_; }
  [[nodiscard]] vertex_span own() const { return {rows_.first, rows_.first + rows_.rows}; }
  /// From now on arcs to other ranks' vertices are left to somebody else.
  void hook_own_alone() { rows_.lowest = rows_.first; }
  [[nodiscard]] run_state* state() const { return arrays_.state.data(); }
  /// Null when no row is long.
  [[nodiscard]] row_chunk* chunks() const { return arrays_.chunks.data(); }
  [[nodiscard]] launch_site site(const rank& r) const { return {r.stream().native(), units_}; }
  void mark(const rank& r, moment m) { at_[m].record(r.stream()); }
  [[nodiscard]] double seconds(moment from, moment to) const {
    return at_[to].milliseconds_since(at_[from]) * 1e-3;
  }

 private:
  vertex_span survey_columns(const device& on, std::int64_t arcs) const {
    vertex_span found = own();
    if (arcs == 0) return found;
    vertex_span* const there = arrays_.surveyed.data();
    copy_bytes(there, &found, sizeof found);
    const stream queue(on);
    survey(launch_site{queue.native(), on.units}, rows_.columns, arcs, there);
    event done(on.ordinal);
    done.record(queue);
    done.block(stream());  // this thread waits, with a deadline
    copy_bytes(&found, there, sizeof found);
    return found;
  }

  int units_;
  row_arrays arrays_;
  device_rows<Id> rows_;
  vertex_span span_;
  std::array<event, moments> at_;
};

}  // namespace gossamer::components_detail::cuda
