// Pieces of host memory, and whom those of GPUs are left to.
#include "gossamer/machine/pieces.hpp"

#include "machine/cuda_backend.hpp"
#include "machine/piece_team.hpp"

namespace gossamer {

void read_pieces(const void* from, std::size_t bytes, const piece_reader& read) {
  if (bytes == 0) return;
  if (on_gpu(from)) return cuda_backend::read_pieces(from, bytes, read);
  const auto* data = static_cast<const std::byte*>(from);
  piece_team(bytes).run([&](int, piece_range p) { read(p.offset, data + p.offset, p.bytes); });
}

void write_pieces(void* to, std::size_t bytes, const piece_writer& write) {
  if (bytes == 0) return;
  if (on_gpu(to)) return cuda_backend::write_pieces(to, bytes, write);
  auto* data = static_cast<std::byte*>(to);
  piece_team(bytes).run([&](int, piece_range p) { write(p.offset, data + p.offset, p.bytes); });
}

void prepare_pieces(const device& d) {
  if (d.is_cuda()) cuda_backend::prepare_pieces(d.ordinal);
}

}  // namespace gossamer
