// Who asks whom for work: a word of each rank that may ask, in the asked rank's host memory. It
// stands until it is granted or withdrawn. For ranks of one process, whose threads store and load.
#pragma once

#include <cstdint>
#include <span>

#include "gossamer/base/atomics.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

class steal_requests {
 public:
  /// Collective; a barrier must lie between it and the first ask().
  explicit steal_requests(rank& r)
      : self_(static_cast<std::size_t>(r.id())),
        all_(r.make_window<std::uint64_t>(words(r.size()), home::host)) {
    for (auto& word : all_.local()) word = 0;
  }
  static std::size_t bytes(int ranks) { return words(ranks) * sizeof(std::uint64_t) + 256; }

  /// One request stands at a time.
  void ask(int victim) {
    if (asked_ >= 0) return;
    asked_ = victim;
    std_atomics::store_release(all_.direct(victim)[self_ * line], std::uint64_t{1});
  }
  /// No request of this rank's stands any more: what was asked for has come, or is not needed. What
  /// has been granted meanwhile comes all the same.
  void withdraw() {
    if (asked_ < 0) return;
    std_atomics::store_relaxed(all_.direct(asked_)[self_ * line], std::uint64_t{0});
    asked_ = -1;
  }

  /// A rank that asks this one, from `first` on; -1: none does.
  [[nodiscard]] int asking(int first, int ranks) const {
    for (int i = 0; i < ranks; ++i) {
      const int r = (first + i) % ranks;
      if (std_atomics::load_acquire(place(r)) != 0) return r;
    }
    return -1;
  }
  /// That rank's request is granted.
  void grant(int to) const { std_atomics::store_relaxed(place(to), std::uint64_t{0}); }

 private:
  static constexpr std::size_t line = 8;  ///< words
  static std::size_t words(int ranks) { return static_cast<std::size_t>(ranks) * line; }
  [[nodiscard]] std::uint64_t& place(int of) const {
    return all_.local()[static_cast<std::size_t>(of) * line];
  }

  std::size_t self_;
  window<std::uint64_t> all_;
  int asked_ = -1;
};

}  // namespace gossamer::algorithm_detail
