// process_carrier: what ranks tell each other of themselves, that they live, what they wait for,
// and that they have failed.
#include <algorithm>
#include <string>

#include "fabric/mpi/carrier.hpp"

namespace gossamer::mpi {

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
