// process_carrier's messages: what is sent, what arrives, and operations on this process's memory.
#include <algorithm>
#include <cstring>

#include "fabric/mpi/carrier.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t batch_bytes = std::size_t{64} << 10;

// Words that a rank waits for carry their own flag, so that eight aligned bytes must arrive at
// once; a memcpy promises nothing.
void store_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 64 || bytes % 8 != 0 || reinterpret_cast<std::uintptr_t>(to) % 8 != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, from + i, 8);
    std_atomics::store_release(*reinterpret_cast<std::uint64_t*>(to + i), word);
  }
}

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

bool process_carrier::receive(int source, std::span<const std::byte> text) {
  header h;
  std::memcpy(&h, text.data(), sizeof h);
  if (h.run > number_) return false;
  if (h.rung != 0) answered_.fetch_add(1, std::memory_order_relaxed);
  if (h.run < number_ || run_ == nullptr) return true;
  text = text.subspan(sizeof h);
  auto& peer = peers_[static_cast<std::size_t>(source)];
  switch (h.kind) {
    case kind::begin: {
      const auto where = take<beginning>(text);
      if (peer.shares) {
        auto follow = [](shared_block& mine, const shared_block::address& theirs) {
          if (mine.where() == theirs) return;
          mine = {};
          mine = shared_block(theirs);
          if (mine.data() == nullptr)
            throw foreign_error("mpi: a block of shared memory cannot be mapped", 0, false);
        };
        follow(peer.board, where.board);
        follow(peer.native, where.native);
        follow(peer.host, where.host);
      }
      peer.begun = true;
      break;
    }
    case kind::operations:
      ++peer.applied;
      apply(source, text);
      break;
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
    case kind::end: {
      const auto f = take<failing>(text);
      std::string words(reinterpret_cast<const char*>(text.data()), text.size());
      if (f.failed != 0)
        run_->abort(f.reason, f.rank, f.peer, static_cast<std::uint32_t>(f.window), f.signal, words,
                    false);
      if (h.kind == kind::abort) break;
      peer.ended = true;
      peer.last = f;
      peer.last_text = std::move(words);
      break;
    }
  }
  return true;
}

void process_carrier::apply(int source, std::span<const std::byte> text) {
  auto& mine = run_->resources->ranks[static_cast<std::size_t>(self_)];
  while (!text.empty()) {
    const auto o = take<operation>(text);
    std::byte* at = mine.block(static_cast<home>(o.where)).data() + o.offset;
    switch (o.action) {
      case operation::what::put:
        store_words(at, text.data(), o.a);
        text = text.subspan(padded(o.a));
        break;
      case operation::what::raise:
        raise_word(*reinterpret_cast<std::uint64_t*>(at), o.a,
                   o.set != 0 ? signal_op::set : signal_op::add);
        break;
      case operation::what::get: {
        message reply = start(kind::reply);
        append(reply, std::uint64_t{o.token});
        append_bytes(reply, at, o.a);
        post(source, std::move(reply));
        break;
      }
      case operation::what::add:
      case operation::what::swap: {
        message reply = start(kind::reply);
        append(reply, std::uint64_t{o.token});
        append(reply, atomic_word(at, o.width, o.action == operation::what::add, o.a, o.b));
        post(source, std::move(reply));
        break;
      }
    }
  }
}

}  // namespace gossamer::mpi
