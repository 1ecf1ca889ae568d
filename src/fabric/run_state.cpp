// Arenas, the abort record and its first writer, the clock of a peer's progress, and one rank's
// state with its deferred checks of kernels.
#include "fabric/run_state.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <new>
#include <utility>

#include "gossamer/base/configuration.hpp"

namespace gossamer {

void arena::reserve(memory_kind kind, int ordinal, std::size_t bytes) {
  used_ = 0;
  planned_ = bytes;
  if (bytes <= size_ && kind_ == kind) return;
  size_ = 0;
  owner_.reset();  // the old block goes first: both need not fit
  auto block = std::make_shared<buffer<std::byte>>(kind, ordinal, bytes);
  data_ = block->data();
  kind_ = kind;
  size_ = bytes;
  owner_ = std::move(block);
}

void arena::adopt(std::byte* data, memory_kind kind, std::size_t bytes,
                  std::shared_ptr<void> owner) {
  owner_ = std::move(owner);
  size_ = 0;
  used_ = 0;
  planned_ = bytes;
  data_ = data;
  kind_ = kind;
}

void* arena::carve(std::size_t bytes, int rank, const char* what) {
  constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();  // what a message can say
  const std::size_t start = (used_ + 255) / 256 * 256;
  if (start > planned_ || bytes > planned_ - start)
    throw capacity_error(
        "rank " + std::to_string(rank) + ": " + what + " of " +
        configuration::format_bytes(static_cast<std::int64_t>(std::min(bytes, most))) +
        " does not fit the run's arena (" +
        configuration::format_bytes(static_cast<std::int64_t>(planned_)) + " planned, " +
        configuration::format_bytes(static_cast<std::int64_t>(used_)) +
        " in use); plan more with run_options::arenas");
  used_ = start + bytes;
  return data_ + start;
}

std::shared_ptr<stream> fabric_resources::per_rank::proxy(const device& target) {
  for (const auto& known : proxies)
    if (known->ordinal() == target.ordinal) return known;
  return proxies.emplace_back(std::make_shared<stream>(target, stream::priority::high));
}

bool run_state::abort(abort_reason reason, int rank, int peer, std::uint32_t window,
                      std::uint64_t signal, std::string text, bool news) {
  auto& record = *resources->abort;
  if (std_atomics::compare_and_swap(record.state, 0u, 1u) != 0) return false;
  {
    std::lock_guard lock(failure_mutex);
    failure_text = std::move(text);
    failure_rank = rank;
  }
  std_atomics::store_relaxed(record.reason, reason);
  std_atomics::store_relaxed(record.rank, rank);
  std_atomics::store_relaxed(record.peer, peer);
  std_atomics::store_relaxed(record.window, window);
  std_atomics::store_relaxed(record.signal, signal);
  std_atomics::store_release(record.state, 2u);
  wake_all();
  if (news) carrier->aborted(*this);
  return true;
}

void run_state::wake_all() {
  for (auto& r : resources->ranks) r.bed.wake();
}

void run_state::fail(int rank, const std::exception_ptr& why) {
  std::string text, lost_text;
  // Others must hear of it even where there is no memory for the words.
  const auto note = [](std::string& as, const char* what) {
    try {
      as = what;
    } catch (const std::bad_alloc&) {
      as = "out of memory";  // which takes none
    }
  };
  auto reason = abort_reason::exception;
  int peer = -1;
  try {
    std::rethrow_exception(why);
  } catch (const foreign_error& e) {
    note(text, e.what());
    if (e.device_lost()) note(lost_text, e.what());
  } catch (const rank_error& e) {
    note(text, e.what());
    if (e.timed_out()) {  // a watch of the program's own ran out: a time-out for all
      reason = abort_reason::time_out;
      peer = e.peer();
    }
  } catch (const std::exception& e) {
    note(text, e.what());
  } catch (...) {
    note(text, "unknown exception");
  }
  abort(reason, rank, peer, 0, 0, std::move(text));
  std::lock_guard lock(failure_mutex);
  if (lost.empty()) lost = std::move(lost_text);
  // The rank that began the failure is the one to report; others only met its record.
  if (failure == nullptr || rank == failure_rank) failure = why;
}

std::string run_state::who_waits() const {
  constexpr int most = 16;
  std::string text = ", and nothing can happen any more (";
  int waiting = 0;
  for (int r = 0; r < ranks; ++r) {
    const int whom = std_atomics::load_relaxed(resources->boards[r].waits_for) - 2;
    if (whom < -1 || ++waiting > most) continue;
    if (waiting > 1) text += ", ";
    text += std::to_string(r) + " waits for " + (whom < 0 ? "any" : std::to_string(whom));
  }
  if (waiting > most) text += ", and " + std::to_string(waiting - most) + " more";
  return text + (waiting == 0 ? "nobody waits)" : ")");
}

void run_state::rethrow_abort(int rank) {
  auto& record = *resources->abort;
  // Claimed but not published: another thread is a few instructions from done, if it is scheduled.
  watchful_clock clock(deadline);
  for (backoff pace; std_atomics::load_acquire(record.state) != 2u;)
    if (pace.pause() && clock.look() > deadline)
      throw rank_error("rank " + std::to_string(rank) +
                           " stopped because the run failed; by whom was not said in time",
                       -1, -1, true);
  std::string text;
  {
    std::lock_guard lock(failure_mutex);
    text = failure_text;
  }
  const int origin = record.rank;
  if (record.reason == abort_reason::cancelled) throw cancelled_error(text);
  if (origin >= 0 && origin != rank)
    text = "rank " + std::to_string(rank) + " stopped because rank " + std::to_string(origin) +
           " failed: " + text;
  throw rank_error(text, origin, record.peer, record.reason == abort_reason::time_out);
}

progress_clock::progress_clock(const run_state& run, int self, int peer,
                               std::chrono::nanoseconds limit)
    : run_(run), self_(self), peer_(peer), limit_(limit), last_(beats()), clock_(limit) {}

std::uint64_t progress_clock::beats() const {
  return chain_of_beats(run_.resources->boards, run_.ranks, self_, peer_,
                        [](const auto& word) { return std_atomics::load_relaxed(word); });
}

bool progress_clock::expired() {
  const auto now = clock_.look();
  if (const auto seen = beats(); seen != last_) {
    last_ = seen;
    since_ = now;
  }
  return now - since_ > limit_;
}

rank::state::state(run_state& shared, int rank_id)
    : run(shared),
      id(rank_id),
      mine(shared.resources->ranks[rank_id]),
      trace(shared.trace == nullptr ? nullptr : shared.trace->of(rank_id)) {
  mine.user = this;
  in_turn = run.resources->in_turn[static_cast<std::size_t>(id)];
  streams.reserve(64);  // so that using another stream does not allocate
  guard.abort = run.resources->abort;
  guard.boards = run.resources->boards;
  guard.deadline_ns = static_cast<std::uint64_t>(run.deadline.count());
  guard.rank = id;
  guard.ranks = run.ranks;
}

void rank::state::expire(const wait_context& c, bool stuck) {
  char text[256];
  char how_long[32];
  if (stuck)
    std::snprintf(how_long, sizeof how_long, "waited");
  else
    std::snprintf(how_long, sizeof how_long, "waited %.3g s",
                  std::chrono::duration<double>(run.deadline).count());
  char what[96];
  if (c.window != 0 || c.wanted != 0)
    std::snprintf(what, sizeof what, "signal %llu of set %u (is %llu, wanted %llu)",
                  static_cast<unsigned long long>(c.signal), c.window,
                  static_cast<unsigned long long>(c.seen),
                  static_cast<unsigned long long>(c.wanted));
  else
    std::snprintf(what, sizeof what, "%s", c.what);
  char peer[24] = "any rank";
  if (c.peer >= 0) std::snprintf(peer, sizeof peer, "rank %d", c.peer);
  std::snprintf(text, sizeof text, "rank %d %s without progress for %s on %s%s%s", id, how_long,
                peer, what, c.window != 0 ? " in " : "", c.window != 0 ? c.what : "");
  const std::string message = text + (stuck ? run.who_waits() : "");
  if (!run.abort(abort_reason::time_out, id, c.peer, c.window, c.signal, message))
    run.rethrow_abort(id);
  throw rank_error(message, id, c.peer, true);
}

rank::state::~state() {
  mine.user = nullptr;
}

gpu::host_raise& rank::state::free_raise() {
  gpu::host_raise* found = nullptr;
  wait_until(
      [&](wait_context&) {
        for (std::size_t tries = 0; found == nullptr && tries < mine.raises.size(); ++tries) {
          auto& next = mine.raises[mine.next_raise];
          mine.next_raise = (mine.next_raise + 1) % mine.raises.size();
          if (std_atomics::load_acquire(next.busy) == 0) found = &next;
        }
        return found != nullptr;
      },
      {"earlier signals in its streams", id});
  return *found;
}

void rank::state::check_kernels() {
  auto& board = run.resources->boards[id];
  if (std_atomics::load_acquire(board.failed) == 0) return;
  if (run.aborted()) run.rethrow_abort(id);  // the kernel gave up because others had failed
  wait_context c{"a kernel", board.peer, board.window, board.signal, board.wanted, board.seen};
  expire(c);
}

const gossamer::stream& rank::state::noted(const gossamer::stream& given) {
  if (given.is_cuda() && std::find(streams.begin(), streams.end(), &given) == streams.end())
    streams.push_back(&given);
  return given;
}

}  // namespace gossamer
