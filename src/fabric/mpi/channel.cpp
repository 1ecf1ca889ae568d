// Transport `mpi`. Processes that share memory: the channel of `threads`, on memory mapped in both.
// Others: messages. GPUs: staged_channel.cpp, but a rank's own windows are as in any process.
#include "fabric/channel.hpp"

#include <algorithm>

#include "fabric/mpi/message_channel.hpp"
#include "fabric/registry.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t chunk = std::size_t{256} << 10;
constexpr std::size_t straight_chunk = std::size_t{1} << 30;  // MPI counts in int
constexpr std::uint64_t most_unapplied = 256;                 ///< messages on their way to one peer

operation about(operation::what action, const remote& place, std::size_t further) {
  operation o;
  o.action = action;
  o.where = static_cast<std::uint8_t>(place.table->where);
  o.offset = place.part().at + place.offset + further;
  return o;
}

}  // namespace

void message_channel::put(const remote& to, const void* from, std::size_t bytes, const stream&) {
  const auto* data = static_cast<const std::byte*>(from);
  for (std::size_t at = 0; at < bytes; at += chunk) {
    make_room();
    auto o = about(operation::what::put, to, at);
    o.a = std::min(chunk, bytes - at);
    carrier_.add(to_, o, data + at, o.a);
  }
}

void message_channel::put_straight(const remote& to, const void* from, std::size_t bytes) {
  const auto* data = static_cast<const std::byte*>(from);
  for (std::size_t at = 0; at < bytes; at += straight_chunk) {
    make_room();
    auto o = about(operation::what::straight, to, at);
    o.a = std::min(straight_chunk, bytes - at);
    carrier_.add_straight(to_, o, data + at);
  }
  mine_.user->wait_until([&](wait_context&) { return carrier_.sent_straight(); },
                         {"a put to be received", to_});
}

void message_channel::get(void* to, const remote& from, std::size_t bytes, const stream&) {
  auto* into = static_cast<std::byte*>(to);
  for (std::size_t at = 0; at < bytes; at += chunk) {
    auto o = about(operation::what::get, from, at);
    o.a = std::min(chunk, bytes - at);
    ask(o, into + at, o.a, "get");
  }
}

void message_channel::raise(const remote& counter, std::uint64_t value, signal_op op,
                            const stream&) {
  make_room();
  auto o = about(operation::what::raise, counter, 0);
  o.a = value;
  o.set = op == signal_op::set ? 1 : 0;
  carrier_.add(to_, o);
  carrier_.push(to_);
}

std::uint64_t message_channel::atomic(const remote& word, int width, bool add, std::uint64_t a,
                                      std::uint64_t b) {
  auto o = about(add ? operation::what::add : operation::what::swap, word, 0);
  o.width = static_cast<std::uint8_t>(width);
  o.a = a;
  o.b = b;
  std::uint64_t old = 0;
  ask(o, &old, sizeof old, add ? "fetch_add" : "compare_and_swap");
  return old;
}

bool message_channel::complete() {
  carrier_.enter(to_, true);
  return carrier_.unapplied(to_) == 0;
}

void message_channel::make_room() {
  if (carrier_.unapplied(to_) < most_unapplied) return;
  mine_.user->wait_until([&](wait_context&) { return carrier_.unapplied(to_) < most_unapplied; },
                         {"earlier puts to be applied", to_});
}

void message_channel::ask(operation& o, void* into, std::size_t bytes, const char* what) {
  o.token = carrier_.expect(into, bytes);
  struct forgetting {
    process_carrier& carrier;
    ~forgetting() { carrier.forget(); }
  } const at_the_end{carrier_};
  carrier_.add(to_, o);
  carrier_.push(to_);
  mine_.user->wait_until([&](wait_context&) { return carrier_.replied(); }, {what, to_});
}

std::unique_ptr<channel> make(const machine& m, fabric_resources& resources, int from, int to) {
  auto& carrier = static_cast<process_carrier&>(*resources.carrier);
  if (m[from].is_cuda() && from == to) return peer::make(m, resources, from, to);
  if (m[from].is_cuda()) return make_staged(carrier, resources, m, from, to);
  if (m.between(from, to).shares_host) return threads::make(m, resources, from, to);
  return std::make_unique<message_channel>(carrier, resources.ranks[static_cast<std::size_t>(from)],
                                           to);
}

}  // namespace gossamer::mpi
