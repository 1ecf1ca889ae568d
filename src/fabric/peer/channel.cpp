// Transport `peer`: at least one side is a GPU of this process and the pair reaches each other.
//
//   GPU -> GPU   copy engine in the rank's stream, signals by a kernel in the same stream; atomics
//                by kernels here, or as requests at the owner where the pair has none (PCIe)
//   GPU -> host  the same; `add` on host counters is done by the CPU in stream order, because GPU
//                atomics on host memory are not atomic against the CPU's on every PCIe system
//   CPU -> GPU   the CPU drives the target's copy engine and waits for it: immediate
#include "fabric/channel.hpp"

#include "fabric/gpu_operations.hpp"
#include "fabric/owner_requests.hpp"
#include "fabric/run_state.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::peer {

namespace {

std::uint64_t* counter_of(const remote& counter) {
  return reinterpret_cast<std::uint64_t*>(counter.address());
}

bool in_host_memory(const remote& place) {
  return place.part().kind != memory_kind::device;
}

class gpu_channel final : public channel {
 public:
  /// `requests`: null where this rank's kernels have atomics on the peer's memory.
  gpu_channel(fabric_resources& resources, int from, int to,
              std::unique_ptr<owner_requests> requests)
      : mine_(resources.ranks[static_cast<std::size_t>(from)]),
        sleeper_(resources.ranks[static_cast<std::size_t>(to)].bed),
        requests_(std::move(requests)),
        peer_(to) {}
  void put(const remote& to, const void* from, std::size_t bytes, const stream& on) override {
    copy_bytes(to.address(), from, bytes, on);
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream& on) override {
    copy_bytes(to, from.address(), bytes, on);
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream& on) override {
    auto* word = counter_of(counter);
    if (in_host_memory(counter)) {
      if (op == signal_op::add) return add_by_host(mine_, word, value, sleeper_, on);
      return gpu::raise(word, value, false, on);
    }
    if (op == signal_op::add) {
      if (requests_ == nullptr) return gpu::raise(word, value, true, on);
      return requests_->raise(word, value, op, on);
    }
    // A store needs nobody's help, but must not overtake an earlier request.
    if (requests_ != nullptr && !requests_->idle()) requests_->before(on);
    gpu::raise_by_driver(word, value, on);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    if (in_host_memory(word)) return atomic_word(word.address(), width, add, a, b);
    if (requests_ != nullptr) return requests_->atomic(word.address(), width, add, a, b);
    gpu::atomic(word.address(), width, add, a, b, mine_.slot.data(), mine_.main);
    mine_.user->wait_until([&](wait_context&) { return mine_.main.idle(); },
                           {"an atomic operation", peer_});
    return *mine_.slot.data();
  }
  /// The rank waits for its own streams.
  bool complete() override { return requests_ == nullptr || requests_->idle(); }
  [[nodiscard]] completion completes() const override { return completion::stream; }

 private:
  fabric_resources::per_rank& mine_;
  resting_place& sleeper_;
  std::unique_ptr<owner_requests> requests_;
  int peer_;
};

class host_channel final : public channel {
 public:
  host_channel(const device& target, fabric_resources& resources, int from, int to)
      : mine_(resources.ranks[static_cast<std::size_t>(from)]),
        sleeper_(resources.ranks[static_cast<std::size_t>(to)].bed),
        proxy_(target, stream::priority::high),
        result_(memory_kind::pinned, -1, 1),
        peer_(to) {}
  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override {
    copy_bytes(to.address(), from, bytes, proxy_, copier::engine);
    finish();
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream&) override {
    copy_bytes(to, from.address(), bytes, proxy_, copier::engine);
    finish();
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override {
    if (in_host_memory(counter)) {
      raise_word(*counter_of(counter), value, op);
      return sleeper_.wake();
    }
    gpu::raise(counter_of(counter), value, op == signal_op::add, proxy_);
    finish();
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    if (in_host_memory(word)) return atomic_word(word.address(), width, add, a, b);
    gpu::atomic(word.address(), width, add, a, b, result_.data(), proxy_);
    finish();
    return *result_.data();
  }
  /// False only after a wait that failed: the end of a run looks once more.
  bool complete() override { return proxy_.idle(); }

 private:
  void finish() {
    mine_.user->wait_until([&](wait_context&) { return proxy_.idle(); },
                           {"a copy or an atomic operation", peer_});
  }
  fabric_resources::per_rank& mine_;
  resting_place& sleeper_;
  stream proxy_;
  buffer<std::uint64_t> result_;
  int peer_;
};

}  // namespace

std::unique_ptr<channel> make(const machine& m, fabric_resources& resources, int from, int to) {
  if (!m[from].is_cuda()) return std::make_unique<host_channel>(m[to], resources, from, to);
  const auto& pair = m.between(from, to);
  std::unique_ptr<owner_requests> requests;
  if (m[to].is_cuda() && !pair.atomic)
    requests = std::make_unique<owner_requests>(
        m[from], m[to], resources.ranks[static_cast<std::size_t>(from)], to);
  return std::make_unique<gpu_channel>(resources, from, to, std::move(requests));
}

}  // namespace gossamer::peer
