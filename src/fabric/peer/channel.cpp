// Transport `peer`: at least one side is a GPU of this process and the pair reaches each other.
//
//   GPU -> GPU   copy engine in the rank's stream, signals by a kernel in the same stream
//   GPU -> host  the same; `add` on host counters is done by the CPU in stream order, because GPU
//                atomics on host memory are not atomic against the CPU's on every PCIe system
//   CPU -> GPU   the CPU drives the target's copy engine and waits for it: immediate
#include "fabric/channel.hpp"

#include "fabric/gpu_operations.hpp"
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
  explicit gpu_channel(fabric_resources::per_rank& mine) : mine_(mine) {}
  void put(const remote& to, const void* from, std::size_t bytes, const stream& on) override {
    gpu::copy(to.address(), from, bytes, on);
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream& on) override {
    gpu::copy(to, from.address(), bytes, on);
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream& on) override {
    if (op == signal_op::add && in_host_memory(counter))
      gpu::raise_by_host(counter_of(counter), value, on);
    else
      gpu::raise(counter_of(counter), value, op == signal_op::add, on);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    if (in_host_memory(word)) return atomic_word(word.address(), width, add, a, b);
    gpu::atomic(word.address(), width, add, a, b, mine_.slot.data(), mine_.main);
    while (!mine_.main.idle()) continue;
    return *mine_.slot.data();
  }
  bool complete() override { return true; }  // the rank waits for its streams

 private:
  fabric_resources::per_rank& mine_;
};

class host_channel final : public channel {
 public:
  host_channel(const device& target)
      : proxy_(target, stream::priority::high), result_(memory_kind::pinned, -1, 1) {}
  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override {
    gpu::copy(to.address(), from, bytes, proxy_);
    finish();
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream&) override {
    gpu::copy(to, from.address(), bytes, proxy_);
    finish();
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override {
    if (in_host_memory(counter)) return raise_word(*counter_of(counter), value, op);
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
  bool complete() override { return true; }

 private:
  void finish() {
    while (!proxy_.idle()) continue;
  }
  stream proxy_;
  buffer<std::uint64_t> result_;
};

}  // namespace

std::unique_ptr<channel> make(const machine& m, fabric_resources& resources, int from, int to) {
  if (m[from].is_cuda()) return std::make_unique<gpu_channel>(resources.ranks[from]);
  return std::make_unique<host_channel>(m[to]);
}

}  // namespace gossamer::peer
