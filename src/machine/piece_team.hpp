// piece_team: threads that take the pieces of a block in turn. Private to the layer.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "gossamer/base/throwing.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer {

/// Memory of one socket is not read faster by more.
inline constexpr int most_piece_threads = 8;

struct piece_range {
  std::size_t offset, bytes;
};

class piece_team {
 public:
  explicit piece_team(std::size_t bytes)
      : bytes_(bytes),
        pieces_((bytes + piece_bytes - 1) / piece_bytes),
        threads_(static_cast<int>(std::min<std::size_t>(
            pieces_, static_cast<std::size_t>(std::clamp(host().cores, 1, most_piece_threads))))) {}

  [[nodiscard]] int threads() const noexcept { return threads_; }
  /// The next piece that nobody has taken; nothing when all are, or a thread has failed.
  std::optional<piece_range> next() {
    const std::size_t at = taken_.fetch_add(1, std::memory_order_relaxed);
    if (at >= pieces_ || failed_.load(std::memory_order_relaxed)) return std::nullopt;
    return piece_range{at * piece_bytes, std::min(piece_bytes, bytes_ - at * piece_bytes)};
  }

  /// Calls work(thread) on each thread, the caller's among them; rethrows the first failure.
  template <class F>
  void each_thread(const F& work) {
    const auto guarded = [&](int thread) {
      if (const std::exception_ptr failure = failure_of([&] { work(thread); })) {
        const std::lock_guard lock(failure_lock_);
        if (!failure_) failure_ = failure;
        failed_ = true;
      }
    };
    {
      std::vector<std::jthread> others;
      for (int t = 1; t < threads_; ++t) {
        try {
          others.emplace_back(guarded, t);
        } catch (const std::system_error&) {
          break;  // fewer threads do the same work
        }
      }
      guarded(0);
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Calls work(thread, piece) for every piece.
  template <class F>
  void run(const F& work) {
    each_thread([&](int thread) {
      while (const auto piece = next()) work(thread, *piece);
    });
  }

 private:
  const std::size_t bytes_, pieces_;
  const int threads_;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex failure_lock_;
  std::exception_ptr failure_;
};

}  // namespace gossamer
