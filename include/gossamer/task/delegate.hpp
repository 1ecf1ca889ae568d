// Delegates: operations that run where their data is. What their messages have in common.
//
// An operation is a function object of at most `largest_operation` bytes that is trivially copyable
// (a lambda that captures values): its bytes travel. A pointer or a reference in it would mean
// another rank's memory; global addresses mean the same everywhere. What it returns is trivially
// copyable, too.
//
// Each type of operation has a number, given before main() in the order in which the program's
// parts are initialised. It is the same on every rank that runs the same program, wherever the
// system loads it. global_tasks compares fingerprints of the numbering and refuses ranks that
// differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <typeinfo>

#include "gossamer/task/message_run.hpp"
#include "gossamer/task/waiter.hpp"

namespace gossamer {

class global_tasks;

namespace delegated {

constexpr std::size_t largest_operation = 1024;  ///< bytes, also of a result

/// What the messages of a run do on the rank that gets them.
using handler = void (*)(global_tasks& here, int from, const message_run& run);
/// Fetches what the first messages of a run will touch, run.fetched() of them; they are served a
/// little later. Null: nothing to fetch.
using prefetcher = void (*)(global_tasks& here, const message_run& run);
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

/// The number of Kind, which has serve(here, from, message) for one message and, where it pays,
/// prefetch(here, message). A run is one loop, into which both are inlined.
template <class Kind>
struct number_of {
  static constexpr bool fetches = requires { &Kind::prefetch; };
  static void serve(global_tasks& here, int from, const message_run& run) {
    const std::size_t bytes = run.shape.bytes;
    for (std::size_t i = 0; i < run.count; ++i) {
      if constexpr (fetches)
        if (i + message_run::ahead < run.count) Kind::prefetch(here, run[i + message_run::ahead]);
      Kind::serve(here, from, std::span(run[i], bytes));
    }
  }
  static void prefetch(global_tasks& here, const message_run& run) {
    if constexpr (fetches)
      for (std::size_t i = 0; i < run.fetched(); ++i) Kind::prefetch(here, run[i]);
  }
  // Throws where there are too many kinds, before main(): the program could not run.
  // NOLINTNEXTLINE(bugprone-throwing-static-initialization)
  static inline const std::uint16_t value =
      add_kind({&serve, fetches ? &prefetch : nullptr, typeid(Kind).name()});
};

inline constexpr wait_kind replying{"delegate"}, sending{"room for a message"};

/// A message that a task wants to send, in the frame of that task. The task waits for room where
/// there is none, and for the reply if it is to have one.
struct request : waiter {
  request(const wait_kind& what, int rank, message_shape of,
          void (*writer)(const request&, std::byte*), void* reply = nullptr,
          std::size_t reply_bytes = 0) noexcept
      : waiter(what),
        to(rank),
        shape(of),
        write(writer),
        result(reply),
        result_bytes(reply_bytes) {}
  [[nodiscard]] bool has_reply() const noexcept { return kind == &replying; }

  int to;
  message_shape shape;
  void (*write)(const request&, std::byte* at);
  void* result;  ///< where the reply's value goes
  std::size_t result_bytes;
  std::exception_ptr error;  ///< what the operation threw
};

}  // namespace delegated
}  // namespace gossamer
