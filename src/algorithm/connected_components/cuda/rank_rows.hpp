// A rank's rows in its GPU's memory, with what runs take beside their windows: the graph's
// placement where one GPU has it all, else uploaded once.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "algorithm/connected_components/cuda/passes.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/degree_facts.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::components_detail::cuda {

/// Moments of a run on the GPU's clock, in this order.
enum moment : std::uint8_t { begun, sampled, hooked, merged, ended, moments };

/// Made while the rank's GPU is current.
template <class Id>
class rank_rows {
 public:
  /// All rows, on the only rank.
  rank_rows(machine& m, const graph& g)
      : rank_rows(m[0], g.arcs(), algorithm_detail::degrees_of(g).longest) {
    if (g.vertices() == 0) return;
    place_options one_direction;
    one_direction.both_directions = false;
    placed_ = kept::place(m, g, one_direction);
    const graph_slice<Id>& all = placed_->slice<Id>(0);
    rows_ = {0, g.vertices(), 0, all.offsets, all.columns};
    span_ = {0, g.vertices()};
  }
  /// Rows [first, last).
  rank_rows(const graph& g, std::int64_t first, std::int64_t last, const device& on)
      : rank_rows(on, g.offsets[last] - g.offsets[first], longest_of(g, first, last)) {
    const edge_offset begin = g.offsets[first], end = g.offsets[last];
    offsets_ = make_native_buffer<edge_offset>(on, static_cast<std::size_t>(last - first + 1));
    columns_ = make_native_buffer<Id>(on, static_cast<std::size_t>(end - begin));
    copy_bytes(offsets_.data(), g.offsets.data() + first, offsets_.size() * sizeof(edge_offset));
    copy_bytes(columns_.data(), g.view<Id>().indices.data() + begin, columns_.size() * sizeof(Id));
    rows_ = {first, last - first, begin, offsets_.data(), columns_.data()};
    span_ = survey_columns(on);
  }

  [[nodiscard]] const device_rows<Id>& view() const { return rows_; }
  [[nodiscard]] vertex_span span() const { return span_; }
  [[nodiscard]] vertex_span own() const { return {rows_.first, rows_.first + rows_.rows}; }
  /// From now on arcs to other ranks' vertices are left to somebody else.
  void hook_own_alone() { rows_.lowest = rows_.first; }
  [[nodiscard]] run_state* state() const { return state_.data(); }
  /// Null when no row is long.
  [[nodiscard]] row_chunk* chunks() const { return chunks_.data(); }
  [[nodiscard]] launch_site site(const rank& r) const { return {r.stream().native(), units_}; }
  void mark(const rank& r, moment m) { at_[m].record(r.stream()); }
  [[nodiscard]] double seconds(moment from, moment to) const {
    return at_[to].milliseconds_since(at_[from]) * 1e-3;
  }

 private:
  rank_rows(const device& on, std::int64_t arcs, std::int64_t longest)
      : units_(std::max(1, on.units / std::max(1, on.share))),
        state_(make_native_buffer<run_state>(on, 1)) {
    if (longest >= chunk_arcs)
      chunks_ = make_native_buffer<row_chunk>(on, static_cast<std::size_t>(2 * arcs / chunk_arcs));
    for (event& e : at_) e = event(on.ordinal);
    prepare_passes<Id>();
  }
  static std::int64_t longest_of(const graph& g, std::int64_t first, std::int64_t last) {
    std::int64_t longest = 0;
    for (std::int64_t v = first; v < last; ++v) longest = std::max(longest, g.degree(v));
    return longest;
  }

  vertex_span survey_columns(const device& on) const {
    vertex_span found = own();
    if (columns_.size() == 0) return found;
    const buffer<vertex_span> there = make_native_buffer<vertex_span>(on, 1);
    copy_bytes(there.data(), &found, sizeof found);
    const stream queue(on);
    survey(launch_site{queue.native(), on.units}, columns_.data(),
           static_cast<std::int64_t>(columns_.size()), there.data());
    event done(on.ordinal);
    done.record(queue);
    done.block(stream());  // this thread waits, with a deadline
    copy_bytes(&found, there.data(), sizeof found);
    return found;
  }

  int units_;
  std::shared_ptr<const placed_graph> placed_;  ///< of the only rank
  buffer<edge_offset> offsets_;
  buffer<Id> columns_;
  buffer<row_chunk> chunks_;
  buffer<run_state> state_;
  device_rows<Id> rows_;
  vertex_span span_;
  std::array<event, moments> at_;
};

}  // namespace gossamer::components_detail::cuda
