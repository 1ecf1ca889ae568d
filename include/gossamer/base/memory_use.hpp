// What was taken of each memory: the other side of a memory plan, which says what will be.
//
// Counted is whatever plans have entries for: arrays of graphs and results (shared_array), work
// memory, slices and arenas (allocate() of machine/memory.hpp), by the bytes that were asked for.
// Not counted: what the C++ library takes for small things, mapped files, and what a driver takes
// for itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace gossamer {

/// A device in this account: a CUDA ordinal, or the host, pinned memory included.
inline constexpr int host_account = -1;
/// GPUs with an account of their own; those beyond share the last one.
inline constexpr int most_gpu_accounts = 64;

struct memory_use {
  std::int64_t now = 0;   ///< bytes
  std::int64_t peak = 0;  ///< the most at any time since the last begin_peaks(), or ever
};
memory_use memory_in_use(int account) noexcept;
/// Peaks of every account of this process begin again at what is in use.
void begin_peaks() noexcept;

/// What the calling thread has taken and not given back since this was made. Of several that live
/// at once, only the youngest counts.
class memory_tally {
 public:
  memory_tally() noexcept;
  ~memory_tally();
  memory_tally(const memory_tally&) = delete;
  memory_tally& operator=(const memory_tally&) = delete;

  /// Bytes by account; none is negative.
  [[nodiscard]] std::map<int, std::int64_t> taken() const;
  /// For count_taken() and count_given_back().
  static void count(int account, std::int64_t bytes) noexcept;

 private:
  std::array<std::int64_t, most_gpu_accounts + 1> bytes_{};  ///< to count takes no memory
  memory_tally* before_;
};

/// For those who take memory and give it back.
void count_taken(int account, std::size_t bytes) noexcept;
void count_given_back(int account, std::size_t bytes) noexcept;

}  // namespace gossamer
