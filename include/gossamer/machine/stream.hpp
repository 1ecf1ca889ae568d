// Streams and events: the order in which a device works, and moments in it.
//
// A stream of a CUDA device is a cudaStream_t; on a CPU team work is done when it is submitted, so
// its stream is always idle. Code written for both calls the same functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

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
  /// True when everything submitted so far is done; throws what the device reports.
  [[nodiscard]] bool idle() const;

 private:
  void* native_ = nullptr;
  int ordinal_ = -1;
};

/// A moment in a stream, recorded and reused. Taken from an event_pool.
class event {
 public:
  event() = default;
  explicit event(int ordinal);  ///< ordinal < 0: CPU
  event(event&& other) noexcept;
  event& operator=(event&& other) noexcept;
  ~event();
  void record(const stream& s);
  [[nodiscard]] bool done() const;
  /// Makes `s` wait for this moment without blocking the caller.
  void block(const stream& s) const;
  /// Milliseconds from `earlier` to this moment, both done, on the device's clock.
  [[nodiscard]] double milliseconds_since(const event& earlier) const;

 private:
  void* native_ = nullptr;
  int ordinal_ = -1;
  std::chrono::steady_clock::time_point when_{};
};

/// Pre-allocated events, so that the hot path creates none. Thread-safe.
class event_pool {
 public:
  explicit event_pool(const device& d, std::size_t reserve = 64);
  event take();
  void give(event e);

 private:
  std::mutex mutex_;
  std::vector<event> free_;
  int ordinal_;
};

/// An event that somebody will record later: awaitable by threads and by streams before it exists
/// (Groute's event-future). Copies share the state.
class event_future {
 public:
  event_future();
  /// Fulfils the future with a moment of `s`; once only.
  void record(event_pool& pool, const stream& s);
  /// Fulfils it as failed: waiters get the exception.
  void fail(std::exception_ptr why);
  /// Blocks the calling thread until recorded and reached; throws rank_error after the deadline.
  void wait(std::chrono::nanoseconds deadline) const;
  /// Blocks until recorded, then lets `s` wait for the moment.
  void block(const stream& s, std::chrono::nanoseconds deadline) const;
  [[nodiscard]] bool recorded() const;
  [[nodiscard]] bool done() const;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace gossamer
