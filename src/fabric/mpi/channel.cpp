// Transport `mpi`. Processes that share memory: the channel of `threads`, on memory mapped in both.
// Others: each operation becomes a record in a message to the owner of the memory.
//
// A put waits in a batch for the signal that usually follows, so that both travel in one message;
// it goes out with the next fabric call that is no put. Sources are copied: they may be reused at
// once.
#include "fabric/channel.hpp"

#include <algorithm>

#include "fabric/mpi/carrier.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t chunk = std::size_t{256} << 10;
constexpr std::uint64_t most_unapplied = 256;  ///< messages on their way to one peer

class message_channel final : public channel {
 public:
  message_channel(process_carrier& carrier, fabric_resources::per_rank& mine, int to)
      : carrier_(carrier), mine_(mine), to_(to) {}

  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override {
    const auto* data = static_cast<const std::byte*>(from);
    for (std::size_t at = 0; at < bytes; at += chunk) {
      make_room();
      auto o = about(operation::what::put, to, at);
      o.a = std::min(chunk, bytes - at);
      carrier_.add(to_, o, data + at, o.a);
    }
  }
  void get(void* to, const remote& from, std::size_t bytes, const stream&) override {
    auto* into = static_cast<std::byte*>(to);
    for (std::size_t at = 0; at < bytes; at += chunk) {
      auto o = about(operation::what::get, from, at);
      o.a = std::min(chunk, bytes - at);
      ask(o, into + at, o.a, "get");
    }
  }
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override {
    make_room();
    auto o = about(operation::what::raise, counter, 0);
    o.a = value;
    o.set = op == signal_op::set ? 1 : 0;
    carrier_.add(to_, o);
    carrier_.push(to_);
  }
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    auto o = about(add ? operation::what::add : operation::what::swap, word, 0);
    o.width = static_cast<std::uint8_t>(width);
    o.a = a;
    o.b = b;
    std::uint64_t old = 0;
    ask(o, &old, sizeof old, add ? "fetch_add" : "compare_and_swap");
    return old;
  }
  bool complete() override {
    carrier_.enter(to_, true);
    return carrier_.unapplied(to_) == 0;
  }

 private:
  static operation about(operation::what action, const remote& place, std::size_t further) {
    operation o;
    o.action = action;
    o.where = static_cast<std::uint8_t>(place.table->where);
    o.offset = place.part().at + place.offset + further;
    return o;
  }
  void make_room() {
    if (carrier_.unapplied(to_) < most_unapplied) return;
    mine_.user->wait_until([&](wait_context&) { return carrier_.unapplied(to_) < most_unapplied; },
                           {"earlier puts to be applied", to_});
  }
  void ask(operation& o, void* into, std::size_t bytes, const char* what) {
    o.token = carrier_.expect(into, bytes);
    struct forgetting {
      process_carrier& carrier;
      ~forgetting() { carrier.forget(); }
    } const at_the_end{carrier_};
    carrier_.add(to_, o);
    carrier_.push(to_);
    mine_.user->wait_until([&](wait_context&) { return carrier_.replied(); }, {what, to_});
  }

  process_carrier& carrier_;
  fabric_resources::per_rank& mine_;
  int to_;
};

}  // namespace

std::unique_ptr<channel> make(const machine& m, fabric_resources& resources, int from, int to) {
  if (m.between(from, to).shares_host) return threads::make(m, resources, from, to);
  return std::make_unique<message_channel>(static_cast<process_carrier&>(*resources.carrier),
                                           resources.ranks[static_cast<std::size_t>(from)], to);
}

}  // namespace gossamer::mpi
