// rank: range checks and streams; the bytes are moved by the pair's channel. Waits are in
// rank_waits.cpp.
#include "gossamer/fabric/rank.hpp"

#include <cstring>

#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"

namespace gossamer {

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
  trace_ = state_->trace;
  if (trace_ != nullptr) trace_->attach(this);
  state_->barrier_flags = make_signals(static_cast<std::size_t>(size_), home::host);
}

rank::~rank() {
  if (trace_ != nullptr) trace_->attach(nullptr);
}

const machine& rank::owner() const noexcept {
  return *state_->run.owner;
}
const stream& rank::stream() const noexcept {
  return state_->mine.main;
}
const stream& rank::extra_stream(std::size_t which) {
  if (!device_->is_cuda()) return stream();
  auto& extra = state_->mine.extra;
  while (extra.size() <= which) extra.emplace_back(*device_);
  return extra[which];
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
std::shared_ptr<void> rank::keep_memory() const {
  return state_->mine.native.owner();
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
  auto& c = *state_->mine.channels[peer];
  const auto& order = state_->on(on);
  const std::size_t bytes = n * w.element;
  traced_copy(trace_, "put", id_, peer, bytes, c, order, [&] {
    c.put({&w, peer, offset * w.element}, data, bytes, order);
  });
}

void rank::put_signal_bytes(const window_table& w, int peer, std::size_t offset, const void* data,
                            std::size_t n, const signal& flag, std::uint64_t value, signal_op op,
                            const gossamer::stream* on) {
  state_->beat(false);
  check_range(w, peer, offset, n);
  check_range(*flag.table, peer, flag.index, 1);
  auto& c = *state_->mine.channels[peer];
  const auto& order = state_->on(on);
  const std::size_t bytes = n * w.element;
  // A signal alone is no copy.
  traced_copy(n == 0 ? nullptr : trace_, "put_signal", id_, peer, bytes, c, order, [&] {
    c.put_signal({&w, peer, offset * w.element}, data, bytes,
                 {flag.table, peer, flag.index * sizeof(std::uint64_t)}, value, op, order);
  });
}

void rank::get_bytes(const window_table& w, int peer, std::size_t offset, void* data, std::size_t n,
                     const gossamer::stream* on) {
  state_->beat();
  check_range(w, peer, offset, n);
  if (n == 0) return;
  auto& c = *state_->mine.channels[peer];
  const auto& order = state_->on(on);
  const std::size_t bytes = n * w.element;
  traced_copy(trace_, "get", peer, id_, bytes, c, order, [&] {
    c.get(data, {&w, peer, offset * w.element}, bytes, order);
  });
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
