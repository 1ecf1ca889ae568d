// A graph's edges one after the other, as pairs, for a host that hands them out in packets.
//
// Of a symmetric graph each edge is there once, from its larger end; loops join nothing and are
// left out. Pairs are written whether they count or not, and what does not is written over: rows
// are short and the test cannot be foretold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "algorithm/components/sync/hook.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::components_detail {

template <class Id>
class edge_source {
 public:
  edge_source(csr_view<Id> rows, bool symmetric) : rows_(rows), symmetric_(symmetric) {}

  /// All arcs have been looked at.
  [[nodiscard]] bool empty() const noexcept { return row_ >= rows_.vertices(); }
  /// Arcs looked at so far.
  [[nodiscard]] std::int64_t arcs() const noexcept { return arc_; }

  /// The next edges, as many as there is room for in `packet` or are left; how many.
  std::size_t fill(std::span<edge<Id>> packet) {
    std::size_t filled = 0;
    while (filled < packet.size() && !empty()) {
      const edge_offset end = rows_.offsets[row_ + 1];
      const auto room = static_cast<edge_offset>(packet.size() - filled);
      const edge_offset until = std::min(end, arc_ + room);
      const Id v = static_cast<Id>(row_);
      for (; arc_ < until; ++arc_) {
        const Id u = rows_.indices[arc_];
        packet[filled] = {v, u};
        filled += (u < v) | (!symmetric_ & (u > v));
      }
      row_ += arc_ == end;
    }
    return filled;
  }

 private:
  csr_view<Id> rows_;
  bool symmetric_;
  std::int64_t row_ = 0;
  edge_offset arc_ = 0;
};

}  // namespace gossamer::components_detail
