// process_carrier: operations of other processes on this one's memory, applied in their order.
#include <cstring>

#include "fabric/mpi/carrier.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::mpi {

namespace {

// Words that a rank waits for carry their own flag, so that eight aligned bytes must arrive at
// once; a memcpy promises nothing.
void store_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 64 || bytes % 8 != 0 || reinterpret_cast<std::uintptr_t>(to) % 8 != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, 8);
    std_atomics::store_release(*reinterpret_cast<std::uint64_t*>(to + i), word);
  }
}

}  // namespace

// False while the bytes of a straight put are still to come: the message is offered again, and
// those behind it wait, as do the operations behind the put.
bool process_carrier::apply(int source, std::span<const std::byte> text) {
  auto& peer = peers_[static_cast<std::size_t>(source)];
  auto rest = text.subspan(peer.done);
  while (!rest.empty()) {
    const auto o = take<operation>(rest);
    const std::size_t follows = o.action == operation::what::put ? padded(o.a) : 0;
    if (o.action == operation::what::straight) {
      if (!receive_straight(source, o)) return false;
    } else if (on_device(o)) {
      apply_on_device(source, o, rest);
    } else {
      apply_in_host(source, o, rest);
    }
    rest = rest.subspan(follows);
    peer.done = text.size() - rest.size();
  }
  // Once told that it is applied, the sender takes it to be there.
  if (device_ != nullptr) device_->settle();
  peer.done = 0;
  ++peer.applied;
  return true;
}

std::byte* process_carrier::place_of(const operation& o) {
  auto& mine = run_->resources->ranks[static_cast<std::size_t>(self_)];
  return mine.block(static_cast<home>(o.where)).data() + o.offset;
}

bool process_carrier::on_device(const operation& o) const {
  return device_ != nullptr && static_cast<home>(o.where) == home::native;
}

bool process_carrier::receive_straight(int source, const operation& o) {
  auto& peer = peers_[static_cast<std::size_t>(source)];
  if (!peer.receives) {
    device_->settle();  // MPI writes by streams of its own
    messenger_.receive_straight(source, place_of(o), o.a);
    peer.receives = true;
  }
  if (!messenger_.received_straight(source)) return false;
  peer.receives = false;
  return true;
}

void process_carrier::reply(int to, std::uint32_t token, std::uint64_t old) {
  message text = start(kind::reply);
  append(text, std::uint64_t{token});
  append(text, old);
  post(to, std::move(text));
}

void process_carrier::apply_in_host(int source, const operation& o,
                                    std::span<const std::byte> data) {
  std::byte* at = place_of(o);
  // A counter here may speak of data that went to the device before it.
  if (device_ != nullptr) device_->settle();
  switch (o.action) {
    case operation::what::put:
      store_words(at, data.data(), o.a);
      break;
    case operation::what::raise:
      raise_word(*reinterpret_cast<std::uint64_t*>(at), o.a,
                 o.set != 0 ? signal_op::set : signal_op::add);
      break;
    case operation::what::get: {
      message text = start(kind::reply);
      append(text, std::uint64_t{o.token});
      append_bytes(text, at, o.a);
      post(source, std::move(text));
      break;
    }
    case operation::what::add:
    case operation::what::swap:
      reply(source, o.token, atomic_word(at, o.width, o.action == operation::what::add, o.a, o.b));
      break;
    case operation::what::straight:
      break;  // receive_straight
  }
}

void process_carrier::apply_on_device(int source, const operation& o,
                                      std::span<const std::byte> data) {
  std::byte* at = place_of(o);
  switch (o.action) {
    case operation::what::put:
      device_->write(at, data.first(o.a));
      break;
    case operation::what::raise:
      device_->raise(at, o.a, o.set != 0 ? signal_op::set : signal_op::add);
      break;
    case operation::what::get: {
      message text = start(kind::reply);
      append(text, std::uint64_t{o.token});
      const std::size_t head = text.size();
      text.resize(head + padded(o.a));
      device_->read(text.data() + head, at, o.a);
      post(source, std::move(text));
      break;
    }
    case operation::what::add:
    case operation::what::swap:
      reply(source, o.token,
            device_->atomic(at, o.width, o.action == operation::what::add, o.a, o.b));
      break;
    case operation::what::straight:
      break;  // receive_straight
  }
}

}  // namespace gossamer::mpi
