// What a run takes of a rank's memories beside what its program planned (run_options::arenas).
#pragma once

#include <cstddef>

namespace gossamer {

class machine;

/// Bytes on top of an arena_plan, in the native and in the host memory of each rank alike: tables
/// of windows, barrier counters and alignment; on the host also the ranks' boards.
constexpr std::size_t arena_overhead(std::size_t ranks) {
  return std::size_t{64} * 1024 + 64 * ranks * sizeof(void*);
}
/// Bytes of pinned host memory that a rank's channels keep for data on its way: of a GPU towards
/// others that it cannot address, and in a job of processes.
std::size_t staging_bytes(const machine& m, int rank);

}  // namespace gossamer
