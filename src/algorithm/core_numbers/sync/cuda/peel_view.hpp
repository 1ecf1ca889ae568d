// What the kernel that peels is given, and what its blocks tell each other.
#pragma once

#include <cstdint>

#include "algorithm/cuda/device_rows.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::core_numbers_detail::cuda {

using algorithm_detail::cuda::device_rows;

/// What a block takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads = 1024;  ///< of a block
  /// Bytes of a block's list of vertices that wait. Those beyond go to the list of all blocks.
  static constexpr unsigned waiting_bytes = 32768;
  /// Vertices that a thread looks at, and arcs that it follows, before it waits for memory.
  static constexpr unsigned at_once = 4;
  /// Arcs of the vertices that wait in a block, from which on they are worth another's while.
  static constexpr unsigned shared_arcs = 2048;
};

/// A vertex's word: its degree, which becomes its core number; and whether some block has taken the
/// vertex to peel it.
constexpr std::uint32_t taken_bit = 1U << 31;

/// What all blocks find at a level. Zeros say nothing was found.
struct level_sums {
  unsigned long long taken;
  std::uint32_t lowest_inverted;  ///< ~ of the lowest degree of those that stay
  std::uint32_t pause;            ///< the launch has lasted long
  std::uint32_t idle;             ///< blocks for which nobody waits
};

/// Between two launches.
struct peel_state {
  unsigned long long taken;  ///< at all levels
  std::uint32_t level;       ///< that comes next
  std::uint32_t meetings;
  std::uint32_t rounds, degeneracy;
  std::uint32_t begun;  ///< blocks have lists of those that are left
};

template <class Id>
struct peel_view {
  device_rows<Id> rows[2];  ///< the second is null where the first is symmetric
  std::int64_t vertices;
  std::uint32_t* words;      ///< [n] a copy of the degrees at first
  Id* left;                  ///< [n, and up to a block's threads more] a block's part is its own
  std::int64_t* left_of;     ///< [blocks]
  Id* waiting;               ///< [n] all ones at first: a ring, of those who wait for any block
  unsigned long long* ends;  ///< of `waiting`: from where vertices wait, and up to where
  level_sums* sums;          ///< [3]
  peel_state* state;
  unsigned long long pause;  ///< nanoseconds after which a launch ends with a level
  device_guard guard;
};

}  // namespace gossamer::core_numbers_detail::cuda
