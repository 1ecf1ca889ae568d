// A caller's edge list on a GPU, as the builder reads it: once to check it, once or a few times to
// count arcs of ranges of rows, and once for each piece of rows.
#pragma once

#include <cstdint>

#include "gossamer/graph/device_builder.hpp"
#include "gossamer/machine/memory.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/over_warp.cuh"
#include "graph/cuda/waited_stream.cuh"

namespace gossamer::detail {

/// What is known of a list after it was read once.
struct edge_survey {
  std::int64_t least = 0, largest = -1;  ///< ids
  std::int64_t loops = 0;
  std::uint64_t difference = 0;  ///< mirror_difference, summed, if asked for
  std::uint64_t differing = 0;   ///< bits in which ordered bits of weights differ
};

/// Which arcs to make of an edge.
struct arcs_wanted {
  bool mirror = false;  ///< (v,u) beside (u,v), self-loops once
  bool remove_loops = false;
};

/// Some rows, and how many arcs they have.
struct row_piece {
  std::int64_t first, rows, arcs;
};

/// The device must be the calling thread's current one.
class edge_list {
 public:
  /// Ranges of rows that are counted at once: as counters in the shared memory of each block.
  static constexpr int buckets = 4096;

  explicit edge_list(const device_edges& edges);
  [[nodiscard]] const device_edges& edges() const { return edges_; }
  [[nodiscard]] std::int64_t count() const { return edges_.sources.count; }

  /// `mirrors`: sums mirror_difference, too.
  edge_survey survey(bool mirrors, waited_stream& on) const;
  /// The lowest index of a negative id in one of the list's arrays, -1 if there is none.
  std::int64_t first_negative(const device_view& ids, waited_stream& on) const;
  /// The rows of `of` in at most `buckets` parts of the same number of rows, with their arcs.
  std::vector<row_piece> divide(const row_piece& of, arcs_wanted wanted, waited_stream& on) const;
  /// Queues the keys of the piece's arcs, in any order, and the ordered bits of their weights (null
  /// without), of 4 or 8 bytes.
  void put(const row_piece& piece, arcs_wanted wanted, int id_bits, key_type* keys, void* weights,
           waited_stream& on) const;

 private:
  device_edges edges_;
  buffer<word> words_;  ///< counters of whichever kernel is at work
};

}  // namespace gossamer::detail
