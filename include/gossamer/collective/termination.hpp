// When is a computation over whose parts only send each other work? Found by counting, twice.
//
// Every item of work is counted as *created* before anybody can see it. It is counted as *finished*
// when it has been worked on and all that it led to has been counted as created. Ranks report both
// counts in rounds: a rank reports in round k + 1 only after it has seen all reports of round k.
// When the sum of `created` in a round equals the sum of `finished` in the round before, all work
// is done. This is the four-counter method (Mattern, "Algorithms for distributed termination
// detection", Distributed Computing 2, 1987), with the items themselves in place of messages.
// docs/design/termination.md has the proof. It needs release and acquire only, and holds for any
// number of threads that count while another one reports.
// The classes are templates on where counts (work_account.hpp) and reports lie. So the exhaustive
// check in tests/race/termination_interleavings.cpp runs them as they are, and kernels run the
// detector, too.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// The priority of nothing: above all others.
inline constexpr double nothing_deferred = std::numeric_limits<double>::infinity();

/// What one rank says of itself in a round, or all ranks together.
struct work_report {
  std::uint64_t created = 0, finished = 0;
  std::uint64_t repeated = 0;  ///< finished items whose work had been done before, in vain
  /// The smallest priority among deferred items, which are not counted as created; infinity = none.
  double deferred = nothing_deferred;
};

/// What a round showed.
enum class round_state : std::uint8_t {
  waiting,  ///< reports of some ranks are missing
  again,    ///< complete; there may be work
  quiet,    ///< complete; all work that was created is finished
};

/// The rule that the proof is about.
struct four_counters {
  GOSSAMER_HD static bool quiet(const work_report& before, const work_report& now) {
    return before.finished == now.created;
  }
};

/// One rank's side. Mail has two functions:
///
///   void post(int to, std::uint64_t round, const work_report&)    release, to another rank
///   bool fetch(int from, std::uint64_t round, work_report&)       acquire; false: not there yet
///
/// A report may be overwritten by the one two rounds later: whoever reports in round k + 2 has seen
/// that all ranks are done with round k.
template <class Mail, class Rule = four_counters>
class termination_detector {
 public:
  /// Sums are of `ranks` ranks; this one is `self`.
  GOSSAMER_HD termination_detector(int self, int ranks, Mail mail)
      : self_(self), ranks_(ranks), mail_(std::move(mail)) {}

  /// This rank's report of the current round. Once a round.
  GOSSAMER_HD void report(const work_report& mine) {
    for (int i = 1; i < ranks_; ++i) mail_.post((self_ + i) % ranks_, round_, mine);
    sum_ = mine;
    next_ = 1;
    reported_ = true;
  }
  [[nodiscard]] GOSSAMER_HD bool reported() const noexcept { return reported_; }

  /// Looks for missing reports. When there are none the round is over, and the next one begins.
  [[nodiscard]] GOSSAMER_HD round_state look() {
    if (!reported_) return round_state::waiting;
    for (; next_ < ranks_; ++next_) {
      work_report theirs;
      if (!mail_.fetch(missing(), round_, theirs)) return round_state::waiting;
      add(theirs);
    }
    const bool over = round_ > 0 && Rule::quiet(before_, sum_);
    before_ = sum_;
    ++round_;
    reported_ = false;
    return over ? round_state::quiet : round_state::again;
  }
  /// The rank whose report is waited for; -1 before this rank's own.
  [[nodiscard]] GOSSAMER_HD int missing() const noexcept {
    return reported_ && next_ < ranks_ ? (self_ + next_) % ranks_ : -1;
  }
  /// Of the last complete round, all ranks together; `deferred` is the smallest.
  [[nodiscard]] GOSSAMER_HD const work_report& totals() const noexcept { return before_; }
  /// Complete rounds so far.
  [[nodiscard]] GOSSAMER_HD std::uint64_t rounds() const noexcept { return round_; }

 private:
  GOSSAMER_HD void add(const work_report& theirs) {
    sum_.created += theirs.created;
    sum_.finished += theirs.finished;
    sum_.repeated += theirs.repeated;
    if (theirs.deferred < sum_.deferred) sum_.deferred = theirs.deferred;
  }

  int self_, ranks_;
  Mail mail_;
  work_report sum_, before_;
  std::uint64_t round_ = 0;
  int next_ = 1;
  bool reported_ = false;
};

}  // namespace gossamer
