// rank: range checks, streams, waits; the bytes are moved by the pair's channel.
#include "gossamer/fabric/rank.hpp"

#include <cstring>

#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"

namespace gossamer {

namespace {

// 64-bit counters and words in host memory are read by the CPU with one acquire load.
std::uint64_t& counter_at(const window_table& table, int r, std::size_t index) {
  return reinterpret_cast<std::uint64_t*>(table.parts[r].data)[index];
}

}  // namespace

void outside_range(const window_table& w, int peer, std::size_t offset, std::size_t n) {
  if (peer < 0 || peer >= static_cast<int>(w.parts.size()))
    throw usage_error("window " + std::to_string(w.id) + ": no rank " + std::to_string(peer) +
                      " among " + std::to_string(w.parts.size()));
  throw usage_error("window " + std::to_string(w.id) + ": elements " + std::to_string(offset) +
                    " … " + std::to_string(offset + n) + " lie outside rank " +
                    std::to_string(peer) + "'s " + std::to_string(w.parts[peer].size));
}

rank::rank(std::unique_ptr<state> s) : state_(std::move(s)) {
  id_ = state_->id;
  size_ = state_->run.ranks;
  device_ = &(*state_->run.owner)[id_];
  state_->barrier_flags = make_signals(static_cast<std::size_t>(size_), home::host);
}

rank::~rank() = default;

const machine& rank::owner() const noexcept {
  return *state_->run.owner;
}
const stream& rank::stream() const noexcept {
  return state_->mine.main;
}
const device_guard& rank::guard() const {
  if (state_->in_turn && device_->process >= 0)
    throw usage_error("machine '" + owner().spec() +
                      "': kernels of different processes cannot wait for each other; ranks of one "
                      "process can (cuda)");
  if (state_->in_turn)
    throw usage_error("machine '" + owner().spec() + "': kernels of the " +
                      std::to_string(device_->share) +
                      " ranks that share cuda:" + std::to_string(device_->ordinal) +
                      " take turns, so that they cannot wait for each other; use one rank a GPU");
  return state_->guard;
}

double rank::clock() const {
  return state_->run.carrier->now(id_);
}
bool rank::is_native(const void* address) const noexcept {
  const auto& block = state_->mine.native;
  const auto* at = static_cast<const std::byte*>(address);
  return at >= block.data() && at < block.data() + block.capacity();
}
void rank::charge(double seconds) {
  state_->beat();
  state_->run.carrier->charge(id_, seconds);
}
void rank::charge(double bytes, double flops, home where) {
  state_->beat();
  state_->run.carrier->charge(id_, bytes, flops, where);
}
void rank::charge_copy(const void* to, const void* from, std::size_t bytes) {
  state_->beat();
  state_->run.carrier->charge_copy(id_, to, from, bytes);
}
void rank::charge(software_cost what) {
  state_->beat();
  state_->run.carrier->charge_software(id_, what);
}

void rank::put_bytes(const window_table& w, int peer, std::size_t offset, const void* data,
                     std::size_t n, const gossamer::stream* on) {
  state_->beat(false);
  check_range(w, peer, offset, n);
  if (n == 0) return;
  state_->mine.channels[peer]->put({&w, peer, offset * w.element}, data, n * w.element,
                                   state_->on(on));
}

void rank::put_signal_bytes(const window_table& w, int peer, std::size_t offset, const void* data,
                            std::size_t n, const signal& flag, std::uint64_t value, signal_op op,
                            const gossamer::stream* on) {
  state_->beat(false);
  check_range(w, peer, offset, n);
  check_range(*flag.table, peer, flag.index, 1);
  state_->mine.channels[peer]->put_signal({&w, peer, offset * w.element}, data, n * w.element,
                                          {flag.table, peer, flag.index * sizeof(std::uint64_t)},
                                          value, op, state_->on(on));
}

void rank::get_bytes(const window_table& w, int peer, std::size_t offset, void* data, std::size_t n,
                     const gossamer::stream* on) {
  state_->beat();
  check_range(w, peer, offset, n);
  if (n == 0) return;
  state_->mine.channels[peer]->get(data, {&w, peer, offset * w.element}, n * w.element,
                                   state_->on(on));
}

void rank::fill(void* data, int value, std::size_t bytes, const gossamer::stream* on) {
  state_->beat();
  if (bytes == 0) return;
  if (device_->is_cuda())
    gpu::fill(data, value, bytes, state_->on(on));
  else
    std::memset(data, value, bytes);
}

void rank::raise(const signal& flag, int peer, std::uint64_t value, signal_op op,
                 const gossamer::stream* on) {
  state_->beat(false);
  check_range(*flag.table, peer, flag.index, 1);
  state_->mine.channels[peer]->raise({flag.table, peer, flag.index * sizeof(std::uint64_t)}, value,
                                     op, state_->on(on));
}

std::uint64_t rank::atomic(const window_table& w, int peer, std::size_t offset, bool add,
                           std::uint64_t a, std::uint64_t b) {
  check_range(w, peer, offset, 1);
  synchronize();
  return state_->mine.channels[peer]->atomic({&w, peer, offset * w.element},
                                             static_cast<int>(w.element), add, a, b);
}

std::uint64_t rank::wait_word(const window_table& words, std::size_t index, std::uint64_t value,
                              int from) {
  auto& s = *state_;
  s.beat();
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
  check_range(*flag.table, id_, flag.index, 1);
  if (device_->is_cuda() && s.in_turn) {
    // A kernel that waits could hold the GPU while the one that raises waits for it: the host
    // thread waits instead, in the same place of the stream's order.
    synchronize(on);
  } else if (device_->is_cuda()) {
    gpu::wait(s.guard, &counter_at(*flag.table, id_, flag.index), value, from, flag.table->id,
              flag.index, s.on(on));
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

std::size_t rank::wait_any(const signal_set& flags, std::size_t first, std::size_t n,
                           std::uint64_t value) {
  auto& s = *state_;
  s.beat();
  require(n > 0, "wait_any: no counters");
  check_range(flags.table(), id_, first, n);
  std::size_t found = 0;
  s.wait_until(
      [&](wait_context& c) {
        for (std::size_t i = 0; i < n; ++i) {
          c.seen = s.read_counter(flags.table(), first + i);
          if (c.seen < value) continue;
          found = first + i;
          return true;
        }
        return false;
      },
      {"wait_any", -1, flags.table().id, first, value, 0});
  return found;
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

void rank::nudge(int peer) {
  if (peer < 0 || peer >= size_)
    throw usage_error("nudge: no rank " + std::to_string(peer) + " among " + std::to_string(size_));
  state_->run.resources->ranks[peer].bed.wake();
}

void rank::progress() {
  state_->beat();
  state_->check_kernels();
  state_->run.carrier->idle(id_, true);
}

void rank::progress(double done) {
  progress();
  if (id_ == 0 && *state_->run.progress) (*state_->run.progress)(done);
}

}  // namespace gossamer
