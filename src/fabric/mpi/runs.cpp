// How a run begins and ends on process_carrier: for all processes, or for none.
#include <signal.h>

#include <algorithm>
#include <cerrno>

#include "fabric/mpi/carrier.hpp"
#include "gossamer/base/configuration.hpp"
#include "machine/processes.hpp"

namespace gossamer::mpi {

namespace {

/// Whether a process of this host is no more; 0 = not known yet.
bool ended(std::int64_t process) {
  return process != 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

/// What a process that has ended may have said before, in its last run, arrives within this time.
constexpr auto last_words = std::chrono::milliseconds(100);

}  // namespace

void process_carrier::begin(run_state& run) {
  on_rank_thread([&] { begin_here(run); });
}

void process_carrier::begin_here(run_state& run) {
  if (device_ != nullptr) device_->limit(2 * run.deadline);
  {
    std::lock_guard lock(mutex_);
    run_ = &run;
    ++number_;
    told_ = false;
    last_beating_ = {};
    expected_ = {};
    unserved_ = nullptr;
    for (auto& peer : peers_) {
      peer.begun = peer.ended = false;
      peer.last = {};
      peer.exchanged.clear();
      peer.batch.clear();
      peer.sent = peer.landed = peer.applied = peer.told = 0;
      peer.done = 0;
    }
    for (int r = 0; r < ranks_; ++r) {
      if (r == self_) continue;
      message text = start(kind::begin);
      append(text, beginning{board_.where(), native_.where(), host_.where()});
      post(r, std::move(text));
    }
  }
  const bool messages = !all_shared_ || (gpu_ >= 0 && ranks_ > 1);
  if (messages && configuration::mpi_progress()) {
    if (!server_.joinable())
      server_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    serving_.notify_all();
  }
  await_begin();
}

void process_carrier::await_begin() {
  // Processes do unequal work between runs (reading, verifying) and cannot beat there, so this wait
  // alone is ten times longer.
  auto give_up = steady::now() + 10 * run_->deadline + std::chrono::seconds(1);
  bool cancelled = false;
  backoff pace(run_->spins);
  for (int r = 0; r < ranks_; ++r) {
    auto& peer = peers_[static_cast<std::size_t>(r)];
    auto begun = [&] {
      std::lock_guard lock(mutex_);
      return peer.begun;
    };
    while (r != self_ && !begun()) {
      const bool slow = pace.pause();
      poll(true);
      if (!slow) continue;
      // Ctrl-C reaches every process: those on their way here get a moment, so that the run begins
      // for all and ends at once, and the machine stays usable.
      if (!cancelled && run_->cancel.stop_requested()) {
        cancelled = true;
        give_up = std::min(give_up, steady::now() + std::chrono::seconds(2));
      }
      const bool gone = peer.shares && ended(peer.board.where().process);
      if (!gone && steady::now() < give_up) continue;
      std::string text = "rank " + std::to_string(self_) + " waited for rank " + std::to_string(r) +
                         (gone ? ", whose process has ended, to begin a run"
                               : ", which does not begin the run: every process has to call it");
      if (cancelled) text = "the run was cancelled before every process had begun it";
      lose(text);
      {
        std::lock_guard lock(mutex_);
        run_ = nullptr;
      }
      if (cancelled) throw cancelled_error(text);
      throw rank_error(text, self_, r, true);
    }
  }
}

void process_carrier::end(run_state& run) {
  on_rank_thread([&] { end_here(run); });
}

void process_carrier::end_here(run_state& run) {
  {
    std::lock_guard lock(mutex_);
    for (int r = 0; r < ranks_; ++r) {
      if (r == self_) continue;
      push_locked(r);
      post(r, failure_message(kind::end));
    }
  }
  try {
    await_end();
  } catch (...) {  // MPI failed
    run.fail(self_, std::current_exception());
    lose("messages of rank " + std::to_string(self_) + " failed");
  }
  settle_failure();
  std::lock_guard lock(mutex_);
  run_ = nullptr;
}

// Longer than any wait inside the run: whoever waits there has to speak first, since it knows for
// what. After a failure the others have only to notice it.
std::chrono::nanoseconds process_carrier::patience() const {
  if (!run_->aborted()) return 2 * run_->deadline + std::chrono::seconds(1);
  return std::clamp<std::chrono::nanoseconds>(run_->deadline, std::chrono::seconds(1),
                                              std::chrono::seconds(5));
}

void process_carrier::await_end() {
  backoff pace(run_->spins);
  for (int r = 0; r < ranks_; ++r) {
    auto& peer = peers_[static_cast<std::size_t>(r)];
    auto said_so = [&] {
      std::lock_guard lock(mutex_);
      return peer.ended;
    };
    const auto limit = patience();
    progress_clock clock(*run_, self_, r, limit);
    steady::time_point gone_at{};
    while (r != self_ && !said_so()) {
      if (pause(self_, pace) == moment::poll) continue;
      const bool gone = peer.shares && ended(peer.board.where().process);
      if (gone && gone_at == steady::time_point{}) gone_at = steady::now();
      if (gone ? steady::now() - gone_at < last_words : !clock.expired()) continue;
      give_up_on(r, gone ? ", whose process has ended," : "", limit);
      break;
    }
  }
  await_straight(patience());
}

// Rank r does not come back from the run. When a time limit of the whole run ended it for all, that
// is why: the limit may be as short as a wait's, and fire first.
void process_carrier::give_up_on(int r, const std::string& how, std::chrono::nanoseconds limit) {
  const std::string who = "rank " + std::to_string(r);
  std::string text = "rank " + std::to_string(self_) + " waited ";
  if (how.empty())
    text += std::to_string(std::chrono::duration<double>(limit).count()) + " s without progress ";
  text += "for " + who + how + " on the end of the run";
  lose(who + " has not come back from a run");
  if (run_->abort(abort_reason::time_out, self_, r, 0, 0, text)) return;
  auto& record = *run_->resources->abort;
  while (std_atomics::load_acquire(record.state) != 2u) continue;
  if (record.reason != abort_reason::time_out || record.rank >= 0 || record.peer >= 0) return;
  record.peer = r;
  std::lock_guard lock(run_->failure_mutex);
  run_->failure_text += how.empty() ? ": " + who + " has not come back from the run"
                                    : ": the process of " + who + " has ended";
  run_->failure = nullptr;  // settle_failure makes the one with this text
}

// What MPI still reads belongs to the program again after the run. Only a rank that left a put by
// an exception has any; the peer receives it before it takes this rank's end.
void process_carrier::await_straight(std::chrono::nanoseconds patience) {
  const auto give_up = steady::now() + patience;
  for (backoff pace(run_->spins); !sent_straight();) {
    if (pause(self_, pace) == moment::poll || steady::now() < give_up) continue;
    lose("a put of rank " + std::to_string(self_) + " was never received");
    return;
  }
}

// All processes name the same failure: if several began at once, that of the lowest rank.
void process_carrier::settle_failure() {
  std::lock_guard lock(mutex_);
  bool foreign = false;
  for (int r = 0; r < ranks_; ++r) {
    const auto& peer = peers_[static_cast<std::size_t>(r)];
    if (r == self_ || peer.last.failed == 0) continue;
    if (peer.last.lost != 0) lose(peer.last_text);
    run_->abort(peer.last.reason, peer.last.rank, peer.last.peer,
                static_cast<std::uint32_t>(peer.last.window), peer.last.signal, peer.last_text,
                false);
    auto& record = *run_->resources->abort;
    if (peer.last.rank >= record.rank) continue;
    record.reason = peer.last.reason;
    record.rank = peer.last.rank;
    record.peer = peer.last.peer;
    record.window = static_cast<std::uint32_t>(peer.last.window);
    record.signal = peer.last.signal;
    std::lock_guard text(run_->failure_mutex);
    run_->failure_text = peer.last_text;
    foreign = true;
  }
  if (!run_->aborted() || (run_->failure != nullptr && !foreign)) return;
  try {
    run_->rethrow_abort(self_);
  } catch (...) {
    run_->failure = std::current_exception();
  }
}

void process_carrier::lose(const std::string& why) {
  machine_.internals().lost = why;
  processes::lost_one();
}

}  // namespace gossamer::mpi
