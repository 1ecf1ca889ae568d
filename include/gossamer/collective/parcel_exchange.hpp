// parcel_exchange: how one rank's parcels of items get into the others' inboxes, and a watch over
// ranks that do not take them out again.
//
// Each rank has `slots` places for parcels of every other rank. A sender puts a parcel into the
// next place of its own and raises a counter there. The receiver works through it and raises a
// counter at the sender, which may then use the place again. So an inbox never overflows: a sender
// that has no place left keeps its items (room() says so) and goes on receiving.
//
//   inbox     window<byte>, native, [ranks][slots][8 bytes of length and kind, then the parcel]
//   reports   window<uint64>, native, [ranks][2 by parity of the round][4]; see termination.hpp
//   counters  signals[3 ranks]: s: parcels that came from s; p + s: parcels that s has taken of
//             mine; 2 p + s: rounds that s has reported in
//
// All counters are read by poll(), and what the other functions know of peers is what it saw. So a
// wait for "more than was seen" misses nothing.
//
// The watch. A waiting rank ends the run if it sees neither a counter nor a heartbeat of a peer
// change for the run's deadline. It also ends the run for a peer whose heart beats but that takes
// no parcel out of its inbox: ranks look at their inboxes after every batch of work. rank_error
// names the peer and its queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "gossamer/collective/termination.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// How large parcels are, and how many may be on their way between two ranks.
struct parcel_limits {
  std::int64_t bytes = 16384;  ///< of one parcel's items
  int slots = 4;               ///< places for parcels of one pair
};

/// What one rank has sent, items aside.
struct parcel_traffic {
  std::int64_t parcels = 0, bytes = 0;  ///< bytes of items
  std::int64_t reports = 0;             ///< messages of termination detection
  double sending = 0, waiting = 0;      ///< seconds
};

class parcel_exchange {
 public:
  static constexpr std::size_t header = 8;  ///< bytes before a parcel: its length and kind

  /// Collective, inside a run; CPU ranks. `name` is what errors call the whole, and must outlive
  /// it.
  parcel_exchange(rank& r, const std::string& name, const parcel_limits& limits);
  /// Bytes of native memory that the constructor takes on a rank, for the run's arena.
  [[nodiscard]] static std::int64_t bytes(int ranks, const parcel_limits& limits);

  /// Reads all counters; true when something has changed since the last time.
  bool poll();
  /// Whether `peer` has a place for another parcel.
  [[nodiscard]] bool room(int peer) const;
  /// Whether `peer` has taken all parcels so far.
  [[nodiscard]] bool all_taken(int peer) const {
    return sent_[at(peer)] == seen_[at(ranks_ + peer)];
  }
  /// Where the next parcel is made: parcel_limits::bytes.
  [[nodiscard]] std::span<std::byte> staging() const { return staging_.subspan(header); }
  /// Sends the first `bytes` bytes of staging(); room(peer) must hold. `kind` reaches the receiver
  /// as it is.
  void send(int peer, std::size_t bytes, std::uint8_t kind = 0) {
    send(peer, staging_.first(header + bytes), kind);
  }
  /// The same from the caller's memory, which may be reused at once: `header` bytes that this call
  /// writes, then the parcel, at most parcel_limits::bytes.
  void send(int peer, std::span<std::byte> framed, std::uint8_t kind = 0);
  /// Calls work(int from, std::span<const std::byte>), or work(from, parcel, kind), for each parcel
  /// that poll() has seen, and gives its place back. `ready()` is asked before each: false leaves
  /// the rest for later.
  template <class Ready, class Work>
  bool receive(Ready&& ready, Work&& work) {
    bool any = false;
    for (int step = 1; step < ranks_; ++step) {
      const int from = (self_ + step) % ranks_;
      for (auto& taken = taken_[at(from)]; taken < seen_[at(from)]; any = true) {
        if (!ready()) return any;
        if constexpr (std::is_invocable_v<Work, int, std::span<const std::byte>, std::uint8_t>)
          work(from, parcel(from, taken), kind(from, taken));
        else
          work(from, parcel(from, taken));
        ++taken;
        rank_->raise(counters_[at(ranks_ + self_)], from, taken);
      }
    }
    return any;
  }

  /// termination_detector's mail.
  void post(int to, std::uint64_t round, const work_report& report);
  bool fetch(int from, std::uint64_t round, work_report& into) const;

  /// Blocks until a counter has risen since poll(), or a while has passed. `missing`: the rank
  /// whose report is waited for, -1 = none; `round`: of that report. Throws rank_error, see above.
  void wait(int missing, std::uint64_t round);
  /// This rank has been at work, so what it saw of its peers before says nothing about them now.
  void worked() noexcept { watched_ = false; }

  [[nodiscard]] const parcel_traffic& traffic() const noexcept { return traffic_; }

 private:
  struct sign_of_life {
    std::chrono::nanoseconds taken{0},
        alive{0};  ///< when a place came back, or any sign was seen, last
    std::uint64_t places = 0, signs = 0;
  };
  static constexpr int kind_shift = 56;
  [[nodiscard]] static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t place(int from, std::uint64_t number) const;
  [[nodiscard]] std::span<const std::byte> parcel(int from, std::uint64_t number) const;
  [[nodiscard]] std::uint64_t head(int from, std::uint64_t number) const;
  [[nodiscard]] std::uint8_t kind(int from, std::uint64_t number) const {
    return static_cast<std::uint8_t>(head(from, number) >> kind_shift);
  }
  [[nodiscard]] std::uint64_t signs_of(int peer) const;
  void watch(int missing, std::uint64_t round);
  [[noreturn]] void stuck(int peer, const std::string& why, double seconds) const;

  rank* rank_;
  const std::string* name_;
  int self_, ranks_;
  std::size_t slots_, stride_;
  window<std::byte> inbox_;
  window<std::uint64_t> reports_;
  signal_set counters_;
  std::span<std::byte> staging_;
  std::span<std::uint64_t> seen_, wanted_;  ///< [3 ranks]
  std::span<std::uint64_t> sent_, taken_;   ///< [ranks]
  std::span<sign_of_life> life_;            ///< [ranks]
  watchful_clock clock_;
  bool watched_ = false;  ///< life_ is of an unbroken wait
  parcel_traffic traffic_;
};

/// termination_detector's way into an exchange; null for a single rank, which posts nothing.
struct report_mail {
  parcel_exchange* exchange;
  void post(int to, std::uint64_t round, const work_report& report) {
    exchange->post(to, round, report);
  }
  bool fetch(int from, std::uint64_t round, work_report& into) {
    return exchange->fetch(from, round, into);
  }
};

}  // namespace gossamer
