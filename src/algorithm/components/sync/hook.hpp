// One rank's labels: hooked along the arcs of its rows, and merged with those of another rank.
#pragma once

#include <cstdint>
#include <span>

#include "gossamer/graph/csr.hpp"

namespace gossamer::components_detail {

/// Rows of the vertices [first, last), and the threads that look at them.
template <class Id>
struct own_rows {
  const edge_offset* offsets = nullptr;  ///< of the first, and so on
  const Id* columns = nullptr;
  std::int64_t first = 0, last = 0;
  int threads = 1;

  [[nodiscard]] edge_offset begin(std::int64_t v) const { return offsets[v - first]; }
  [[nodiscard]] edge_offset end(std::int64_t v) const { return offsets[v - first + 1]; }
};

/// Every vertex of [first, last) its own label.
template <class Id>
void begin_labels(std::span<Id> labels, std::int64_t first, std::int64_t last, int threads);
template <class Id>
void begin_labels(std::span<Id> labels, int threads) {
  begin_labels(labels, 0, static_cast<std::int64_t>(labels.size()), threads);
}

/// Afforest's sample, of a whole graph: hooks along the first two arcs of each row, then
/// compresses. `below`: a bit a vertex to work with.
template <class Id>
void sample_arcs(const own_rows<Id>& rows, std::span<std::uint64_t> below, std::span<Id> labels);

/// The label that most of 1,024 evenly spread vertices have; compressed labels.
template <class Id>
Id most_frequent(std::span<const Id> labels);

/// Hooks arcs to smaller vertices alone: each edge once where every arc stands in the rows of both
/// its ends. A vertex is compressed with its row, which mostly begins at its root then.
template <class Id>
void hook_smaller(const own_rows<Id>& rows, std::span<Id> labels);

/// Hooks all arcs, but for the rows of vertices labelled `skip` (-1: none), which takes that every
/// arc stands in the rows of both its ends.
template <class Id>
void hook_rest(const own_rows<Id>& rows, Id skip, std::span<Id> labels);

/// Two vertices that are connected.
template <class Id>
struct edge {
  Id u, v;
};

/// Hooks edges that come as pairs, and compresses first ends: mostly the next edge has the same
/// one, which then begins at its root.
template <class Id>
void hook_edges(std::span<const edge<Id>> edges, std::span<Id> labels, int threads);

/// Joins v and label[v] for v = first, first + 1, …: what another rank has found.
template <class Id>
void merge_labels(std::span<const Id> found, std::int64_t first, std::span<Id> labels, int threads);

/// Labels of [first, last) := their roots.
template <class Id>
void compress_labels(std::span<Id> labels, std::int64_t first, std::int64_t last, int threads);
template <class Id>
void compress_labels(std::span<Id> labels, int threads) {
  compress_labels(labels, 0, static_cast<std::int64_t>(labels.size()), threads);
}

}  // namespace gossamer::components_detail
