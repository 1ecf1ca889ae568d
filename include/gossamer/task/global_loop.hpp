// parallel_for over a global array: each iteration is a task that runs where its element is.
//
//   co_await parallel_for(g, words, 0, n, {}, [=](global_tasks& there, std::int64_t i, word& w)
//       -> task<> { w = co_await there.call(other[i], …); });
//
// One task begins the loop and waits for its end; the loop's tasks run on every rank that owns a
// part of the range, `in_flight` of them on each. An iteration may wait: for other ranks' memory,
// for full/empty words, for its turn.
#pragma once

#include <type_traits>

#include "gossamer/task/global_tasks.hpp"
#include "gossamer/task/parallel_for.hpp"

namespace gossamer {
namespace detail {

/// An owner's part, as it travels to the owner.
template <class T, class Body>
struct owners_part {
  global_address<T> array;
  std::int64_t first, last;
  loop_options options;
  Body body;

  task<> operator()(global_tasks& here) const { return run(here, *this); }
  static task<> run(global_tasks& here, owners_part part) {
    const auto mine = here.heap().array_of(part.array);
    const auto& layout = mine.layout();
    // This rank's elements of the range lie behind each other.
    std::int64_t begin = 0, end = 0;
    layout.for_each_run(here.id(), part.first, part.last,
                        [&](std::int64_t, std::int64_t local, std::int64_t n) {
                          if (begin == end) begin = local;
                          end = local + n;
                        });
    const auto chunk = [&](std::int64_t from, std::int64_t to) -> task<> {
      for (std::int64_t at = from; at < to; ++at)
        co_await part.body(here, layout.global(here.id(), at),
                           mine.local()[static_cast<std::size_t>(at)]);
    };
    co_await parallel_for(here.local(), begin, end, part.options, chunk);
  }
};

template <class T, class Body>
task<> run_part(global_tasks& g, int owner, owners_part<T, Body> part) {
  co_await g.call_task_on(owner, part);
}

}  // namespace detail

/// Runs `body(there, index, element)`, a task, for the elements first … last - 1 of the array, each
/// at its owner; awaited by one task, it ends when all have. `body` travels: a function object,
/// trivially copyable, without pointers. usage_error for a range outside of the array, and for
/// options that are not positive. After an iteration has thrown its rank begins no further one, and
/// the loop throws what it threw (of another rank: rank_error with its text).
template <class T, class Body>
requires(std::is_trivially_copyable_v<Body>&& std::is_class_v<Body>) task<> parallel_for(
    global_tasks& g, global_array<T> array, std::int64_t first, std::int64_t last,
    loop_options options, Body body) {
  require(options.chunk > 0 && options.in_flight > 0,
          "parallel_for: chunk and in_flight must be positive");
  require(first >= 0 && last <= array.size(), "parallel_for: a range outside of its array");
  task_group parts(g.local());
  for (int owner = 0; owner < g.size(); ++owner) {
    bool owns = false;
    array.layout().for_each_run(owner, first, last,
                                [&](std::int64_t, std::int64_t, std::int64_t) { owns = true; });
    if (owns)
      parts.spawn(detail::run_part(
          g, owner, detail::owners_part<T, Body>{array.begin(), first, last, options, body}));
  }
  co_await parts.join();
}

}  // namespace gossamer
