// process_carrier's messages: what is sent, and what arrives. apply.cpp has what operations do,
// liveness.cpp what ranks tell of themselves.
#include <cstring>

#include "fabric/mpi/carrier.hpp"
#include "machine/processes.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t batch_bytes = std::size_t{64} << 10;

}  // namespace

message process_carrier::start(kind what) {
  message text = messenger_.blank();
  append(text, header{number_, what, 0});
  return text;
}

void process_carrier::post(int to, message&& text) {
  auto& peer = peers_[static_cast<std::size_t>(to)];
  // The bell is there once the peer's board is mapped; messages before that are found by polling.
  std::uint64_t* bell = nullptr;
  if (peer.board.data() != nullptr) {
    bell = reinterpret_cast<std::uint64_t*>(peer.board.data() + bell_at_);
    header h;
    std::memcpy(&h, text.data(), sizeof h);
    h.rung = 1;
    std::memcpy(text.data(), &h, sizeof h);
  }
  messenger_.send(to, std::move(text));
  if (bell != nullptr) std_atomics::fetch_add(*bell, std::uint64_t{1});
  busy_.store(true, std::memory_order_relaxed);
}

void process_carrier::add(int to, const operation& what, const void* data, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  auto& batch = peers_[static_cast<std::size_t>(to)].batch;
  if (batch.empty()) batch = start(kind::operations);
  append(batch, what);
  append_bytes(batch, data, bytes);
  busy_.store(true, std::memory_order_relaxed);
  if (batch.size() >= batch_bytes) push_locked(to);
}

void process_carrier::push(int to) {
  std::lock_guard lock(mutex_);
  push_locked(to);
}

void process_carrier::push_locked(int to) {
  auto& peer = peers_[static_cast<std::size_t>(to)];
  if (peer.batch.empty()) return;
  ++peer.sent;
  post(to, std::exchange(peer.batch, {}));
}

void process_carrier::add_straight(int to, const operation& what, const void* data) {
  std::lock_guard lock(mutex_);
  auto& batch = peers_[static_cast<std::size_t>(to)].batch;
  if (batch.empty()) batch = start(kind::operations);
  append(batch, what);
  push_locked(to);
  messenger_.send_straight(to, data, what.a);
}

bool process_carrier::sent_straight() {
  std::lock_guard lock(mutex_);
  return messenger_.sent_straight();
}

bool process_carrier::nothing_under_way(int to) {
  std::lock_guard lock(mutex_);
  const auto& peer = peers_[static_cast<std::size_t>(to)];
  return peer.batch.empty() && peer.sent == peer.landed;
}

std::uint64_t process_carrier::unapplied(int to) {
  std::lock_guard lock(mutex_);
  if (run_ == nullptr || run_->aborted()) return 0;
  const auto& peer = peers_[static_cast<std::size_t>(to)];
  return peer.sent - peer.landed;
}

std::uint32_t process_carrier::expect(void* into, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  expected_ = {expected_.token + 1, into, bytes, false};
  return expected_.token;
}

bool process_carrier::replied() {
  std::lock_guard lock(mutex_);
  return expected_.done;
}

void process_carrier::forget() {
  std::lock_guard lock(mutex_);
  expected_.into = nullptr;
}

void process_carrier::enter(int, bool last) {
  if (all_shared_ && !busy_.load(std::memory_order_relaxed)) {
    const auto& bell = *reinterpret_cast<const std::uint64_t*>(board_.data() + bell_at_);
    if (std_atomics::load_acquire(bell) == answered_.load(std::memory_order_relaxed)) return;
  }
  poll(last);
}

// One round of progress. `last`: batches go out.
void process_carrier::poll(bool last) {
  std::lock_guard lock(mutex_);
  if (run_ == nullptr) return;
  if (unserved_ != nullptr && last) std::rethrow_exception(std::exchange(unserved_, nullptr));
  if (last)
    for (int r = 0; r < ranks_; ++r) push_locked(r);
  if (!all_shared_) tell_heart();
  messenger_.round(
      [this](int source, std::span<const std::byte> text) { return receive(source, text); });
  bool batches = false;
  for (int r = 0; r < ranks_; ++r) {
    auto& peer = peers_[static_cast<std::size_t>(r)];
    batches = batches || !peer.batch.empty();
    if (peer.applied == peer.told || peer.ended) continue;
    message text = start(kind::applied);
    append(text, peer.applied);
    peer.told = peer.applied;
    post(r, std::move(text));
  }
  busy_.store(batches || messenger_.sending() || messenger_.receiving(), std::memory_order_relaxed);
}

bool process_carrier::receive(int source, std::span<const std::byte> text) {
  header h;
  std::memcpy(&h, text.data(), sizeof h);
  if (h.run > number_) return false;
  const bool of_now = h.run == number_ && run_ != nullptr;
  if (of_now && !handle(source, h.kind, text.subspan(sizeof h))) return false;
  if (h.rung != 0) answered_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// Maps what a process has newly taken; blocks are kept from run to run while they are large enough.
// False when it has ended since it said where they are.
bool process_carrier::follow(int source) {
  auto& peer = peers_[static_cast<std::size_t>(source)];
  const beginning& theirs = peer.where;
  bool there_is = true;
  auto map = [&](shared_block& mine, const shared_block::address& there) {
    if (mine.where() == there) return false;
    // A process that ends has lost its descriptors for a moment before it counts as ended.
    const auto give_up = steady::now() + std::chrono::seconds(1);
    for (backoff pace;;) {
      mine = {};
      mine = shared_block(there);
      if (mine.data() != nullptr) return true;
      if (!processes::lost(source, run_->deadline).empty()) return there_is = false;
      if (pace.pause() && steady::now() >= give_up)
        throw foreign_error(
            "mpi: shared memory of rank " + std::to_string(source) + " cannot be mapped", 0, false);
    }
  };
  map(peer.board, theirs.board);
  map(peer.native, theirs.native);
  if (peer.host.where() != theirs.host) peer.pinned = {};
  if (map(peer.host, theirs.host) && gpu_ >= 0)
    peer.pinned = pinned_range(gpu_, peer.host.data(), peer.host.size());
  return there_is;
}

bool process_carrier::handle(int source, kind what, std::span<const std::byte> text) {
  auto& peer = peers_[static_cast<std::size_t>(source)];
  switch (what) {
    case kind::begin:
      peer.where = take<beginning>(text);
      peer.terms.assign(text.begin(), text.end());
      peer.begun = true;
      break;
    case kind::operations:
      return apply(source, text);
    case kind::reply: {
      const auto token = take<std::uint64_t>(text);
      if (expected_.into == nullptr || token != expected_.token || text.size() < expected_.bytes)
        break;
      std::memcpy(expected_.into, text.data(), expected_.bytes);
      expected_.into = nullptr;
      expected_.done = true;
      break;
    }
    case kind::applied:
      peer.landed = take<std::uint64_t>(text);
      break;
    case kind::exchange:
      peer.exchanged.emplace_back(text.begin(), text.end());
      break;
    case kind::beat: {
      const auto beat = take<beating>(text);
      auto& line = run_->resources->boards[source];
      std_atomics::store_relaxed(line.heartbeat, beat.heartbeat);
      std_atomics::store_relaxed(line.waits_for, static_cast<std::int32_t>(beat.waits_for));
      break;
    }
    case kind::abort:
    case kind::end:
      take_failure(source, what, text);
      break;
  }
  return true;
}

}  // namespace gossamer::mpi
