// The text of the kernel that GPUs run, and its argument as the host sees it.
#pragma once

#include <cstdint>

#include "gossamer/algorithm/compiled_program.hpp"

namespace gossamer::program_detail {

/// CUDA, to stand behind gs_propagate(): `gossamer_round`.
extern const char* const round_kernel;

/// Its argument, which the text repeats. All in the memory of the rank's GPU, but what `keys` and
/// `next` point to: in each rank's.
struct round_view {
  const std::int64_t* offsets;  ///< [rows + 1] of the own rows, from 0
  const std::int32_t* columns;  ///< vertices
  const void* weights;          ///< of the program's type; null: none
  void* const* keys;            ///< [ranks] of the vertices of each
  std::uint32_t* const* next;   ///< [ranks] a bit a vertex: has work in the next round
  const std::int64_t* starts;   ///< [ranks + 1] first vertex of each
  std::uint32_t* frontier;      ///< [(rows + 31) / 32] the same for this round; left empty
  unsigned long long* counts;   ///< whether something has work next, vertices, arcs
  std::int64_t rows;
  std::int32_t rank, ranks;
};
static_assert(sizeof(round_view) == 80);

inline constexpr int round_threads = 256;

}  // namespace gossamer::program_detail
