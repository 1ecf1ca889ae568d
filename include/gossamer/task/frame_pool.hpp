// Memory of coroutine frames: free lists by size, one set a thread, no malloc in steady state.
//
// Contract of the layer `task`: cooperative tasks on one core, which wait for memory, for words and
// for each other without the core ever waiting. A scheduler and all its tasks belong to one thread;
// nothing here is atomic. Layers above make more cores of it by one scheduler a rank.
//
// A frame goes back to the list of the thread that frees it, which must be the one that took it.
// Frames above `largest` are rare and taken from operator new.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

// Free frames are poisoned under AddressSanitizer; without it these do nothing.
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace gossamer {

/// The frames of one thread. Slabs are kept until the thread ends.
class frame_pool {
 public:
  static constexpr std::size_t step = 32;        ///< bytes between two sizes
  static constexpr std::size_t largest = 2048;   ///< bytes
  static constexpr std::size_t slab = 64 << 10;  ///< bytes that are taken at once

  /// The calling thread's. The first call of a thread makes it, or throws std::bad_alloc.
  static frame_pool& mine();

  /// `bytes` of memory, aligned as operator new aligns.
  void* take(std::size_t bytes) {
    const std::size_t which = (bytes + step - 1) / step;
    if (which >= free_.size() || free_[which] == nullptr) return take_slowly(which, bytes);
    auto* found = free_[which];
    free_[which] = found->next;
    ASAN_UNPOISON_MEMORY_REGION(found, which * step);
    count(bytes);
    return found;
  }
  void give_back(void* at, std::size_t bytes) noexcept;

  /// Frames in use, and their bytes as the pool rounds them.
  [[nodiscard]] std::size_t frames() const noexcept { return frames_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// How often memory was asked of the system: constant in steady state.
  [[nodiscard]] std::size_t refills() const noexcept { return refills_; }

 private:
  struct piece {
    piece* next;
  };
  void* take_slowly(std::size_t which, std::size_t bytes);
  void count(std::size_t bytes) {
    ++frames_;
    bytes_ += (bytes + step - 1) / step * step;
  }

  std::array<piece*, largest / step + 1> free_{};
  std::size_t frames_ = 0, bytes_ = 0, refills_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
};

}  // namespace gossamer
