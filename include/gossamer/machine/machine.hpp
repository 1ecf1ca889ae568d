// machine: the devices a program runs on, and the one way to run on them.
//
// A parallel program is what each rank does (SPMD); `run` starts one host thread per rank, hands
// each a `rank` (layer fabric) and returns when all have returned. Rank threads live as long as the
// machine, so that a run costs microseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/lifetime.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer {

class rank;      // layer fabric
class timeline;  // layer fabric

/// Bytes a run takes from one rank's arena, planned before anything is allocated.
struct arena_plan {
  std::size_t native = std::size_t{16} << 20;  ///< windows and scratch in the rank's own memory
  std::size_t host = std::size_t{4} << 20;     ///< windows and scratch in (pinned) host memory
};

/// Something that all ranks of a run must have been given alike, such as {"graph", "9 vertices,
/// …"}.
struct run_term {
  std::string name, value;
};

/// How a run behaves.
struct run_options {
  /// Longest time a wait lasts without any progress of the peer it waits for; default
  /// configuration::default_deadline().
  std::optional<std::chrono::nanoseconds> deadline;
  /// Ends the run with cancelled_error in every rank, within about 100 ms.
  std::stop_token cancel;
  /// Asked once `cancel` is requested: returns a text if that is because a time limit ran out. The
  /// run then ends in every process with a rank_error (timed out) of this text.
  std::function<std::string()> overdue;
  /// Called with the share done, 0 to 1, each time rank 0's program reports it by
  /// rank::progress(done), from that rank's thread. What it throws fails the run.
  std::function<void(double)> progress;
  /// One plan for all ranks (size 1) or one per rank (size p); empty = defaults.
  std::vector<arena_plan> arenas;
  /// Records what the ranks do, and when (layer fabric, trace.hpp); null: nothing is recorded.
  std::shared_ptr<timeline> trace;
  /// What the processes of a machine must agree on, compared as the run begins. If one has other
  /// terms than rank 0, run() throws the same usage_error in each, which names ranks and terms, and
  /// the machine stays usable. Not looked at where all ranks are in one process.
  std::vector<run_term> terms;

  /// Takes from `how` what is one run's own: deadline, cancel, overdue, progress and trace.
  void follow(const run_options& how);
};

class machine {
 public:
  /// Opens the devices named by `spec` (see spec.hpp). Throws usage_error / not_compiled.
  static machine open(std::string_view spec = "auto");
  machine(machine&&) noexcept;
  machine& operator=(machine&&) noexcept;
  ~machine();

  [[nodiscard]] int size() const noexcept;  ///< number of ranks p
  [[nodiscard]] const device& operator[](int rank) const;
  [[nodiscard]] const std::string& spec() const noexcept;
  [[nodiscard]] const link& between(int from, int to) const;
  /// Whether `rank` runs in this process: all do, unless ranks are MPI processes.
  [[nodiscard]] bool here(int rank) const;
  /// Whether every rank runs in this process.
  [[nodiscard]] bool all_here() const;
  /// The transports in use, joined by "+": "threads", "peer", "pinned+threads", …
  [[nodiscard]] std::string fabric() const;
  /// True when every pair can address each other's native windows (load_store).
  [[nodiscard]] bool all_direct() const noexcept;

  /// Runs `program` on every rank and waits. If ranks throw, rethrows the first failure after all
  /// have returned; other ranks meet a rank_error that names it at their next fabric call. Throws
  /// foreign_error at once when a device was lost in an earlier run.
  ///
  /// Runs of one machine are serialised. Different machines run side by side, unless one has a GPU
  /// and other ranks, all in this process. Beside a run of such a machine no other run uses a GPU,
  /// and no thread but the run's takes GPU memory. So its program must not wait for a thread of its
  /// own that does, nor for a run that begins in another order elsewhere.
  ///
  /// Every process of an mpi machine has to call it, in the same order. Each runs its own rank and
  /// returns when all have ended; a failure there is a rank_error here.
  void run(const std::function<void(rank&)>& program, const run_options& options = {});

  /// What is kept for the machine (placement/kept.hpp) goes with it.
  [[nodiscard]] const lifetime& life() const noexcept;

  struct state;  ///< opaque; layer fabric knows it
  [[nodiscard]] state& internals() const noexcept { return *state_; }

 private:
  explicit machine(std::shared_ptr<state> s);
  std::shared_ptr<state> state_;
};

}  // namespace gossamer
