// What every kernel of the CUDA engine sees of its rank, and what a kernel tells the host.
//
// Bit positions are placed ids, also in `seen`. One bitmap answers "reached" for this rank's own
// vertices and "already sent" for those of other ranks, so the check before the atomic needs no
// look-up of the owner. Positions in arrays and queues are local indices. On a GPU that is alone
// local indices are placed ids, and the kernels are instantiated without the mapping.
#pragma once

#include <cstdint>

#include "algorithm/bfs/engine.hpp"
#include "gossamer/placement/ownership.hpp"

namespace gossamer::bfs_detail::cuda {

inline constexpr int block_threads = 256;
inline constexpr int block_warps = block_threads / 32;
/// Rows of this many arcs and more leave the per-warp expansion and are cut into chunks, which the
/// whole grid shares: a hub of 400,000 neighbours becomes 782 pieces of work.
inline constexpr int hub_arcs = 256;
inline constexpr int chunk_arcs = 512;
/// counters::hubs holds two counts, so that one atomic reserves a place in the list and a range of
/// chunks in the same order: hubs above this bit, chunks below.
inline constexpr int hub_count_bit = 36;
/// An entry of the hub list: number of its first chunk above this bit, the local vertex below.
inline constexpr int hub_vertex_bits = 31;

/// Counters in device memory; all zero between levels (the kernel that reports clears them).
struct counters {
  unsigned long long tail;      ///< next frontier: vertices, and the end of the queue
  unsigned long long arcs;      ///< arcs in the rows of the next frontier
  unsigned long long hubs;      ///< see hub_count_bit
  unsigned long long gathered;  ///< end of the queue made from a bitmap
  unsigned long long longest;   ///< survey: longest row
  unsigned int ticket;          ///< blocks that have finished
};

/// Host memory that kernels write: valid once `sequence` has the value the host asked for.
struct report {
  unsigned long long sequence;
  long long vertices;
  long long arcs;
};

/// What the last block of a kernel reports.
enum class reporting : std::uint8_t {
  none,   ///< nothing: another kernel of the level follows
  level,  ///< the next frontier's size and arcs; the level is done
  mail,   ///< the number of messages for every rank; the level goes on
};

/// Words of 32 bits that hold a bit for each of `rows`.
GOSSAMER_HD inline std::int64_t words_of(std::int64_t rows) {
  return (rows + 31) / 32;
}

template <class Id>
struct level_view {  // NOLINT(cppcoreguidelines-pro-type-member-init): plain data
  std::int64_t rows;
  const edge_offset* offsets;
  const Id* columns;
  const edge_offset* in_offsets;
  const Id* in_columns;
  Id* parents;
  std::int32_t* depths;
  std::uint32_t* seen;               ///< [placed / 32]
  std::int32_t* next;                ///< [rows] queue of the next frontier
  unsigned long long* hubs;          ///< [rows] see hub_vertex_bits
  message<Id>* outbox;               ///< one segment a rank, one place a vertex of that rank
  const std::int64_t* outbox_first;  ///< [p] where a rank's segment starts
  unsigned long long* outbox_count;  ///< [p]
  counters* count;
  report* out;
  long long* mail;  ///< [p] host memory: reported outbox_count
  ownership_view own;
  int me;
  std::int32_t depth;  ///< of the vertices found now
};

}  // namespace gossamer::bfs_detail::cuda
