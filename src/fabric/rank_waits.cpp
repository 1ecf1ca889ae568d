// rank: what waits, and what it waits for. Every wait is bounded by run_state's wait_until.
#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

namespace {

// 64-bit counters and words in host memory are read by the CPU with one acquire load.
std::uint64_t& counter_at(const window_table& table, int r, std::size_t index) {
  return reinterpret_cast<std::uint64_t*>(table.parts[r].data)[index];
}

/// -1: anybody.
void check_sender(const rank::state& s, int from, const char* what) {
  if (from < -1 || from >= s.run.ranks)
    throw usage_error(std::string(what) + ": no rank " + std::to_string(from) + " among " +
                      std::to_string(s.run.ranks));
}

}  // namespace

std::uint64_t rank::wait_word(const window_table& words, std::size_t index, std::uint64_t value,
                              int from) {
  auto& s = *state_;
  s.beat();
  check_sender(s, from, "wait_word");
  check_range(words, id_, index, 1);
  require(words.parts[id_].kind != memory_kind::device && words.element == sizeof(std::uint64_t),
          "wait_word: needs a host-memory window of 64-bit words");
  const auto& word = counter_at(words, id_, index);
  std::uint64_t seen = 0;
  s.wait_until(
      [&](wait_context& c) {
        c.seen = seen = std_atomics::load_acquire(word);
        return static_cast<std::int64_t>(seen - value) >= 0;
      },
      {"wait_word", from, words.id, index, value, 0});
  return seen;
}

void rank::wait_signal(const signal& flag, std::uint64_t value, int from,
                       const gossamer::stream* on) {
  auto& s = *state_;
  s.beat();
  check_sender(s, from, "wait_signal");
  check_range(*flag.table, id_, flag.index, 1);
  if (device_->is_cuda() && s.in_turn) {
    // A kernel that waits could hold the GPU while the one that raises waits for it: the host
    // thread waits instead, in the same place of the stream's order.
    synchronize(on);
  } else if (device_->is_cuda()) {
    traced_stream_wait(trace_, from, s.on(on), [&] {
      gpu::wait(s.guard, &counter_at(*flag.table, id_, flag.index), value, from, flag.table->id,
                flag.index, s.on(on));
    });
    return;
  }
  s.await_counter(*flag.table, flag.index, value, from);
}

void rank::state::await_counter(const window_table& table, std::size_t index, std::uint64_t value,
                                int from) {
  wait_until(
      [&](wait_context& c) {
        c.seen = read_counter(table, index);
        return c.seen >= value;
      },
      {"wait_signal", from, table.id, index, value, 0});
}

std::uint64_t rank::state::read_counter(const window_table& table, std::size_t index) {
  const auto& counter = counter_at(table, id, index);
  if (table.parts[id].kind != memory_kind::device) return std_atomics::load_acquire(counter);
  copy_bytes(mine.slot.data(), &counter, sizeof counter, mine.side, copier::engine);
  wait_until([&](wait_context&) { return mine.side.idle(); }, {"a copy", id});
  return *mine.slot.data();
}

void rank::watch(const signal_set& flags) {
  state_->beat();
  state_->run.carrier->watch(&counter_at(flags.table(), id_, 0), flags.size());
}

double rank::raised_at(const signal& flag) const {
  check_range(*flag.table, id_, flag.index, 1);
  return state_->run.carrier->raised_at(&counter_at(*flag.table, id_, flag.index));
}

template <class Value>
std::size_t rank::state::await_any(const window_table& table, std::size_t first, std::size_t n,
                                   Value value) {
  beat();
  require(n > 0, "wait_any: no counters");
  check_range(table, id, first, n);
  std::size_t found = 0;
  wait_until(
      [&](wait_context& c) {
        for (std::size_t i = 0; i < n; ++i) {
          c.seen = read_counter(table, first + i);
          c.wanted = value(i);
          if (c.seen < c.wanted) continue;
          found = first + i;
          return true;
        }
        return false;
      },
      {"wait_any", -1, table.id, first, value(0), 0});
  return found;
}

std::size_t rank::wait_any(const signal_set& flags, std::size_t first, std::size_t n,
                           std::uint64_t value) {
  return state_->await_any(flags.table(), first, n, [&](std::size_t) { return value; });
}

std::size_t rank::wait_any(const signal_set& flags, std::size_t first,
                           std::span<const std::uint64_t> values) {
  return state_->await_any(flags.table(), first, values.size(),
                           [&](std::size_t i) { return values[i]; });
}

std::optional<std::size_t> rank::wait_any_for(const signal_set& flags,
                                              std::span<const std::uint64_t> values,
                                              std::chrono::nanoseconds limit) {
  auto& s = *state_;
  s.beat();
  require(!values.empty(), "wait_any_for: no counters");
  check_range(flags.table(), id_, 0, values.size());
  s.run.carrier->turn(id_);
  const auto found = [&]() -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (s.read_counter(flags.table(), i) >= values[i]) return i;
    return std::nullopt;
  };
  if (const auto now = found()) return now;
  const traced_wait recorded(trace_, "wait_any_for", -1);
  const waiting_mark mark(s.run.resources->boards[id_], -1);
  backoff pace(s.run.spins, &s.mine.bed);
  const auto end = steady::now() + limit;
  for (;;) {
    const moment now = s.run.carrier->pause(id_, pace);
    if (const auto raised = found()) return raised;
    if (now == moment::poll) continue;
    s.check_kernels();
    if (s.run.aborted()) s.run.rethrow_abort(id_);
    if (now == moment::stuck) return std::nullopt;
    if (device_->model == nullptr && steady::now() >= end) return std::nullopt;
  }
}

std::chrono::nanoseconds rank::deadline() const noexcept {
  return state_->run.deadline;
}

std::uint64_t rank::heartbeat(int peer) const {
  require(peer >= 0 && peer < size_, "heartbeat: no such rank");
  return std_atomics::load_relaxed(state_->run.resources->boards[peer].heartbeat);
}

std::uint64_t rank::read_signal(const signal& flag) {
  state_->beat();
  check_range(*flag.table, id_, flag.index, 1);
  state_->run.carrier->turn(id_);
  return state_->read_counter(*flag.table, flag.index);
}

bool rank::test_signal(const signal& flag, std::uint64_t value) {
  const std::uint64_t seen = read_signal(flag);
  if (seen >= value) return true;
  if (state_->run.carrier->idle(id_, false) == moment::stuck)
    state_->expire({"test_signal", -1, flag.table->id, flag.index, value, seen}, true);
  return false;
}

void rank::flush(int peer) {
  auto& s = *state_;
  if (peer < 0 || peer >= size_)
    throw usage_error("flush: no rank " + std::to_string(peer) + " among " + std::to_string(size_));
  synchronize();
  for (const auto* other : s.streams) s.drain(*other);
  auto& c = *s.mine.channels[peer];
  s.wait_until([&](wait_context&) { return c.complete(); }, {"flush", peer});
}

void rank::quiet() {
  auto& s = *state_;
  synchronize();
  for (const auto* other : s.streams) s.drain(*other);
  s.streams.clear();
  for (int peer = 0; peer < size_; ++peer) {
    auto& c = *s.mine.channels[peer];
    s.wait_until([&](wait_context&) { return c.complete(); }, {"quiet", peer});
  }
}

void rank::barrier() {
  auto& s = *state_;
  quiet();
  // Everyone tells everyone: p stores a rank, one hop deep, and whoever is missing is known by
  // name. Counters live in host memory, so GPU ranks' host threads meet there too.
  const auto epoch = ++s.barrier_epoch;
  const auto& table = s.barrier_flags.table();
  for (int i = 1; i < size_; ++i) {
    const int peer = (id_ + i) % size_;
    if (table.parts[peer].direct) {
      std_atomics::store_release(counter_at(table, peer, static_cast<std::size_t>(id_)), epoch);
      s.run.resources->ranks[peer].bed.wake();
    } else {
      s.mine.channels[peer]->raise({&table, peer, id_ * sizeof(std::uint64_t)}, epoch,
                                   signal_op::set, s.mine.main);
    }
  }
  for (int peer = 0; peer < size_; ++peer) {
    if (peer == id_) continue;
    const auto& counter = counter_at(table, id_, static_cast<std::size_t>(peer));
    s.wait_until(
        [&](wait_context& c) {
          c.seen = std_atomics::load_acquire(counter);
          return c.seen >= epoch;
        },
        {"barrier", peer, table.id, static_cast<std::uint64_t>(peer), epoch, 0});
  }
}

void rank::synchronize(const gossamer::stream* on) {
  auto& s = *state_;
  s.beat();
  s.drain(on == nullptr ? s.mine.main : *on);
  if (on != nullptr) std::erase(s.streams, on);
}

void rank::state::drain(const gossamer::stream& which) {
  if (!which.is_cuda()) return;
  wait_until([&](wait_context&) { return which.idle(); }, {"its own stream", id});
  check_kernels();
}

}  // namespace gossamer
