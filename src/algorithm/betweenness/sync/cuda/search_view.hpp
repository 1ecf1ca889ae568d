// What the kernel that searches is given, and what its blocks leave for each other.
#pragma once

#include <cstdint>

#include "algorithm/cuda/device_rows.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::betweenness_detail::cuda {

using algorithm_detail::cuda::device_rows;

/// What follows a row. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads =
      512;  ///< of a block: fewer leave each its numbers in registers
  static constexpr unsigned short_row = 16;   ///< arcs that one thread follows
  static constexpr unsigned warp_row = 4096;  ///< arcs that one warp follows; a block those of more
};

enum class search_stage : std::uint32_t { begin, forward, back, over };

/// Of a group of blocks, between two levels; zero at first.
struct group_state {
  search_stage stage;
  std::uint32_t meetings;
  std::uint32_t scaled, too_large;  ///< of the search: its numbers are scaled; should be
  std::int64_t search;              ///< which of the group's
  std::int64_t rescaled;            ///< searches
  std::int64_t level, first, last;  ///< its places in `order`
};

/// A vertex, and where its arcs lie.
template <class Id>
struct alignas(sizeof(Id) == 4 ? 16 : 8) named_row {
  edge_offset begin;
  Id vertex, degree;
};

/// Vertices have two bits: 0, or one more than their level modulo 3.
constexpr std::int64_t codes_a_word = 16;
/// Words of a group, in lines of their own: by which its blocks meet, one a meeting, in turn; and
/// the end of `order`.
constexpr unsigned meeting_words = 3, tail_word = 16, group_words = 32;

/// Arrays are of all groups, one after the other.
template <class Id>
struct search_view {
  device_rows<Id> rows[2];  ///< along arcs and against them; the same of a symmetric graph
  std::int64_t vertices;
  std::int64_t scored;  ///< vertices or arcs
  bool symmetric, edges, endpoints;
  const Id* sources;  ///< [searches] null: all vertices
  std::int64_t searches;
  std::int64_t rank, ranks;   ///< sources go to groups of all ranks in turn
  unsigned groups, blocks;    ///< of this GPU; of a group
  double* values;             ///< [groups][n]
  std::int32_t* powers;       ///< [groups][n] of scaled values
  std::uint32_t* codes;       ///< [groups][code_words(n)]
  named_row<Id>* order;       ///< [groups][n] by level, with their rows along arcs
  Id* level_begin;            ///< [groups][n + 1] places in it
  double* scores;             ///< [groups][scored]
  group_state* states;        ///< [groups]
  unsigned long long* words;  ///< [groups][group_words] zero
  unsigned long long pause;   ///< nanoseconds after which groups leave with a level
  device_guard guard;
};

GOSSAMER_HD constexpr std::int64_t code_words(std::int64_t vertices) {
  return (vertices + codes_a_word - 1) / codes_a_word;
}

/// What groups have added up, in the caller's order.
struct collect_view {
  const double* scores;  ///< [groups][count]
  std::int64_t count;
  unsigned groups;
  const std::int64_t* row_of;  ///< [count] null: its own
  double* sums;                ///< [count]
};

/// Sums of arcs of a symmetric graph, whose rows ascend.
template <class Id>
struct join_view {
  device_rows<Id> rows;
  std::int64_t vertices;
  double* sums;  ///< [arcs]
};

}  // namespace gossamer::betweenness_detail::cuda
