// Ranks that exist only as a model: fibers under virtual clocks.
#include "fabric/sim/carrier.hpp"

#include <cstring>
#include <limits>

namespace gossamer::sim {

namespace {
// Of payload buffers that are kept: larger ones cost more than their allocation.
constexpr std::size_t least_bytes = 1024, most_bytes = 16384, most_spares = 1024;
}  // namespace

sim_carrier::sim_carrier(machine& m)
    : local_carrier(m),
      system_(m[0].model),
      engine_(system_, m.size()),
      chains_(static_cast<std::size_t>(m.size())) {
  spare_.reserve(most_spares);
}

void sim_carrier::begin(run_state& run) {
  resources_ = run.resources;
  arrived_ = left_ = 0;
  for (auto& c : chains_) c = {};
  watched_.clear();
  engine_.begin(run);
}

void sim_carrier::end(run_state&) {
  engine_.end();
}

void sim_carrier::charge(int rank, double seconds) {
  require(seconds >= 0, "charge: time does not run backwards");
  engine_.spend(rank, seconds);
}

void sim_carrier::charge(int rank, double bytes, double flops, home where) {
  const bool device = where == home::native && system_->native == model::memory::device;
  const auto& by = device ? system_->kernel : system_->processor;
  engine_.spend(rank, by.seconds(bytes, flops));
}

void sim_carrier::charge_copy(int rank, const void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const auto& kind = system_->kind_of(memory_of(rank, from), memory_of(rank, to), bytes, true);
  engine_.spend(
      rank, kind.start + kind.setup + static_cast<double>(bytes) / kind.bandwidth + kind.latency);
}

void sim_carrier::charge_software(int rank, software_cost what) {
  const auto& costs = system_->software;
  engine_.spend(rank, what == software_cost::call   ? costs.call
                      : what == software_cost::step ? costs.step
                                                    : costs.poll);
}

void sim_carrier::watch(const std::uint64_t* first, std::size_t n) {
  watched_.push_back({first, std::vector<double>(n, std::numeric_limits<double>::quiet_NaN())});
}

double sim_carrier::raised_at(const std::uint64_t* counter) const {
  for (const auto& w : watched_)
    if (counter >= w.first && counter < w.first + w.when.size())
      return w.when[static_cast<std::size_t>(counter - w.first)];
  return std::numeric_limits<double>::quiet_NaN();
}

void sim_carrier::raised(const std::uint64_t* counter) {
  for (auto& w : watched_)
    if (counter >= w.first && counter < w.first + w.when.size())
      w.when[static_cast<std::size_t>(counter - w.first)] = engine_.event_time();
}

moment sim_carrier::pause(int rank, backoff&) {
  return engine_.wait(rank);
}

void sim_carrier::chain(int rank, bool open) {
  chains_[static_cast<std::size_t>(rank)] = {open, false};
}

std::vector<std::byte> sim_carrier::blank() {
  std::vector<std::byte> taken;
  if (spare_.empty()) {
    taken.reserve(least_bytes);
  } else {
    taken = std::move(spare_.back());
    spare_.pop_back();
  }
  return taken;
}

void sim_carrier::recycle(std::vector<std::byte>&& done) noexcept {
  const bool keep = done.capacity() >= least_bytes && done.capacity() <= most_bytes;
  if (keep && spare_.size() < most_spares) spare_.push_back(std::move(done));
  done = {};
}

bool sim_carrier::begins_chain(int rank, const model::transfer_kind& kind) {
  auto& c = chains_[static_cast<std::size_t>(rank)];
  if (!c.open || kind.by != model::mover::engine) return true;
  return !std::exchange(c.begun, true);
}

model::memory sim_carrier::memory_of(int rank, const void* address) const {
  const auto& native = resources_->ranks[static_cast<std::size_t>(rank)].native;
  const auto* at = static_cast<const std::byte*>(address);
  const bool inside = at >= native.data() && at < native.data() + native.capacity();
  return inside ? system_->native : model::memory::host;
}

// Set-up takes no modelled time beyond that of the rank that comes last: all leave together.
void sim_carrier::meet(rank::state& of, std::uint64_t turn, std::uint64_t exchange_slot::*mark,
                       std::uint64_t& count, const char* what) {
  auto& slots = of.run.slots;
  slots[static_cast<std::size_t>(of.id)].*mark = turn;
  if (++count % slots.size() == 0) engine_.wake_all(of.id);
  std::size_t first = 0;
  const auto all_here = [&](wait_context& c) {
    while (first < slots.size() && slots[first].*mark >= turn) ++first;
    c.peer = static_cast<int>(first);
    return first == slots.size();
  };
  wait_context context{what};
  if (!all_here(context)) of.wait_until(all_here, context);
}

void sim_carrier::exchange(rank::state& of, std::span<const std::byte> mine,
                           std::span<std::byte> all) {
  auto& slots = of.run.slots;
  const auto turn = ++of.exchanges;
  slots[static_cast<std::size_t>(of.id)].data.assign(mine.begin(), mine.end());
  meet(of, turn, &exchange_slot::arrived, arrived_,
       "a collective call (exchange, make_window or make_signals)");
  for (int peer = 0; peer < of.run.ranks; ++peer) {
    const auto& theirs = slots[static_cast<std::size_t>(peer)].data;
    check_exchanged(of.id, peer, mine.size(), theirs.size());
    if (!mine.empty())
      std::memcpy(all.data() + static_cast<std::size_t>(peer) * mine.size(), theirs.data(),
                  mine.size());
  }
  meet(of, turn, &exchange_slot::left, left_, "the end of a collective call");
}

std::unique_ptr<carrier> make_carrier(machine& m) {
  return std::make_unique<sim_carrier>(m);
}

}  // namespace gossamer::sim
