// channel: how one rank reaches one peer. The interface a transport implements, and nothing else.
//
// To add a transport: a folder with one file that implements `channel`, its function `make` in
// registry.*, the pairs that it serves in machine/links.cpp, and an instantiation of
// tests/conformance/fabric_suite. Ranges are checked before a channel sees them. `on` is the
// calling rank's stream (a CPU stream on CPU ranks: act at once).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/fabric/window.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer {

class machine;
struct fabric_resources;

/// A place in a peer's window: `part` is the peer's, `offset` in bytes.
struct remote {
  const window_table* table;
  int peer;
  std::size_t offset;
  [[nodiscard]] std::byte* address() const { return table->parts[peer].data + offset; }
  [[nodiscard]] const window_table::part& part() const { return table->parts[peer]; }
};

/// What ends a put or get, as a trace sees it.
enum class completion : std::uint8_t {
  call,     ///< the call's return: the bytes have moved, or are in a message
  stream,   ///< the stream that it was given
  arrival,  ///< something later; the channel records its transfers itself
};

class channel {
 public:
  virtual ~channel() = default;
  // --- functions for transports to implement ----------------------------------------------------
  /// Copies `bytes` (> 0) to the peer, ordered in `on`.
  virtual void put(const remote& to, const void* from, std::size_t bytes, const stream& on) = 0;
  virtual void get(void* to, const remote& from, std::size_t bytes, const stream& on) = 0;
  /// Raises a counter after every earlier put of this channel on the same stream (release).
  virtual void raise(const remote& counter, std::uint64_t value, signal_op op,
                     const stream& on) = 0;
  /// put, then raise. For transports whose latency is so short that a second call shows.
  virtual void put_signal(const remote& to, const void* from, std::size_t bytes,
                          const remote& counter, std::uint64_t value, signal_op op,
                          const stream& on) {
    if (bytes != 0) put(to, from, bytes, on);
    raise(counter, value, op, on);
  }
  /// Atomic on a word of `width` 4 or 8 bytes; blocking; the rank's main stream is idle. add:
  /// returns old, stores old + a. Otherwise compare with a, store b.
  virtual std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                               std::uint64_t b) = 0;
  /// True when every put issued so far is visible at the peer. Never blocks.
  virtual bool complete() = 0;
  [[nodiscard]] virtual completion completes() const { return completion::call; }
};

/// Makes the channel of rank `from` towards `to` by the transport the machine's table names. Called
/// once per pair and machine: channels are kept between runs.
std::unique_ptr<channel> make_channel(const machine& m, fabric_resources& resources, int from,
                                      int to);

}  // namespace gossamer
