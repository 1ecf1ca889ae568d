// A graph's edges as pairs, for a host that hands them out in packets.
//
// Of a symmetric graph each edge is there once, from its larger end; loops join nothing and are
// left out. Pairs are written whether they count or not, and what does not is written over: rows
// are short and the test cannot be foretold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/components/sync/hook.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::components_detail {

/// Those of some rows, one after the other.
template <class Id>
class edge_stream {
 public:
  /// Of rows `row` to `last` - 1.
  edge_stream(csr_view<Id> rows, bool symmetric, std::int64_t row, std::int64_t last)
      : rows_(rows),
        symmetric_(symmetric),
        row_(row),
        last_(last),
        begin_(rows.offsets[row]),
        arc_(begin_) {}

  [[nodiscard]] bool empty() const noexcept { return row_ >= last_; }
  /// Arcs so far.
  [[nodiscard]] edge_offset looked_at() const noexcept { return arc_ - begin_; }

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
  std::int64_t row_, last_;
  edge_offset begin_, arc_;
};

/// All edges, by a team: each thread has a stream of its own, of rows with about as many arcs, and
/// fills its part of a packet from that. What streams that have ended leave empty is closed up.
template <class Id>
class edge_source {
 public:
  edge_source(csr_view<Id> rows, bool symmetric, int threads)
      : team_{threads}, filled_(at(threads)) {
    const auto* const first = rows.offsets.data();
    const auto* const end = first + rows.vertices() + 1;
    std::int64_t row = 0;
    for (int t = 1; t <= threads; ++t) {
      const edge_offset until = rows.offsets[rows.vertices()] / threads * t;
      const std::int64_t last =
          t == threads ? rows.vertices() : std::lower_bound(first + row, end, until) - first;
      streams_.emplace_back(rows, symmetric, row, last);
      row = last;
    }
  }

  /// All arcs have been looked at.
  [[nodiscard]] bool empty() const {
    return std::all_of(streams_.begin(), streams_.end(), [](const auto& s) { return s.empty(); });
  }
  /// The next edges; how many. 0: none are left.
  std::size_t fill(std::span<edge<Id>> packet) {
    if (packet.size() < streams_.size()) return fill_by_one(packet);
    const auto from = [&](std::size_t t) { return packet.size() * t / streams_.size(); };
    for_pieces(team_, static_cast<std::int64_t>(streams_.size()), 1, [&](auto first, auto last) {
      for (auto t = at(first); t < at(last); ++t)
        filled_[t] = streams_[t].fill(packet.subspan(from(t), from(t + 1) - from(t)));
    });
    std::size_t all = filled_[0];
    for (std::size_t t = 1; t < streams_.size(); ++t) {
      if (all < from(t))
        std::copy_n(packet.begin() + static_cast<std::ptrdiff_t>(from(t)), filled_[t],
                    packet.begin() + static_cast<std::ptrdiff_t>(all));
      all += filled_[t];
    }
    return all;
  }
  /// Arcs looked at so far by the thread that looked at most.
  [[nodiscard]] std::int64_t arcs() const {
    std::int64_t most = 0;
    for (const auto& s : streams_) most = std::max(most, s.looked_at());
    return most;
  }

 private:
  /// A packet that has no part for each thread.
  std::size_t fill_by_one(std::span<edge<Id>> packet) {
    for (auto& s : streams_)
      if (const std::size_t filled = s.fill(packet); filled > 0) return filled;
    return 0;
  }
  static std::size_t at(std::int64_t t) { return static_cast<std::size_t>(t); }

  cpu_team team_;
  std::vector<edge_stream<Id>> streams_;
  std::vector<std::size_t> filled_;  ///< [threads]
};

}  // namespace gossamer::components_detail
