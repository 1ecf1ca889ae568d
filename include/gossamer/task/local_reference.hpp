// Split-phase references to memory of this machine: issue, yield, complete.
//
//   local_reference<node> r(p);
//   r.issue_read();                    // a prefetch; returns at once
//   co_await yield_now();              // the other tasks' turn: the memory's latency is theirs
//   node n = r.complete();             // a load that hits the cache
//
// or, in one expression, `node n = co_await r.read()`. With enough tasks in the round the core has
// as many misses under way as its line fill buffers hold, and waits for none of them.
//
// Read-modify-write operations fetch the line for ownership first, then yield, and then read and
// change the word: no other task of this core can come between. They are not atomic against other
// cores.
#pragma once

#include <coroutine>

#include "gossamer/task/scheduler.hpp"

namespace gossamer {

template <class T>
class local_reference {
 public:
  explicit local_reference(T* at) noexcept : at_(at) {}

  // The three phases by hand. T may be larger than a cache line: only its first is fetched.
  void issue_read() const noexcept { __builtin_prefetch(at_, 0); }
  /// For ownership, so that the store needs no second trip.
  void issue_write() const noexcept { __builtin_prefetch(at_, 1); }
  [[nodiscard]] T& complete() const noexcept { return *at_; }

  // All three at once. Each `co_await` gives the others a turn, the non-blocking atomics too.
  [[nodiscard]] auto read() const noexcept {
    return after_fetching<0>(at_, [](T& word) { return word; });
  }
  [[nodiscard]] auto write(T value) const noexcept {
    return after_fetching<1>(at_, [value](T& word) { word = value; });
  }
  /// The value before.
  [[nodiscard]] auto fetch_add(T operand) const noexcept {
    return after_fetching<1>(at_, [operand](T& word) {
      const T before = word;
      word = static_cast<T>(before + operand);
      return before;
    });
  }
  /// The value before; `desired` was stored if that was `expected`.
  [[nodiscard]] auto compare_and_swap(T expected, T desired) const noexcept {
    return after_fetching<1>(at_, [expected, desired](T& word) {
      const T before = word;
      if (before == expected) word = desired;
      return before;
    });
  }

 private:
  template <int ForOwnership, class Then>
  struct fetching {
    fetching(T* word, Then what) noexcept : at(word), then(what) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
      __builtin_prefetch(at, ForOwnership);
      return h.promise().home().yield(h.promise());
    }
    auto await_resume() const noexcept { return then(*at); }
    T* at;
    Then then;
  };
  template <int ForOwnership, class Then>
  static fetching<ForOwnership, Then> after_fetching(T* at, Then then) {
    return {at, then};
  }

  T* at_;
};

}  // namespace gossamer
