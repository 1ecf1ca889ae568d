// Bytes that the kernel's second vectors, counters and messages take of a rank's arena. This part
// needs no CUDA, so plans can be made without a GPU.
#include "algorithm/cg/single_kernel/single_kernel.hpp"

namespace gossamer::cg_detail {

std::size_t single_kernel_bytes(const layout& l, int rank, bool jacobi) {
  const auto& part = l.parts[static_cast<std::size_t>(rank)];
  // Twice the arena's alignment: at most so much is lost around each piece.
  const auto carved = [](std::size_t bytes) { return bytes + 512; };
  const auto vector = [&](std::int64_t n) {
    return carved(static_cast<std::size_t>(n) * sizeof(double));
  };
  // z twice and the second p; counters, state, and the exchange of scalars.
  std::size_t bytes = 3 * vector(part.extended) + 2 * carved(single_kernel_words * 8) +
                      carved(sizeof(single_kernel_state)) +
                      carved(l.parts.size() * single_kernel_message) +
                      2 * carved(l.parts.size() * 4 * sizeof(std::uint64_t));
  if (jacobi) bytes += vector(part.rows);
  if (l.halo)
    for (const auto& m : l.sends[static_cast<std::size_t>(rank)])
      bytes += carved(m.entries.size() * sizeof(std::int32_t));
  return bytes;
}

}  // namespace gossamer::cg_detail
