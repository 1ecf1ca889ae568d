// Transport `threads`: both ranks are CPU teams of this process; a put is a memcpy.
//
// Ordering: the copy happens before the release of the counter in program order, and the waiter
// acquires the counter; nothing else is needed.
#include "fabric/channel.hpp"

#include <cstring>

#include "fabric/run_state.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::threads {

namespace {

class memory_channel final : public channel {
 public:
  explicit memory_channel(resting_place& target) : target_(target) {}
  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override {
    std::memmove(to.address(), from, bytes);  // self-puts may overlap
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream&) override {
    std::memmove(to, from.address(), bytes);
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override {
    raise_word(*reinterpret_cast<std::uint64_t*>(counter.address()), value, op);
    target_.wake();
  }
  void put_signal(const remote& to, const void* from, std::size_t bytes, const remote& counter,
                  std::uint64_t value, signal_op op, const stream& on) override {
    if (bytes == sizeof(std::uint64_t))
      std::memcpy(to.address(), from, sizeof(std::uint64_t));  // one load and one store
    else if (bytes != 0)                                       // nothing may lie nowhere
      std::memmove(to.address(), from, bytes);
    memory_channel::raise(counter, value, op, on);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    return atomic_word(word.address(), width, add, a, b);
  }
  bool complete() override { return true; }

 private:
  resting_place& target_;
};

}  // namespace

std::unique_ptr<channel> make(const machine&, fabric_resources& resources, int, int to) {
  return std::make_unique<memory_channel>(resources.ranks[static_cast<std::size_t>(to)].bed);
}

}  // namespace gossamer::threads
