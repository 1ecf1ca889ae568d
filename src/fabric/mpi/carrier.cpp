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
  return opened++ % 32000;  // MPI promises tags up to 32,767
}

}  // namespace

process_carrier::process_carrier(machine& m)
    : machine_(m),
      self_(processes::join().rank),
      ranks_(m.size()),
      messenger_(next_tag(), m.size()),
      peers_(static_cast<std::size_t>(m.size())) {
  for (int r = 0; r < ranks_; ++r) {
    peers_[static_cast<std::size_t>(r)].shares = m.between(self_, r).shares_host;
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
  auto take = [](shared_block& block, arena& to, std::size_t bytes) {
    if (block.size() < bytes) {
      block = {};  // the old block goes first: both need not fit
      block = shared_block(bytes);
    }
    to.adopt(block.data(), memory_kind::host, bytes);
  };
  take(native_, mine.native, plan.native);
  take(host_, mine.host, plan.host);
}

std::byte* process_carrier::address(fabric_resources& resources, int self, int peer, home where,
                                    std::size_t offset) {
  if (peer == self)
    return resources.ranks[static_cast<std::size_t>(self)].block(where).data() + offset;
  auto& theirs = peers_[static_cast<std::size_t>(peer)];
  if (!theirs.shares) return nullptr;
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
    if (slow) mirror();
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
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      serving_.wait(lock, stop, [&] { return run_ != nullptr; });
    }
    if (stop.stop_requested()) return;
    poll(false);
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
