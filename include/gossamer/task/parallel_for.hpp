// Loops whose iterations wait for each other's memory: a few tasks take chunks in turn.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "gossamer/task/task_group.hpp"

namespace gossamer {

struct loop_options {
  std::size_t in_flight = 64;  ///< tasks
  std::int64_t chunk = 1;      ///< iterations that a task takes at a time
};

namespace detail {
struct loop_state {
  std::int64_t next, end, chunk;
  bool failed = false;
};

template <class Body>
task<> run_chunks(loop_state& loop, Body& body) {
  while (loop.next < loop.end && !loop.failed) {
    const std::int64_t first = loop.next;
    loop.next = first + std::min(loop.chunk, loop.end - first);
    const std::int64_t last = loop.next;
    try {
      co_await body(first, last);
    } catch (...) {
      loop.failed = true;
      throw;
    }
  }
}
}  // namespace detail

/// Runs `body(first, last)`, a task, over [begin, end) in chunks, `in_flight` of them at a time;
/// usage_error for a chunk or a number of tasks that is not positive. After a chunk has thrown no
/// further one begins, and the loop throws the same.
template <class Body>
requires std::invocable<Body&, std::int64_t, std::int64_t> task<> parallel_for(
    scheduler& s, std::int64_t begin, std::int64_t end, loop_options options, Body body) {
  require(options.chunk > 0 && options.in_flight > 0,
          "parallel_for: chunk and in_flight must be positive");
  detail::loop_state loop{begin, end, options.chunk};
  const auto chunks = end > begin ? (end - begin - 1) / options.chunk + 1 : 0;
  const auto tasks = std::min(static_cast<std::int64_t>(options.in_flight), chunks);
  task_group group(s);
  for (std::int64_t i = 0; i < tasks; ++i) group.spawn(detail::run_chunks(loop, body));
  co_await group.join();
}

}  // namespace gossamer
