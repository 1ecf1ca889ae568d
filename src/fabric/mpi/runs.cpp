// How a run begins and ends on process_carrier: for all processes, or for none.
#include <algorithm>

#include "fabric/mpi/carrier.hpp"
#include "fabric/mpi/terms.hpp"
#include "gossamer/base/configuration.hpp"
#include "machine/processes.hpp"

namespace gossamer::mpi {

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
    lost_ = -1;
    terms_.clear();
    append_terms(terms_, run.terms);
    for (auto& peer : peers_) {
      peer.begun = peer.ended = false;
      peer.terms.clear();
      peer.last = {};
      peer.lost_at = {};
      peer.exchanged.clear();
      peer.batch.clear();
      peer.sent = peer.landed = peer.applied = peer.told = 0;
      peer.done = 0;
    }
    for (int r = 0; r < ranks_; ++r) {
      if (r == self_) continue;
      message text = start(kind::begin);
      append(text, beginning{board_.where(), native_->where(), host_.where()});
      text.insert(text.end(), terms_.begin(), terms_.end());
      post(r, std::move(text));
    }
  }
  const bool messages = !all_shared_ || (gpu_ >= 0 && ranks_ > 1);
  if (messages && configuration::mpi_progress()) {
    if (!server_.joinable())
      server_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    serving_.notify_all();
  }
  try {
    await_begin();
    check_terms();
    follow_all();
  } catch (...) {
    std::lock_guard lock(mutex_);
    run_ = nullptr;
    throw;
  }
}

void process_carrier::await_begin() {
  // Processes do unequal work between runs (reading, verifying) and cannot beat there, so who lives
  // is waited for ten times longer here.
  std::chrono::nanoseconds give_up = 10 * run_->deadline + std::chrono::seconds(1);
  watchful_clock clock(run_->deadline);
  bool hurried = false;
  backoff pace(run_->spins);
  for (;;) {
    const int r = first_missing();
    if (r < 0) return;
    const bool slow = pace.pause();
    poll(true);
    if (!slow) continue;
    run_->signs->alive();
    const std::chrono::nanoseconds now = clock.look();
    // Ctrl-C reaches every process: those on their way here get a moment, so that the run begins
    // for all and ends at once, and the machine stays usable. So do those whose beginning is still
    // under way when another one's failure is here.
    if (!hurried && (run_->cancel.stop_requested() || run_->aborted())) {
      hurried = true;
      give_up = std::min(give_up, now + std::chrono::seconds(2));
    }
    if (const auto [gone, why] = find_lost(); gone >= 0)
      give_up_beginning(gone, ", whose process " + why + ", to begin a run");
    if (now >= give_up)
      give_up_beginning(r, ", which does not begin the run: every process has to call it");
  }
}

int process_carrier::first_missing() {
  std::lock_guard lock(mutex_);
  for (int r = 0; r < ranks_; ++r)
    if (r != self_ && !peers_[static_cast<std::size_t>(r)].begun) return r;
  return -1;
}

// What another process found out before, in this run, is the reason: it may have left since.
void process_carrier::give_up_beginning(int r, const std::string& why) {
  const bool cancelled = !run_->aborted() && run_->cancel.stop_requested();
  std::string text =
      "rank " + std::to_string(self_) + " waited for rank " + std::to_string(r) + why;
  if (cancelled) text = "the run was cancelled before every process had begun it";
  lose(text);
  if (!cancelled) run_->abort(abort_reason::time_out, self_, r, 0, 0, text);
  send_all();
  if (cancelled) throw cancelled_error(text);
  run_->rethrow_abort(self_);
}

// This process may leave MPI without a word, or make no call for long.
void process_carrier::send_all() {
  const auto give_up = steady::now() + std::chrono::seconds(1);
  backoff pace(run_->spins);
  for (;;) {
    poll(true);
    {
      std::lock_guard lock(mutex_);
      if (!messenger_.sending()) return;
    }
    if (pace.pause() && steady::now() >= give_up) return;
  }
}

// All know the terms of all, so all come to the same words, and none begins.
void process_carrier::check_terms() {
  std::string text;
  {
    std::lock_guard lock(mutex_);
    std::vector<std::span<const std::byte>> all;
    for (int r = 0; r < ranks_; ++r)
      all.emplace_back(r == self_ ? terms_ : peers_[static_cast<std::size_t>(r)].terms);
    text = disagreement(all);
  }
  if (text.empty()) return;
  send_all();
  throw usage_error(text);
}

// Whoever does not agree leaves, memory and all: only now do all stay until the end.
void process_carrier::follow_all() {
  int gone = -1;
  try {
    std::lock_guard lock(mutex_);
    for (int r = 0; r < ranks_ && gone < 0; ++r)
      if (r != self_ && peers_[static_cast<std::size_t>(r)].shares && !follow(r)) gone = r;
  } catch (const foreign_error&) {
    // Who has given the run up has freed its memory, and has said why.
    poll(true);
    if (run_->aborted()) run_->rethrow_abort(self_);
    throw;
  }
  if (gone >= 0) give_up_beginning(gone, ", whose process has ended, to begin a run");
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
    while (r != self_ && !said_so()) {
      if (pause(self_, pace) == moment::poll) continue;
      run_->signs->alive();
      if (lost_ >= 0 && is_lost(peer)) break;
      if (!clock.expired()) continue;
      give_up_on(r, limit);
      break;
    }
  }
  await_straight(patience());
}

// Rank r lives, but does not come back from the run. When a time limit of the whole run ended it
// for all, that is why: the limit may be as short as a wait's, and fire first.
void process_carrier::give_up_on(int r, std::chrono::nanoseconds limit) {
  const std::string who = "rank " + std::to_string(r);
  lose(who + " has not come back from a run");
  const std::string text = "rank " + std::to_string(self_) + " waited " +
                           std::to_string(std::chrono::duration<double>(limit).count()) +
                           " s without progress for " + who + " on the end of the run";
  if (run_->abort(abort_reason::time_out, self_, r, 0, 0, text)) return;
  if (over_time_limit()) rewrite_failure(r, ": " + who + " has not come back from the run", false);
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
  name_lost();
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
