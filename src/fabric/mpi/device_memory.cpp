// Writes and reads through a pinned staging block in the stream. settle() waits, with a deadline,
// until the stream has done all.
#include "fabric/mpi/device_memory.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "fabric/gpu_operations.hpp"
#include "fabric/staging.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/wait.hpp"

namespace gossamer::mpi {

device_memory::device_memory(const device& gpu)
    : stream_(gpu, stream::priority::high),
      staging_(memory_kind::pinned, gpu.ordinal, mpi_arriving),
      result_(memory_kind::pinned, gpu.ordinal, 1),
      limit_(configuration::default_deadline()) {}

void device_memory::write(std::byte* to, std::span<const std::byte> from) {
  while (!from.empty()) {
    if (used_ == mpi_arriving) settle();
    const std::size_t n = std::min(from.size(), mpi_arriving - used_);
    std::byte* stage = staging_.data() + used_;
    std::memcpy(stage, from.data(), n);
    copy_bytes(to, stage, n, stream_, copier::engine);
    // Copies begin where the last one ended, rounded up to a line.
    used_ = std::min(mpi_arriving, (used_ + n + 127) / 128 * 128);
    to += n;
    from = from.subspan(n);
  }
}

void device_memory::raise(std::byte* counter, std::uint64_t value, signal_op op) {
  gpu::raise(reinterpret_cast<std::uint64_t*>(counter), value, op == signal_op::add, stream_);
}

void device_memory::read(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += mpi_arriving) {
    settle();
    const std::size_t n = std::min(bytes - at, mpi_arriving);
    copy_bytes(staging_.data(), from + at, n, stream_, copier::engine);
    settle();
    std::memcpy(into + at, staging_.data(), n);
  }
}

std::uint64_t device_memory::atomic(std::byte* word, int width, bool add, std::uint64_t a,
                                    std::uint64_t b) {
  gpu::atomic(word, width, add, a, b, result_.data(), stream_);
  settle();
  return *result_.data();
}

void device_memory::settle() {
  const auto give_up = steady::now() + limit_;
  for (backoff pace; !stream_.idle();)
    if (pace.pause() && steady::now() > give_up)
      throw rank_error("cuda:" + std::to_string(stream_.ordinal()) +
                           " did not apply what other processes wrote within " +
                           std::to_string(std::chrono::duration<double>(limit_).count()) + " s",
                       -1, -1, true);
  used_ = 0;
}

}  // namespace gossamer::mpi
