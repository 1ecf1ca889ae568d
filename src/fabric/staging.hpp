// Blocks of pinned memory that channels of GPU ranks take for data on its way (staging_bytes).
#pragma once

#include <cstddef>

namespace gossamer {

/// Of transport `pinned`, each way between two GPUs: one half fills while the other empties.
inline constexpr std::size_t pinned_halves = 2, pinned_half = std::size_t{4} << 20;
/// Of transport `mpi`: for what arrives at a process's GPU, and for each rank that it sends to.
inline constexpr std::size_t mpi_arriving = std::size_t{2} << 20,
                             mpi_leaving = std::size_t{256} << 10;

}  // namespace gossamer
