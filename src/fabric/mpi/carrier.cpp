// The parts of process_carrier that a run meets: memory, waiting, set-up data. runs.cpp has how a
// run begins and ends, messages.cpp what arrives and what is sent.
#include "fabric/mpi/carrier.hpp"

#include <cstring>

#include "machine/processes.hpp"

namespace gossamer::mpi {

namespace {

// Machines are opened in the same order in every process, so they agree on tags without a message.
int next_tag() {
  static std::atomic<int> opened{0};
  return opened++ % 16384;  // as many again are messenger's
}

}  // namespace

process_carrier::process_carrier(machine& m)
    : machine_(m),
      self_(processes::join().rank),
      ranks_(m.size()),
      gpu_(m[self_].is_cuda() ? m[self_].ordinal : -1),
      messenger_(next_tag(), m.size()),
      peers_(static_cast<std::size_t>(m.size())) {
  if (gpu_ >= 0) device_ = std::make_unique<device_memory>(m[self_]);
  for (int r = 0; r < ranks_; ++r) {
    peers_[static_cast<std::size_t>(r)].shares = m.between(self_, r).shares_host;
    any_shared_ = any_shared_ || (r != self_ && m.between(self_, r).shares_host);
    all_shared_ = all_shared_ && m.between(self_, r).shares_host;
  }
}

process_carrier::~process_carrier() = default;

std::byte* process_carrier::board(std::size_t bytes) {
  bell_at_ = (bytes + 127) / 128 * 128;
  board_ = shared_block(bell_at_ + 128);
  return board_.data();
}

void process_carrier::reserve(fabric_resources& resources, int rank, const arena_plan& plan) {
  auto& mine = resources.ranks[static_cast<std::size_t>(rank)];
  auto take = [](shared_block& block, std::size_t bytes) {
    if (block.size() >= bytes) return false;
    block = {};  // the old block goes first: both need not fit
    block = shared_block(bytes);
    return true;
  };
  if (gpu_ >= 0) {
    mine.native.reserve(memory_kind::device, gpu_, plan.native);
    if (!any_shared_) return mine.host.reserve(memory_kind::pinned, gpu_, plan.host);
    if (host_.size() < plan.host) pinned_ = {};
    if (take(host_, plan.host)) pinned_ = pinned_range(gpu_, host_.data(), host_.size());
    mine.host.adopt(host_.data(), memory_kind::pinned, plan.host, nullptr);
    return;
  }
  if (native_->size() < plan.native) {
    mine.native = {};  // the old block goes first, as above, unless somebody keeps it
    native_ = std::make_shared<shared_block>();
    *native_ = shared_block(plan.native);
  }
  mine.native.adopt(native_->data(), memory_kind::host, plan.native, native_);
  take(host_, plan.host);
  mine.host.adopt(host_.data(), memory_kind::host, plan.host, nullptr);
}

// Whoever calls machine::run has a current device of its own, which stays as it is.
void process_carrier::on_rank_thread(const std::function<void()>& work) {
  if (gpu_ < 0) return work();
  machine_.internals().threads.run([&](int) { work(); });
}

std::byte* process_carrier::address(fabric_resources& resources, int self, int peer, home where,
                                    std::size_t offset) {
  if (peer == self)
    return resources.ranks[static_cast<std::size_t>(self)].block(where).data() + offset;
  auto& theirs = peers_[static_cast<std::size_t>(peer)];
  const bool on_their_gpu = where == home::native && machine_[peer].is_cuda();
  if (!theirs.shares || on_their_gpu) return nullptr;
  return (where == home::native ? theirs.native : theirs.host).data() + offset;
}

double process_carrier::now(int) const {
  return std::chrono::duration<double>(steady::now().time_since_epoch()).count();
}

void process_carrier::run(const std::function<void(int)>& job) {
  machine_.internals().threads.run([&](int) { job(self_); });
}

moment process_carrier::pause(int, backoff& pace) {
  const bool slow = pace.pause();
  if (ranks_ > 1) {
    poll(true);
    if (slow) {
      mirror();
      watch_lives();
    }
  }
  return slow ? moment::look : moment::poll;
}

void process_carrier::exchange(rank::state& of, std::span<const std::byte> mine,
                               std::span<std::byte> all) {
  {
    std::lock_guard lock(mutex_);
    for (int i = 1; i < ranks_; ++i) {
      const int peer = (self_ + i) % ranks_;
      push_locked(peer);
      message text = start(kind::exchange);
      text.insert(text.end(), mine.begin(), mine.end());
      post(peer, std::move(text));
    }
  }
  for (int r = 0; r < ranks_; ++r) {
    std::byte* slot = all.data() + static_cast<std::size_t>(r) * mine.size();
    if (r == self_) {
      if (!mine.empty()) std::memcpy(slot, mine.data(), mine.size());
      continue;
    }
    auto& inbox = peers_[static_cast<std::size_t>(r)].exchanged;
    of.wait_until(
        [&](wait_context&) {
          std::lock_guard lock(mutex_);
          return !inbox.empty();
        },
        {"a collective call (exchange, make_window or make_signals)", r});
    std::lock_guard lock(mutex_);
    const message theirs = std::move(inbox.front());
    inbox.pop_front();
    if (theirs.size() != mine.size())
      throw rank_error("ranks " + std::to_string(self_) + " and " + std::to_string(r) +
                           " exchange " + std::to_string(mine.size()) + " and " +
                           std::to_string(theirs.size()) + " bytes: collective calls out of step",
                       self_, r, false);
    if (!mine.empty()) std::memcpy(slot, theirs.data(), mine.size());
  }
}

void process_carrier::serve(const std::stop_token& stop) {
  if (gpu_ >= 0) drive_gpu(gpu_);
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      serving_.wait(lock, stop, [&] { return run_ != nullptr; });
    }
    if (stop.stop_requested()) return;
    try {
      poll(false);
    } catch (...) {  // the rank's thread throws it, in its next call
      std::lock_guard lock(mutex_);
      unserved_ = std::current_exception();
    }
    {
      std::lock_guard lock(mutex_);
      if (run_ != nullptr) run_->resources->ranks[static_cast<std::size_t>(self_)].bed.wake();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

std::unique_ptr<carrier> make_carrier(machine& m) {
  return std::make_unique<process_carrier>(m);
}

}  // namespace gossamer::mpi
