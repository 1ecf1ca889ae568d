// Between GPUs of two processes. Host windows of processes that share memory are reached directly.
// All else goes to the owner of the memory in messages from pinned memory. Large transfers go
// straight from one GPU's memory to the other's if MPI takes GPU addresses.
//
// Ordering: an operation waits (bounded, and serving others) for what its stream holds, then acts.
// Nothing in a stream of an mpi machine waits for another rank, so these waits end. A counter in
// shared host memory is raised directly only when the peer has applied every message; a signal must
// not overtake the data it speaks of.
#include <algorithm>
#include <cstring>

#include "fabric/mpi/message_channel.hpp"
#include "fabric/staging.hpp"
#include "fabric/word_operations.hpp"
#include "machine/gpu_memory.hpp"
#include "machine/process_gpus.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t stage_bytes = mpi_leaving;
// Below it a message costs less than a rendezvous.
constexpr std::size_t shortest_straight = std::size_t{64} << 10;

class staged_channel final : public channel {
 public:
  staged_channel(process_carrier& carrier, fabric_resources::per_rank& mine, const device& self,
                 int to, bool shares_host, bool straight)
      : carrier_(carrier),
        mine_(mine),
        messages_(carrier, mine, to),
        staging_(memory_kind::pinned, self.ordinal, stage_bytes),
        to_(to),
        shares_host_(shares_host),
        straight_(straight) {}

  void put(const remote& to, const void* from, std::size_t bytes, const stream& on) override {
    mine_.user->drain(on);
    if (in_reach(to)) return move(to.address(), from, bytes);
    const bool to_device = to.part().kind == memory_kind::device;
    if (straight_ && to_device && bytes >= shortest_straight)
      return messages_.put_straight(to, from, bytes);
    if (!on_gpu(from)) return messages_.put(to, from, bytes, on);
    const auto* data = static_cast<const std::byte*>(from);
    for (std::size_t at = 0; at < bytes; at += stage_bytes) {
      const std::size_t n = std::min(stage_bytes, bytes - at);
      move(staging_.data(), data + at, n);
      messages_.put({to.table, to.peer, to.offset + at}, staging_.data(), n, on);
    }
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream& on) override {
    mine_.user->drain(on);
    if (in_reach(from)) return move(to, from.address(), bytes);
    if (!on_gpu(to)) return messages_.get(to, from, bytes, on);
    auto* into = static_cast<std::byte*>(to);
    for (std::size_t at = 0; at < bytes; at += stage_bytes) {
      const std::size_t n = std::min(stage_bytes, bytes - at);
      messages_.get(staging_.data(), {from.table, from.peer, from.offset + at}, n, on);
      move(into + at, staging_.data(), n);
    }
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream& on) override {
    mine_.user->drain(on);
    if (!in_reach(counter) || !carrier_.nothing_under_way(to_))
      return messages_.raise(counter, value, op, on);
    raise_word(*reinterpret_cast<std::uint64_t*>(counter.address()), value, op);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    if (in_reach(word)) return atomic_word(word.address(), width, add, a, b);
    return messages_.atomic(word, width, add, a, b);
  }
  bool complete() override { return messages_.complete(); }

 private:
  [[nodiscard]] bool in_reach(const remote& place) const {
    return shares_host_ && place.part().kind != memory_kind::device;
  }
  // The stream of the call is idle: any other will do, and this one nobody else fills.
  void move(void* to, const void* from, std::size_t bytes) {
    if (!on_gpu(to) && !on_gpu(from)) {
      std::memmove(to, from, bytes);
      return;
    }
    copy_bytes(to, from, bytes, mine_.side, copier::engine);
    mine_.user->wait_until([&](wait_context&) { return mine_.side.idle(); },
                           {"a copy", mine_.user->id});
  }

  process_carrier& carrier_;
  fabric_resources::per_rank& mine_;
  message_channel messages_;
  buffer<std::byte> staging_;
  int to_;
  bool shares_host_, straight_;
};

}  // namespace

std::unique_ptr<channel> make_staged(process_carrier& carrier, fabric_resources& resources,
                                     const machine& m, int from, int to) {
  return std::make_unique<staged_channel>(carrier, resources.ranks[static_cast<std::size_t>(from)],
                                          m[from], to, m.between(from, to).shares_host,
                                          processes::gpus().straight);
}

}  // namespace gossamer::mpi
