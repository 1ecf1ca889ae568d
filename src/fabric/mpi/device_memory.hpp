// device_memory: what messages of other processes do to windows on this process's GPU.
//
// Everything goes through one stream that nothing else uses and nothing waits in, so that it ends
// whatever the rank's own streams do: copies by engine from pinned memory, raises and atomics as
// kernels (adds of the rank's own kernels may hit the same words). The carrier applies messages
// inside its own polls, so waits here poll nothing but that stream; they are bounded by `limit`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/fabric/window.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::mpi {

class device_memory {
 public:
  explicit device_memory(const device& gpu);

  /// The longest wait from now on.
  void limit(std::chrono::nanoseconds longest) noexcept { limit_ = longest; }
  /// `from` may change as soon as it returns; what was written is there after settle().
  void write(std::byte* to, std::span<const std::byte> from);
  /// After all that was written before.
  void raise(std::byte* counter, std::uint64_t value, signal_op op);
  void read(std::byte* into, const std::byte* from, std::size_t bytes);
  [[nodiscard]] std::uint64_t atomic(std::byte* word, int width, bool add, std::uint64_t a,
                                     std::uint64_t b);
  /// Returns when all of it is done. Throws rank_error after the limit, foreign_error when the
  /// device fails.
  void settle();

 private:
  stream stream_;
  buffer<std::byte> staging_;     ///< pinned
  std::size_t used_ = 0;          ///< of staging_, by copies under way
  buffer<std::uint64_t> result_;  ///< pinned
  std::chrono::nanoseconds limit_;
};

}  // namespace gossamer::mpi
