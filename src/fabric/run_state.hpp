// What the ranks of one run share in this process, and what a machine keeps between runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "fabric/carrier.hpp"
#include "fabric/channel.hpp"
#include "fabric/gpu_operations.hpp"
#include "fabric/traced.hpp"
#include "gossamer/base/atomics.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/guard.hpp"
#include "gossamer/fabric/rank.hpp"
#include "machine/machine_state.hpp"
#include "machine/run_signs.hpp"

namespace gossamer {

/// A block taken once and handed out front to back; reset when a run ends.
class arena {
 public:
  /// Grows to at least `bytes`; only between runs, when nothing points into it.
  void reserve(memory_kind kind, int ordinal, std::size_t bytes);
  /// Hands out the first `bytes` of `owner`'s block from now on.
  void adopt(std::byte* data, memory_kind kind, std::size_t bytes, std::shared_ptr<void> owner);
  void reset() noexcept { used_ = 0; }
  /// 256-byte aligned; throws capacity_error naming plan and need.
  void* carve(std::size_t bytes, int rank, const char* what);
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] memory_kind kind() const noexcept { return kind_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return planned_; }
  /// The block stays allocated as long as somebody has it, whatever becomes of the arena.
  [[nodiscard]] const std::shared_ptr<void>& owner() const noexcept { return owner_; }

 private:
  std::shared_ptr<void> owner_;
  std::size_t size_ = 0;  ///< of the block; 0 when the memory is somebody else's
  std::byte* data_ = nullptr;
  memory_kind kind_ = memory_kind::host;
  std::size_t planned_ = 0;  ///< what this run may use; the block may be larger, from earlier ones
  std::size_t used_ = 0;
};

/// Kept by the machine between runs: the carrier, arenas, streams, the board.
struct fabric_resources {
  std::unique_ptr<gossamer::carrier> carrier;
  struct per_rank {
    arena native, host;
    [[nodiscard]] arena& block(home where) { return where == home::native ? native : host; }
    stream main, side;           ///< side: small copies that must not queue behind main
    std::deque<stream> extra;    ///< rank::extra_stream
    buffer<std::uint64_t> slot;  ///< pinned words for results of single operations
    resting_place bed;           ///< where the rank's thread sleeps in waits
    /// Raises by the CPU in stream order, prepared so that none allocates. GPU ranks only.
    std::vector<gpu::host_raise> raises;
    std::size_t next_raise = 0;
    rank::state* user = nullptr;  ///< of the run, for channels that have to wait
    /// Streams on other devices that this rank's staged copies use, one a device: a stream that
    /// waits holds one of the few hardware queues of its GPU, so pairs share.
    std::vector<std::shared_ptr<stream>> proxies;
    std::vector<std::unique_ptr<channel>> channels;  ///< by peer
    /// The proxy on `target`'s device, made at first use.
    std::shared_ptr<stream> proxy(const device& target);
  };
  std::vector<per_rank> ranks;
  buffer<std::byte> board_memory;  ///< unless the carrier has the board
  std::span<std::byte> board_bytes;
  abort_record* abort = nullptr;
  rank_board* boards = nullptr;
  bool any_cuda = false;
  std::vector<bool> in_turn;  ///< by rank, see rank::state
  int cores = 1;              ///< host().cores, which takes files to find out
};

/// Where a rank leaves what the others read while they exchange set-up data.
struct alignas(64) exchange_slot {
  std::uint64_t arrived = 0, left = 0;
  std::vector<std::byte> data;  ///< a copy: a rank that fails unwinds while others still read
};

struct run_state {
  machine* owner = nullptr;
  machine::state* hardware = nullptr;
  fabric_resources* resources = nullptr;
  gossamer::carrier* carrier = nullptr;
  int ranks = 0;
  std::chrono::nanoseconds deadline{};
  const run_signs* signs = nullptr;                       ///< for runs that wait for this one
  const std::function<void(double)>* progress = nullptr;  ///< of the run's options
  bool attended = false;                                  ///< carrier->attends()
  std::stop_token cancel;                                 ///< of the run's options
  std::uint32_t spins = 0;  ///< polls before a waiter yields: few when cores are oversubscribed
  std::vector<exchange_slot> slots;
  timeline* trace = nullptr;        ///< of the run's options
  std::span<const run_term> terms;  ///< of the run's options, if it spans processes

  std::mutex failure_mutex;
  std::string failure_text;
  std::exception_ptr failure;
  int failure_rank = -1;
  std::string lost;  ///< a device that some rank lost, whatever began the failure

  /// Claims the abort record; true for the first caller only. `news`: others are told.
  bool abort(abort_reason reason, int rank, int peer, std::uint32_t window, std::uint64_t signal,
             std::string text, bool news = true);
  /// A rank's program threw: remembers the exception that began the failure. Throws nothing itself,
  /// short of memory as it may be.
  void fail(int rank, const std::exception_ptr& why);
  /// For a deadlock's message: ", and nothing can happen any more (0 waits for 1, …)".
  [[nodiscard]] std::string who_waits() const;
  /// True when the run is being aborted.
  [[nodiscard]] bool aborted() const {
    return std_atomics::load_acquire(resources->abort->state) != 0;
  }
  /// Ends the sleep of every rank's thread: each looks at what it waits for.
  void wake_all();
  /// Throws what a rank that meets the abort record should throw.
  [[noreturn]] void rethrow_abort(int rank);
};

/// check_range's error.
[[noreturn]] void outside_range(const window_table& w, int peer, std::size_t offset, std::size_t n);

/// Throws usage_error unless elements offset … offset + n exist at `peer`.
inline void check_range(const window_table& w, int peer, std::size_t offset, std::size_t n) {
  const auto r = static_cast<std::size_t>(peer);  // a negative one becomes very large
  if (r >= w.parts.size() || offset > w.parts[r].size || n > w.parts[r].size - offset)
    outside_range(w, peer, offset, n);
}

/// What a wait is for: names the deadline's subject and the message.
struct wait_context {
  const char* what = nullptr;  ///< "signal", "barrier", "flush", …
  int peer = -1;               ///< expected to act; -1 = any
  std::uint32_t window = 0;
  std::uint64_t signal = 0, wanted = 0, seen = 0;
};

struct rank::state {
  run_state& run;
  int id;
  fabric_resources::per_rank& mine;
  std::deque<window_table> tables;
  std::uint32_t next_id = 0;
  std::uint64_t exchanges = 0;
  signal_set barrier_flags;
  std::uint64_t barrier_epoch = 0;
  device_guard guard;
  std::vector<const gossamer::stream*> streams;  ///< used since the last quiet(), beside main
  std::uint64_t beats = 0;
  trace_recorder* trace;  ///< null: nothing is recorded
  bool in_turn;           ///< kernels of the ranks that share this rank's GPU do not run together

  state(run_state& shared, int rank_id);
  ~state();
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  /// Grows this rank's heartbeat; every public call begins with it.
  /// Throws when the run was aborted: a rank that only puts must meet the failure of others too.
  /// `last`: see carrier::enter.
  void beat(bool last = true) {
    // Written by this rank alone: a plain increment, published as one word.
    std_atomics::store_relaxed(guard.boards[id].heartbeat, ++beats);
    if (run.attended) run.carrier->enter(id, last);
    if (run.aborted()) run.rethrow_abort(id);
  }
  /// Polls `ready` until true; throws rank_error / cancelled_error, see wait_context. A wait for
  /// the rank's own stream (context.peer == id) lasts twice as long without progress of others: the
  /// kernels in it are bounded by the deadline themselves, and know better whom they waited for.
  template <class F>
  void wait_until(F&& ready, wait_context context);
  /// The rest of it, when `ready` was not true at once. Apart, so that a wait that ends at once is
  /// short.
  template <class F>
  [[gnu::noinline]] void keep_waiting(F& ready, wait_context& context);
  /// A kernel of this rank gave up: turns its slot into the abort record and throws.
  void check_kernels();
  /// Ends the run because a wait ran out, or (`stuck`) because nothing can ever end it.
  [[noreturn]] void expire(const wait_context& context, bool stuck = false);
  const gossamer::stream& on(const gossamer::stream* given) {
    return given == nullptr ? mine.main : noted(*given);
  }
  const gossamer::stream& noted(const gossamer::stream& given);
  /// Waits until a stream of this rank is idle.
  void drain(const gossamer::stream& which);
  std::uint64_t read_counter(const window_table& table, std::size_t index);
  /// This thread waits until the rank's counter is >= value.
  void await_counter(const window_table& table, std::size_t index, std::uint64_t value, int from);
  /// This thread waits until one of `n` counters is >= value(i), for some i; its index.
  template <class Value>
  std::size_t await_any(const window_table& table, std::size_t first, std::size_t n, Value value);
  /// A prepared host call that is not on its way; waits while all are.
  gpu::host_raise& free_raise();
};

/// Deadline that restarts whenever the peer makes progress: a slow peer is not a dead one.
class progress_clock {
 public:
  progress_clock(const run_state& run, int self, int peer, std::chrono::nanoseconds limit);
  /// True when the peer has made no progress for the whole deadline.
  bool expired();

 private:
  [[nodiscard]] std::uint64_t beats() const;
  const run_state& run_;
  int self_, peer_;
  std::chrono::nanoseconds limit_;
  std::uint64_t last_;
  watchful_clock clock_;
  std::chrono::nanoseconds since_{0};
};

/// Says on the board whom the rank waits for, while it does.
class waiting_mark {
 public:
  waiting_mark(rank_board& board, int peer)
      : board_(board), outer_(std_atomics::load_relaxed(board.waits_for)) {
    // A wait inside a wait (for the copy of a counter, say) is part of the outer one: were the mark
    // to change with every poll, the chain of beats would look alive for ever.
    if (outer_ != 0) return;
    std_atomics::store_relaxed(board_.waits_for, static_cast<std::int32_t>(peer + 2));
  }
  ~waiting_mark() { std_atomics::store_relaxed(board_.waits_for, outer_); }
  waiting_mark(const waiting_mark&) = delete;
  waiting_mark& operator=(const waiting_mark&) = delete;

 private:
  rank_board& board_;
  const std::int32_t outer_;
};

template <class F>
void rank::state::wait_until(F&& ready, wait_context context) {
  if (!ready(context)) [[unlikely]]
    keep_waiting(ready, context);
}

template <class F>
void rank::state::keep_waiting(F& ready, wait_context& context) {
  const traced_wait recorded(trace, context.what, context.peer);
  backoff pace(run.spins, &mine.bed);
  const int whom = context.peer == id ? -1 : context.peer;
  const waiting_mark mark(run.resources->boards[id], whom);
  // Starts at the first slow moment: reading the peer's board in every short wait would take its
  // line away from the peer, which writes it in each call ahead of the signal waited for.
  std::optional<progress_clock> clock;
  for (;;) {
    const moment now = run.carrier->pause(id, pace);
    if (ready(context)) return;  // before any failure: it may have come while this rank slept
    if (now == moment::poll) continue;
    check_kernels();
    if (run.aborted()) run.rethrow_abort(id);
    if (now == moment::stuck) expire(context, true);
    if (!clock)
      clock.emplace(run, id, whom, context.peer == id ? 2 * run.deadline : run.deadline);
    else if (clock->expired())
      expire(context);
  }
}

}  // namespace gossamer
