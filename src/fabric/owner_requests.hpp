// Atomics on a GPU that this rank's kernels cannot reach with atomics of their own: requests that
// the owner's device applies, as kernels on a stream there. All of them, whoever asks, are then
// atomics of one GPU on its own memory.
//
// Ordering: a request waits for the event of everything before it in the asking stream, so it comes
// after earlier puts of that stream; requests of one rank towards one device share a stream.
#pragma once

#include <memory>

#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"

namespace gossamer {

class owner_requests {
 public:
  /// Of the rank whose streams are `mine`, on device `self`, to rank `peer` on device `owner`.
  owner_requests(const device& self, const device& owner, fabric_resources::per_rank& mine,
                 int peer)
      : mine_(mine),
        stream_(mine.proxy(owner)),
        result_(memory_kind::pinned, -1, 1),
        order_(self.ordinal),
        back_(owner.ordinal),
        peer_(peer) {}

  /// The stream on the owner's device, for copies that must keep the order with requests.
  [[nodiscard]] const stream& there() const noexcept { return *stream_; }
  /// Requests submitted later wait for what is in `on` now.
  void after(const stream& on) {
    order_.record(on);
    order_.block(*stream_);
  }
  /// Work submitted to `on` later waits for the requests submitted so far.
  void before(const stream& on) {
    back_.record(*stream_);
    back_.block(on);
  }
  void raise(std::uint64_t* counter, std::uint64_t value, signal_op op, const stream& on) {
    after(on);
    gpu::raise(counter, value, op == signal_op::add, *stream_);
  }
  /// Blocks; as channel::atomic.
  std::uint64_t atomic(void* word, int width, bool add, std::uint64_t a, std::uint64_t b) {
    gpu::atomic(word, width, add, a, b, result_.data(), *stream_);
    mine_.user->wait_until([&](wait_context&) { return stream_->idle(); },
                           {"an atomic operation", peer_});
    return *result_.data();
  }
  [[nodiscard]] bool idle() const { return stream_->idle(); }

 private:
  fabric_resources::per_rank& mine_;
  std::shared_ptr<stream> stream_;
  buffer<std::uint64_t> result_;
  event order_, back_;
  int peer_;
};

/// Adds to a counter in host memory by the CPU, in the order of `on`; `sleeper` is its owner's.
inline void add_by_host(fabric_resources::per_rank& mine, std::uint64_t* counter,
                        std::uint64_t value, resting_place& sleeper, const stream& on) {
  auto& prepared = mine.user->free_raise();
  prepared.counter = counter;
  prepared.value = value;
  prepared.sleeper = &sleeper;
  gpu::raise_by_host(prepared, on);
}

}  // namespace gossamer
