// Transport `pinned`: two GPUs that cannot address each other (or may not: GOSSAMER_PEER=off). Data
// goes down into pinned host memory on the sender's stream and up from it on a stream of the
// target's device. It goes in chunks, double-buffered, so that both directions of the bus are busy.
//
// Ordering: chunks and signals of a channel go through one proxy stream at the target, in the order
// of submission; each waits for the event of its first half. The sender's stream waits for the
// second half of a chunk only before it overwrites the staging buffer, so `complete()` looks at the
// proxy.
#include <algorithm>
#include <array>

#include "fabric/channel.hpp"
#include "fabric/gpu_operations.hpp"
#include "fabric/owner_requests.hpp"
#include "fabric/run_state.hpp"
#include "fabric/staging.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::pinned {

namespace {

constexpr std::size_t chunk = pinned_half;

class staged_channel final : public channel {
 public:
  staged_channel(const device& self, const device& target, fabric_resources& resources, int from,
                 int to)
      : mine_(resources.ranks[static_cast<std::size_t>(from)]),
        sleeper_(resources.ranks[static_cast<std::size_t>(to)].bed),
        requests_(self, target, mine_, to),
        proxy_(requests_.there()),
        staging_(memory_kind::pinned, -1, pinned_halves * chunk) {
    for (int i = 0; i < 2; ++i) {
      near_[i] = event(self.ordinal);
      far_[i] = event(target.ordinal);
    }
  }

  void put(const remote& to, const void* from, std::size_t bytes, const stream& on) override {
    if (in_host_memory(to)) return copy_bytes(to.address(), from, bytes, on);
    auto* source = static_cast<const std::byte*>(from);
    for (std::size_t at = 0; at < bytes; at += chunk)
      relay(to.address() + at, source + at, std::min(chunk, bytes - at), on, near_, proxy_, far_);
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream& on) override {
    if (in_host_memory(from)) return copy_bytes(to, from.address(), bytes, on);
    requests_.after(on);  // after earlier work of the stream, as for any operation
    auto* target = static_cast<std::byte*>(to);
    for (std::size_t at = 0; at < bytes; at += chunk)
      relay(target + at, from.address() + at, std::min(chunk, bytes - at), proxy_, far_, on, near_);
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream& on) override {
    auto* word = reinterpret_cast<std::uint64_t*>(counter.address());
    if (in_host_memory(counter)) {
      // Puts to host memory ran on `on`, puts to the device on the proxy: after both.
      requests_.before(on);
      if (op == signal_op::add) return add_by_host(mine_, word, value, sleeper_, on);
      return gpu::raise(word, value, false, on);
    }
    requests_.raise(word, value, op, on);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    if (in_host_memory(word)) return atomic_word(word.address(), width, add, a, b);
    return requests_.atomic(word.address(), width, add, a, b);
  }
  bool complete() override { return proxy_.idle(); }
  /// The way down; the way up, on the proxy, runs beside the next chunk's.
  [[nodiscard]] completion completes() const override { return completion::stream; }

 private:
  static bool in_host_memory(const remote& place) {
    return place.part().kind != memory_kind::device;
  }
  // The proxy's stream waits for this rank's, so it must not keep an engine from its own rank.
  copier by(const stream& on) const { return &on == &proxy_ ? copier::kernel : copier::automatic; }
  // One chunk: `first` copies into staging, `second` out of it, with events on both sides.
  void relay(void* to, const void* from, std::size_t bytes, const stream& first,
             std::array<event, 2>& first_done, const stream& second,
             std::array<event, 2>& second_done) {
    int i = turn_;
    turn_ ^= 1;
    std::byte* stage = staging_.data() + i * chunk;
    if (used_[i]) last_[i]->block(first);  // the buffer's last reader
    copy_bytes(stage, from, bytes, first, by(first));
    first_done[i].record(first);
    first_done[i].block(second);
    copy_bytes(to, stage, bytes, second, by(second));
    second_done[i].record(second);
    last_[i] = &second_done[i];
    used_[i] = true;
  }

  fabric_resources::per_rank& mine_;
  resting_place& sleeper_;
  owner_requests requests_;
  const stream& proxy_;
  buffer<std::byte> staging_;
  std::array<event, 2> near_, far_;
  std::array<event*, 2> last_{};
  std::array<bool, 2> used_{};
  int turn_ = 0;
};

}  // namespace

std::unique_ptr<channel> make(const machine& m, fabric_resources& resources, int from, int to) {
  return std::make_unique<staged_channel>(m[from], m[to], resources, from, to);
}

}  // namespace gossamer::pinned
