// carrier: what the ranks of a machine are made of. The interface behind machine::run, and nothing
// else: threads of this process, one process of an MPI job, or fibers under a virtual clock.
//
// A channel moves bytes between one pair of ranks; a carrier runs the ranks, keeps their time and
// lets them wait. A machine has one carrier, kept between runs. Everything a wait looks at (the
// abort record, the boards, counters in windows) lies in memory of this process, whatever the
// carrier: one that talks to other processes or advances a model does so inside `pause`.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

struct fabric_resources;
struct run_state;
class channel;

/// What a waiter should do after a pause.
enum class moment : std::uint8_t {
  poll,   ///< look at its condition again
  look,   ///< … and at the abort record and the deadline, too
  stuck,  ///< nothing can ever happen again: the wait has failed now
};

class carrier {
 public:
  virtual ~carrier() = default;

  // --- functions for carriers to implement ------------------------------------------------------
  /// True for ranks that run in this process. Channels and arenas are made for those alone.
  [[nodiscard]] virtual bool here(int rank) const = 0;
  /// Memory for the abort record and the board that others can see; null = plain memory will do.
  virtual std::byte* board(std::size_t) { return nullptr; }
  /// True when ranks run in other processes: what goes wrong here must be told there.
  [[nodiscard]] virtual bool spans_processes() const { return false; }
  /// True when `enter` wants to be called.
  [[nodiscard]] virtual bool attends() const { return false; }
  /// Rank `rank` is in a fabric call, and may serve others for a moment. `last`: nothing that the
  /// call sends can be joined to what was sent before.
  virtual void enter(int, bool) {}
  /// Takes the memory that windows are carved from, before a run: fills in the arenas.
  virtual void reserve(fabric_resources& resources, int rank, const arena_plan& plan) = 0;
  /// A run begins and ends: between the two, run_state may be reached from `pause`.
  virtual void begin(run_state&) {}
  virtual void end(run_state&) {}
  /// Calls job(r) for every rank that is here, and returns when all have returned.
  virtual void run(const std::function<void(int)>& job) = 0;
  /// Seconds on the clock of `rank`.
  [[nodiscard]] virtual double now(int rank) const = 0;
  /// Local work that takes modelled time.
  virtual void charge(int rank, double seconds) = 0;
  virtual void charge(int rank, double bytes, double flops, home where) = 0;
  /// A copy within a rank's memories, done by the program, that takes modelled time.
  virtual void charge_copy(int, const void* /*to*/, const void* /*from*/, std::size_t) {}
  virtual void charge_software(int, software_cost) {}
  /// Notes from now on when transfers raise these counters, if the carrier's time is modelled.
  virtual void watch(const std::uint64_t* /*first*/, std::size_t /*n*/) {}
  /// When a watched counter was raised last, in seconds on every rank's clock; NaN if unknown.
  [[nodiscard]] virtual double raised_at(const std::uint64_t* /*counter*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// One relaxed moment between two polls of a wait of `rank`.
  virtual moment pause(int rank, backoff& pace) = 0;
  /// Before `rank` looks at memory that others write, outside of waits: what happens earlier on the
  /// clocks of a model happens now.
  virtual void turn(int) {}
  /// Such a look found nothing, or (`alive`) the rank says that it is at work: a model moves on to
  /// the next thing that happens. `stuck` when nothing has for very many looks.
  virtual moment idle(int, bool /*alive*/) { return moment::poll; }
  /// What a rank starts between open and close is started by one command (put_list).
  virtual void chain(int, bool /*open*/) {}
  /// Every rank's `mine` in rank order into `all`; see rank::exchange.
  virtual void exchange(rank::state& of, std::span<const std::byte> mine,
                        std::span<std::byte> all) = 0;
  /// Where `offset` of a peer's arena is in this process; null when it is nowhere here.
  virtual std::byte* address(fabric_resources& resources, int self, int peer, home where,
                             std::size_t offset) = 0;
  /// This process has just published the abort record; others may have to be told.
  virtual void aborted(run_state&) {}
};

/// Ranks that share this process: arenas are plain buffers, set-up data is passed through slots.
class local_carrier : public carrier {
 public:
  explicit local_carrier(const machine& m) : machine_(m) {}
  [[nodiscard]] bool here(int) const override { return true; }
  void reserve(fabric_resources& resources, int rank, const arena_plan& plan) override;
  void exchange(rank::state& of, std::span<const std::byte> mine,
                std::span<std::byte> all) override;
  std::byte* address(fabric_resources& resources, int self, int peer, home where,
                     std::size_t offset) override;

 protected:
  const machine& machine_;
};

/// Throws rank_error when two ranks exchange different numbers of bytes.
void check_exchanged(int self, int peer, std::size_t mine, std::size_t theirs);

/// The carrier for the transports in the machine's table.
std::unique_ptr<carrier> make_carrier(machine& m);

}  // namespace gossamer
