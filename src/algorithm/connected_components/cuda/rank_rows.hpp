// A rank's rows in its GPU's memory: uploaded once, with what runs take beside their windows.
#pragma once

#include <algorithm>
#include <array>

#include "algorithm/connected_components/cuda/passes.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::components_detail::cuda {

/// Moments of a run on the GPU's clock, in this order.
enum moment : std::uint8_t { begun, sampled, hooked, merged, ended, moments };

/// Made while the rank's GPU is current.
template <class Id>
class rank_rows {
 public:
  rank_rows(const graph& g, std::int64_t first, std::int64_t last, const device& on, bool alone)
      : units_(std::max(1, on.units / std::max(1, on.share))),
        offsets_(make_native_buffer<edge_offset>(on, static_cast<std::size_t>(last - first + 1))),
        state_(make_native_buffer<run_state>(on, 1)) {
    const edge_offset begin = g.offsets[first], end = g.offsets[last];
    columns_ = make_native_buffer<Id>(on, static_cast<std::size_t>(end - begin));
    copy_bytes(offsets_.data(), g.offsets.data() + first, offsets_.size() * sizeof(edge_offset));
    copy_bytes(columns_.data(), g.view<Id>().indices.data() + begin, columns_.size() * sizeof(Id));
    rows_ = {first, last - first, begin, offsets_.data(), columns_.data()};
    std::int64_t longest = 0;
    for (std::int64_t v = first; v < last; ++v) longest = std::max(longest, g.degree(v));
    if (longest >= chunk_arcs)
      chunks_ = make_native_buffer<row_chunk>(
          on, static_cast<std::size_t>(2 * (end - begin) / chunk_arcs));
    for (event& e : at_) e = event(on.ordinal);
    prepare_passes<Id>();
    span_ = alone ? vertex_span{0, g.vertices()} : survey_columns(on);
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
  buffer<edge_offset> offsets_;
  buffer<Id> columns_;
  buffer<row_chunk> chunks_;
  buffer<run_state> state_;
  device_rows<Id> rows_;
  vertex_span span_;
  std::array<event, moments> at_;
};

}  // namespace gossamer::components_detail::cuda
