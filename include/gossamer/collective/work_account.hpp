// What a rank counts for termination.hpp: items created, and items finished.
#pragma once

#include <cstdint>
#include <utility>

#include "gossamer/base/atomics.hpp"

namespace gossamer {

/// The counts of one rank. Any thread counts, any reads.
template <class Atomics = std_atomics>
class work_account {
 public:
  /// Counts `n` items, then lets `show` make them visible to others.
  template <class Show>
  void create(std::uint64_t n, Show&& show) {
    Atomics::fetch_add(created_, n);
    std::forward<Show>(show)();
  }
  /// Lets `work` work on `n` items, which creates others, then counts them as finished.
  template <class Work>
  void finish(std::uint64_t n, Work&& work) {
    std::forward<Work>(work)();
    Atomics::fetch_add(finished_, n);
  }
  [[nodiscard]] std::uint64_t created() const { return Atomics::load_acquire(created_); }
  [[nodiscard]] std::uint64_t finished() const { return Atomics::load_acquire(finished_); }
  /// Before a run.
  void clear() { created_ = finished_ = 0; }

  /// For models, which have to know the words.
  [[nodiscard]] const std::uint64_t* created_word() const noexcept { return &created_; }
  [[nodiscard]] const std::uint64_t* finished_word() const noexcept { return &finished_; }

 private:
  alignas(64) std::uint64_t created_ = 0;
  alignas(64) std::uint64_t finished_ = 0;
};

}  // namespace gossamer
