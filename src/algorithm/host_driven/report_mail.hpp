// Reports of termination detection between host threads: words in host memory. Where all address
// it, a thread's stores and loads carry them, and no copy engine takes part. Processes that share
// no memory put them and raise a counter, which only the host's threads look at.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "gossamer/base/atomics.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

/// termination_detector's mail. Of each sender two places, by parity of the round.
class report_window {
 public:
  /// Collective; a barrier must lie between it and the first report.
  explicit report_window(rank& r)
      : rank_(&r),
        self_(static_cast<std::size_t>(r.id())),
        all_(r.make_window<std::uint64_t>(words(r.size()), home::host)),
        told_(r.make_signals(static_cast<std::size_t>(r.size()), home::host)),
        leaving_(r.scratch<std::uint64_t>(2 * line, home::host)) {
    for (auto& word : all_.local()) word = 0;
  }
  static std::size_t bytes(int ranks) {
    const std::size_t counters = static_cast<std::size_t>(ranks) * sizeof(std::uint64_t);
    return words(ranks) * sizeof(std::uint64_t) + counters + 2 * line * sizeof(std::uint64_t) +
           std::size_t{3} * 256;
  }

  /// `on`: orders a GPU rank's puts; null: the rank's own stream.
  void post(int to, std::uint64_t round, const work_report& report, const stream* on) const {
    const std::uint64_t told[said] = {report.created, report.finished, report.repeated,
                                      std::bit_cast<std::uint64_t>(report.deferred)};
    const std::size_t there = place(self_, round);
    if (!addressed(to)) {
      // The last report from here has arrived: all have answered it in the round between.
      const auto staged = leaving_.subspan(round % 2 * line, said);
      std::copy_n(told, said, staged.begin());
      rank_->put_signal(all_, to, there, staged, told_[self_], round + 1, signal_op::set, on);
      return;
    }
    std::uint64_t* at = all_.direct(to).data() + there;
    for (std::size_t i = 0; i < said; ++i) std_atomics::store_relaxed(at[i], told[i]);
    std_atomics::store_release(at[said], round + 1);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) const {
    const auto sender = static_cast<std::size_t>(from);
    const std::uint64_t* at = all_.local().data() + place(sender, round);
    if (addressed(from) ? std_atomics::load_acquire(at[said]) != round + 1
                        : rank_->read_signal(told_[sender]) <= round)
      return false;
    std::uint64_t told[said];
    for (std::size_t i = 0; i < said; ++i) told[i] = std_atomics::load_relaxed(at[i]);
    into = {told[0], told[1], told[2], std::bit_cast<double>(told[3])};
    return true;
  }

 private:
  static constexpr std::size_t line = 8;  ///< words of a report's place
  static constexpr std::size_t said = 4;  ///< … of a report; behind them its round
  static std::size_t words(int ranks) { return static_cast<std::size_t>(ranks) * 2 * line; }
  static std::size_t place(std::size_t from, std::uint64_t round) {
    return (from * 2 + round % 2) * line;
  }
  /// Whether the two store into each other's host memory, which is so for both or for neither.
  [[nodiscard]] bool addressed(int peer) const { return !all_.direct(peer).empty(); }

  rank* rank_;
  std::size_t self_;
  window<std::uint64_t> all_;
  signal_set told_;  ///< by sender: rounds that it has reported in
  std::span<std::uint64_t> leaving_;
};

/// The same for a rank by itself, which has nobody to tell.
struct report_mail {
  const report_window* all;
  const stream* on;
  void post(int to, std::uint64_t round, const work_report& report) const {
    all->post(to, round, report, on);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) const {
    return all->fetch(from, round, into);
  }
};

}  // namespace gossamer::algorithm_detail
