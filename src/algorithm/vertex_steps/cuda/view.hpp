// What kernels of steps see beside step_view. NVRTC has this file as text.
#pragma once

#include <cstdint>

#include "algorithm/vertex_steps/view.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::steps_detail {

inline constexpr int step_threads = 1024;
inline constexpr int most_step_ranks = 16;
/// Rows of so many arcs and more are cut into chunks, which warps take: of a push, where one row
/// may be all there is to do, and of a gather, where all rows are.
inline constexpr long long shortest_split[] = {256, 4096};
inline constexpr long long chunk_arcs[] = {512, 2048};
enum chunk_use { for_pushes, for_gathers };

/// Of a row that is split.
struct row_chunk {
  long long begin;
  int count;
  int row;    ///< own, from 0
  int first;  ///< chunk of the row
  int of;     ///< chunks of the row
};

/// A row that is not split.
struct alignas(16) row_place {
  long long begin;
  int length;
  int row;  ///< own, from 0
};

/// Rows of a gather by length: a warp for a row, half of one, four lanes, one.
inline constexpr int row_classes = 4;
inline constexpr long long shortest_of_class[row_classes] = {256, 32, 8, 0};

/// How rows of one direction are shared out among lanes.
struct row_shares {
  const row_chunk* chunks[2];  ///< by chunk_use
  long long chunk_count[2];
  const row_place* places;           ///< the longest first where the graph is skewed, else by class
  long long class_end[row_classes];  ///< in `places`
  unsigned long long* parts;         ///< [chunks of gathers]
  unsigned* done;  ///< the same, at a row's first: chunks that are done, 0 between stages
  // Where hubs' copies lie together, since most reads go to them; null: by id.
  const int* position;  ///< [own] of own vertices' copies that gathers of these rows read
  const int* columns;   ///< of every row, rising: positions instead of ids
  const void* weights;  ///< beside them
};

/// Of one rank, between kernels.
struct step_control {
  unsigned arrived, generation;
  unsigned long long met;  ///< ranks' meetings since the arrays are there
  int next;                ///< stage to go to, -1: the kernel ends
};

/// What a kernel leaves in the host's memory, the numbers behind it.
struct step_result {
  int stage;         ///< the next; -1: the end
  long long stages;  ///< that were run
};

struct gpu_step_view : step_view {  // NOLINT(cppcoreguidelines-pro-type-member-init): plain data
  step_word* changing;              ///< the numbers
  int number_count;
  int begin;  ///< stage to begin with
  step_result* result;
  int hub_bytes;  ///< of a block's memory, for hubs' copies
  row_shares shares[2];
  step_control* control;
  step_word* reports;  ///< [blocks x words]
  // Several ranks.
  int rank, ranks, arrays_count;
  void* const* everywhere;                ///< [ranks x arrays]
  long long bounds[most_step_ranks + 1];  ///< ids by owner
  step_word* mail[most_step_ranks];       ///< at each rank: [2 x ranks x (words + 1)]
  std::uint64_t* flags[most_step_ranks];  ///< at each rank: [ranks] meetings
  device_guard guard;
  unsigned long long turn_ns;  ///< after that, others may have the GPU
};

}  // namespace gossamer::steps_detail
