// Delegates: operations that run where their data is. What their messages have in common.
//
// An operation is a function object of at most `largest_operation` bytes that is trivially copyable
// (a lambda that captures values): its bytes travel. A pointer or a reference in it would mean
// another rank's memory; global addresses mean the same everywhere. What it returns is trivially
// copyable, too.
//
// Each type of operation has a number, given before main() in the order in which the program's
// parts are initialised: the same on every rank that runs the same program, wherever the system
// loads it. global_tasks compares fingerprints of the numbering and refuses anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <typeinfo>

#include "gossamer/task/waiter.hpp"

namespace gossamer {

class global_tasks;

namespace delegated {

constexpr std::size_t largest_operation = 1024;  ///< bytes, also of a result

/// What a message does on the rank that gets it: `message` is its header and what follows.
using handler = void (*)(global_tasks& here, int from, const std::byte* message);
/// Fetches what the message will touch; it is served a few messages later. Null: nothing to fetch.
using prefetcher = void (*)(global_tasks& here, const std::byte* message);
struct message_kind {
  handler serve;
  prefetcher prefetch;
  const char* name;
};
/// Before main() only; `name` must live as long as the program.
std::uint16_t add_kind(const message_kind& kind);
/// By their numbers.
[[nodiscard]] std::span<const message_kind> kinds();
/// Of all names, in the order of their numbers.
[[nodiscard]] std::uint64_t fingerprint();

/// The number of Kind, which has serve() and, where it pays, prefetch().
template <class Kind>
struct number_of {
  static constexpr prefetcher fetching() {
    if constexpr (requires { &Kind::prefetch; }) return &Kind::prefetch;
    return nullptr;
  }
  static inline const std::uint16_t value =
      add_kind({&Kind::serve, fetching(), typeid(Kind).name()});
};

inline constexpr wait_kind replying{"delegate"}, sending{"room for a message"};

/// A message that a task wants to send, in the frame of that task. The task waits for room where
/// there is none, and for the reply if it is to have one.
struct request : waiter {
  request(const wait_kind& kind, int to, std::size_t bytes,
          void (*write)(const request&, std::byte*), void* result = nullptr,
          std::size_t result_bytes = 0) noexcept
      : waiter(kind),
        to(to),
        bytes(bytes),
        write(write),
        result(result),
        result_bytes(result_bytes) {}
  [[nodiscard]] bool has_reply() const noexcept { return kind == &replying; }

  int to;
  std::size_t bytes;
  void (*write)(const request&, std::byte* at);
  void* result;  ///< where the reply's value goes
  std::size_t result_bytes;
  std::exception_ptr error;  ///< what the operation threw
};

}  // namespace delegated
}  // namespace gossamer
