// What plans count of blocks that channels take.
#include "fabric/staging.hpp"

#include "gossamer/fabric/arena.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

std::size_t staging_bytes(const machine& m, int rank) {
  if (!m[rank].is_cuda()) return 0;
  std::size_t bytes = m[rank].process >= 0 ? mpi_arriving : 0;
  for (int peer = 0; peer < m.size(); ++peer) {
    const auto& transport = m.between(rank, peer).transport;
    if (transport == "pinned") bytes += pinned_halves * pinned_half;
    if (transport == "mpi" && peer != rank) bytes += mpi_leaving;
  }
  return bytes;
}

}  // namespace gossamer
