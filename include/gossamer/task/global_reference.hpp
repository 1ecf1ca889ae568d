// References to words of the global heap: what local_reference is for memory of this machine.
//
//   global_reference r(g, counters[i]);
//   const std::int64_t before = co_await r.fetch_add(1);
//
// Each operation is a message to the owner and one back. The task waits, and the core belongs to
// the others meanwhile, also where this rank is the owner. The owner's core performs operations one
// after the other, so all are atomic among the tasks of all ranks. A task that needs no answer
// posts (global_tasks::post). One with several words under way issues each and completes them later
// (issued.hpp).
//
// A reference to a full/empty word has that word's seven operations instead, under the same names
// (full_empty.hpp). Who has to wait queues at the owner, where a task waits for him: he and the
// owner's own tasks are served in the order in which they came there.
#pragma once

#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/global_tasks.hpp"
#include "gossamer/task/issued.hpp"

namespace gossamer {

template <class T>
class global_reference {
 public:
  global_reference(global_tasks& g, global_address<T> at) noexcept : g_(&g), at_(at) {}

  [[nodiscard]] auto read() const {
    return g_->call(at_, [](const T& word) { return word; });
  }
  /// Stored when the wait ends.
  [[nodiscard]] auto write(T value) const {
    return g_->call(at_, [value](T& word) { word = value; });
  }
  /// The value before.
  [[nodiscard]] auto fetch_add(T operand) const {
    return g_->call(at_, [operand](T& word) {
      const T before = word;
      word = static_cast<T>(before + operand);
      return before;
    });
  }
  /// The value before; `desired` was stored if that was `expected`.
  [[nodiscard]] auto compare_and_swap(T expected, T desired) const {
    return g_->call(at_, [expected, desired](T& word) {
      const T before = word;
      if (before == expected) word = desired;
      return before;
    });
  }

  // The same in phases: issued now, completed later.
  [[nodiscard]] issued<T> issue_read() const {
    return {g_->local(), [r = *this] { return r.read(); }};
  }
  [[nodiscard]] issued<void> issue_write(T value) const {
    return {g_->local(), [r = *this, value] { return r.write(value); }};
  }
  [[nodiscard]] issued<T> issue_fetch_add(T operand) const {
    return {g_->local(), [r = *this, operand] { return r.fetch_add(operand); }};
  }
  [[nodiscard]] issued<T> issue_compare_and_swap(T expected, T desired) const {
    return {g_->local(),
            [r = *this, expected, desired] { return r.compare_and_swap(expected, desired); }};
  }

 private:
  global_tasks* g_;
  global_address<T> at_;
};

template <class T, template <class> class Storage>
class global_reference<full_empty<T, Storage>> {
 public:
  using word = full_empty<T, Storage>;
  using value_type = typename word::value_type;
  global_reference(global_tasks& g, global_address<word> at) noexcept : g_(&g), at_(at) {}

  // What may wait; each returns what was read, or written.
  [[nodiscard]] auto read_fe() const {
    return g_->call_task(at_, [](word& w) -> task<value_type> { co_return co_await w.read_fe(); });
  }
  [[nodiscard]] auto read_ff() const {
    return g_->call_task(at_, [](word& w) -> task<value_type> { co_return co_await w.read_ff(); });
  }
  [[nodiscard]] auto write_ef(value_type v) const {
    return g_->call_task(at_,
                         [v](word& w) -> task<value_type> { co_return co_await w.write_ef(v); });
  }
  [[nodiscard]] auto write_ff(value_type v) const {
    return g_->call_task(at_,
                         [v](word& w) -> task<value_type> { co_return co_await w.write_ff(v); });
  }

  // What does not wait for a state, though for the reply.
  [[nodiscard]] auto full() const {
    return g_->call(at_, [](const word& w) { return w.full(); });
  }
  [[nodiscard]] auto read_xx() const {
    return g_->call(at_, [](const word& w) { return w.read_xx(); });
  }
  [[nodiscard]] auto write_xf(value_type v) const {
    return g_->call(at_, [v](word& w) { w.write_xf(v); });
  }
  [[nodiscard]] auto reset_xe() const {
    return g_->call(at_, [](word& w) { w.reset_xe(); });
  }

 private:
  global_tasks* g_;
  global_address<word> at_;
};

}  // namespace gossamer
