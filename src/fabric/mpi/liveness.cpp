// process_carrier: what ranks tell each other of themselves, that they live, what they wait for,
// and that they have failed.
#include <algorithm>
#include <string>

#include "fabric/mpi/carrier.hpp"
#include "machine/processes.hpp"

namespace gossamer::mpi {

namespace {

/// What a process that has ended may have said before arrives within this time.
constexpr auto last_words = std::chrono::milliseconds(100);

}  // namespace

rank_board& process_carrier::line_of(peer_state& peer, int rank) const {
  const auto* own = reinterpret_cast<const std::byte*>(&run_->resources->boards[rank]);
  return *reinterpret_cast<rank_board*>(peer.board.data() + (own - board_.data()));
}

// Lines of peers that share memory are copied from where they write them.
void process_carrier::mirror() {
  std::lock_guard lock(mutex_);
  if (run_ == nullptr) return;
  for (int r = 0; r < ranks_; ++r) {
    auto& peer = peers_[static_cast<std::size_t>(r)];
    if (r == self_ || peer.board.data() == nullptr || !peer.begun) continue;
    const rank_board& theirs = line_of(peer, r);
    rank_board& here = run_->resources->boards[r];
    std_atomics::store_relaxed(here.heartbeat, std_atomics::load_relaxed(theirs.heartbeat));
    std_atomics::store_relaxed(here.waits_for, std_atomics::load_relaxed(theirs.waits_for));
  }
}

// This rank's line goes to the others when it has changed, some times a deadline.
void process_carrier::tell_heart() {
  const auto now = steady::now();
  const auto pace =
      std::min<std::chrono::nanoseconds>(run_->deadline / 16, std::chrono::milliseconds(100));
  if (now - last_beat_ < pace) return;
  last_beat_ = now;
  const rank_board& line = run_->resources->boards[self_];
  const beating beat{std_atomics::load_relaxed(line.heartbeat),
                     std_atomics::load_relaxed(line.waits_for)};
  if (beat.heartbeat == last_beating_.heartbeat && beat.waits_for == last_beating_.waits_for)
    return;
  last_beating_ = beat;
  for (int r = 0; r < ranks_; ++r) {
    if (r == self_ || peers_[static_cast<std::size_t>(r)].shares) continue;
    message text = start(kind::beat);
    append(text, beat);
    post(r, std::move(text));
  }
}

bool process_carrier::is_lost(const peer_state& peer) {
  return peer.lost_at != steady::time_point{} && steady::now() - peer.lost_at >= last_words;
}

// Of ranks that have something left to say in this run.
std::pair<int, std::string> process_carrier::find_lost() {
  const auto now = steady::now();
  const auto pace =
      std::min<std::chrono::nanoseconds>(run_->deadline / 16, std::chrono::milliseconds(50));
  if (now - last_watch_ < pace) return {-1, ""};
  last_watch_ = now;
  std::pair<int, std::string> found{-1, ""};
  std::lock_guard lock(mutex_);
  for (int r = 0; r < ranks_; ++r) {
    auto& peer = peers_[static_cast<std::size_t>(r)];
    if (r == self_ || peer.ended) continue;
    // Less than the deadline: who waits for a lost process, or for others that do, has yet to give
    // up, and would name somebody else.
    std::string why = processes::lost(r, run_->deadline * 3 / 4);
    if (why.empty())
      peer.lost_at = {};
    else if (peer.lost_at == steady::time_point{})
      peer.lost_at = now;
    else if (found.first < 0 && is_lost(peer))
      found = {r, std::move(why)};
  }
  return found;
}

// This is for any wait. A run that has lost a process cannot end well. A rank that waits for
// others, which wait for the lost process, must not take those others for the reason.
void process_carrier::watch_lives() {
  const auto [gone, why] = find_lost();
  if (gone < 0 || lost_ >= 0) return;
  lost_ = gone;
  lost_how_ = why;
  run_->abort(abort_reason::time_out, self_, gone, 0, 0, loss());
}

std::string process_carrier::loss() const {
  return "rank " + std::to_string(self_) + " lost rank " + std::to_string(lost_) +
         ": its process " + lost_how_;
}

bool process_carrier::over_time_limit() const {
  auto& record = *run_->resources->abort;
  while (std_atomics::load_acquire(record.state) != 2u) continue;
  return record.reason == abort_reason::time_out && record.rank < 0 && record.peer < 0;
}

void process_carrier::rewrite_failure(int peer, const std::string& text, bool whole) {
  auto& record = *run_->resources->abort;
  record.peer = peer;
  record.reason = abort_reason::time_out;
  if (whole) record.rank = self_;
  std::lock_guard lock(run_->failure_mutex);
  run_->failure_text = whole ? text : run_->failure_text + text;
  run_->failure = nullptr;  // settle_failure makes the one with this text
}

// A lost process is the reason, whatever showed first: a time-out, for someone else maybe, or an
// error of MPI's. Each process that is left knows it of itself.
void process_carrier::name_lost() {
  if (lost_ < 0) return;
  const std::string who = "rank " + std::to_string(lost_) + ": its process";
  lose("lost " + who + " " + lost_how_);
  const bool over = over_time_limit();
  if (run_->resources->abort->reason == abort_reason::cancelled) return;
  if (run_->failure_text.find("lost " + who) != std::string::npos) return;
  if (over)
    rewrite_failure(lost_, ": the process of rank " + std::to_string(lost_) + " " + lost_how_,
                    false);
  else
    rewrite_failure(lost_, loss() + ", which showed as: " + run_->failure_text, true);
}

message process_carrier::failure_message(kind what) {
  message text = start(what);
  failing f;
  std::string words;
  if (run_->aborted()) {
    auto& record = *run_->resources->abort;
    while (std_atomics::load_acquire(record.state) != 2u) continue;
    f = {1, record.reason, record.rank, record.peer, record.window, record.signal};
    std::lock_guard lock(run_->failure_mutex);
    words = run_->failure_text;
    f.lost = run_->lost.empty() ? 0 : 1;
  }
  append(text, f);
  const auto bytes = std::as_bytes(std::span(words));
  text.insert(text.end(), bytes.begin(), bytes.end());
  return text;
}

void process_carrier::aborted(run_state&) {
  std::lock_guard lock(mutex_);
  if (run_ == nullptr || told_) return;
  told_ = true;
  for (int r = 0; r < ranks_; ++r)
    if (r != self_) post(r, failure_message(kind::abort));
}

void process_carrier::take_failure(int source, kind what, std::span<const std::byte> text) {
  const auto f = take<failing>(text);
  std::string words(reinterpret_cast<const char*>(text.data()), text.size());
  if (f.failed != 0)
    run_->abort(f.reason, f.rank, f.peer, static_cast<std::uint32_t>(f.window), f.signal, words,
                false);
  if (what == kind::abort) return;
  auto& peer = peers_[static_cast<std::size_t>(source)];
  peer.ended = true;
  peer.last = f;
  peer.last_text = std::move(words);
}

}  // namespace gossamer::mpi
