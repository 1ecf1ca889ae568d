// Reports of termination detection between host threads of one process: words in memory that all
// address, for a thread's stores and loads; no copy engine takes part.
#pragma once

#include <bit>
#include <cstdint>

#include "gossamer/base/atomics.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

/// termination_detector's mail. Of each sender two places, by parity of the round.
class report_window {
 public:
  /// Collective; a barrier must lie between it and the first report.
  explicit report_window(rank& r)
      : self_(static_cast<std::size_t>(r.id())),
        all_(r.make_window<std::uint64_t>(words(r.size()), home::host)) {
    for (auto& word : all_.local()) word = 0;
  }
  static std::size_t bytes(int ranks) { return words(ranks) * sizeof(std::uint64_t) + 512; }

  void post(int to, std::uint64_t round, const work_report& report) const {
    std::uint64_t* at = all_.direct(to).data() + place(self_, round);
    const std::uint64_t told[] = {report.created, report.finished, report.repeated,
                                  std::bit_cast<std::uint64_t>(report.deferred)};
    for (int i = 0; i < 4; ++i) std_atomics::store_relaxed(at[i], told[i]);
    std_atomics::store_release(at[4], round + 1);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) const {
    const std::uint64_t* at = all_.local().data() + place(static_cast<std::size_t>(from), round);
    if (std_atomics::load_acquire(at[4]) != round + 1) return false;
    std::uint64_t told[4];
    for (int i = 0; i < 4; ++i) told[i] = std_atomics::load_relaxed(at[i]);
    into = {told[0], told[1], told[2], std::bit_cast<double>(told[3])};
    return true;
  }

 private:
  static constexpr std::size_t line = 8;  ///< words of a report's place
  static std::size_t words(int ranks) { return static_cast<std::size_t>(ranks) * 2 * line; }
  static std::size_t place(std::size_t from, std::uint64_t round) {
    return (from * 2 + round % 2) * line;
  }
  std::size_t self_;
  window<std::uint64_t> all_;
};

/// The same for a rank by itself, which has nobody to tell.
struct report_mail {
  const report_window* all;
  void post(int to, std::uint64_t round, const work_report& report) const {
    all->post(to, round, report);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) const {
    return all->fetch(from, round, into);
  }
};

}  // namespace gossamer::algorithm_detail
