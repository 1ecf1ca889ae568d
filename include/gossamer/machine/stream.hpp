// Streams and events: the order in which a device works, and moments in it.
//
// A stream of a CUDA device is a cudaStream_t; on a CPU team work is done when it is submitted, so
// its stream is always idle. Code written for both calls the same functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "gossamer/machine/device.hpp"

namespace gossamer {

/// An in-order queue of work on one device. Owns the underlying stream.
class stream {
 public:
  enum class priority : std::uint8_t { normal, high };
  stream() = default;  ///< a CPU stream
  explicit stream(const device& d, priority p = priority::normal);
  stream(stream&& other) noexcept;
  stream& operator=(stream&& other) noexcept;
  ~stream();

  /// cudaStream_t as a void pointer; nullptr on a CPU.
  [[nodiscard]] void* native() const noexcept { return native_; }
  [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
  [[nodiscard]] bool is_cuda() const noexcept { return ordinal_ >= 0; }
  /// Whether the GPU's copy engines work for this stream's rank alone.
  [[nodiscard]] bool own_engines() const noexcept { return own_engines_; }
  /// True when everything submitted so far is done; throws what the device reports.
  [[nodiscard]] bool idle() const;

 private:
  void* native_ = nullptr;
  int ordinal_ = -1;
  bool own_engines_ = true;
};

/// A moment in a stream, recorded and reused. Taken from an event_pool.
class event {
 public:
  event() = default;
  explicit event(int ordinal);  ///< ordinal < 0: CPU
  event(event&& other) noexcept;
  event& operator=(event&& other) noexcept;
  ~event();
  /// Marks the end of the work submitted to `s` so far; `s` must be of the event's device.
  void record(const stream& s);
  /// True when the moment was reached, or none was recorded; throws what the device reports.
  [[nodiscard]] bool done() const;
  /// Makes `s`, of any GPU, wait for this moment without blocking the caller. A CPU stream cannot
  /// be made to wait, so there the caller waits, at most configuration::default_deadline().
  void block(const stream& s) const;
  /// CUDA ordinal, -1 for a CPU.
  [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
  /// Milliseconds from `earlier` to this moment, both done, on the device's clock.
  [[nodiscard]] double milliseconds_since(const event& earlier) const;

 private:
  void* native_ = nullptr;
  int ordinal_ = -1;
  std::chrono::steady_clock::time_point when_{};
};

/// Pre-allocated events, so that the hot path creates none; an empty pool makes more. Thread-safe.
/// Copies share the events, which live until the last copy and the last future that holds one go.
class event_pool {
 public:
  explicit event_pool(const device& d, std::size_t reserve = 64);
  event take();
  /// Takes back an event of this pool's device; its moment is forgotten.
  void give(event e);
  /// Events waiting to be taken.
  [[nodiscard]] std::size_t available() const;
  /// CUDA ordinal of the events, -1 for a CPU.
  [[nodiscard]] int ordinal() const noexcept;

 private:
  struct shelf;
  std::shared_ptr<shelf> shelf_;
};

/// An event that somebody will record later: awaitable by threads and by streams before it exists
/// (Groute's event-future). Copies share the state.
class event_future {
 public:
  event_future();
  /// Fulfils the future with a moment of `s`; once only (usage_error). The event goes back to the
  /// pool when the last copy of the future goes.
  void record(event_pool& pool, const stream& s);
  /// Fulfils it as failed: waiters get the exception. Once only, like record.
  void fail(std::exception_ptr why);
  /// Blocks the calling thread until recorded and reached; throws rank_error after the deadline.
  void wait(std::chrono::nanoseconds deadline) const;
  /// Blocks until recorded, then lets `s` wait for the moment.
  void block(const stream& s, std::chrono::nanoseconds deadline) const;
  /// True once record was called; throws the exception given to fail.
  [[nodiscard]] bool recorded() const;
  /// True once the recorded moment is reached; throws like recorded.
  [[nodiscard]] bool done() const;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace gossamer
