// Words that are full or empty, as the Cray MTA's: reading can wait for a value, writing for room.
//
//   full_empty<int> word;                       // empty
//   co_await word.write_ef(7);                  // waits until empty, writes, leaves it full
//   int x = co_await word.read_fe();            // waits until full, reads, leaves it empty
//
// A task that has to wait queues on the word; the core goes on with other tasks. Words belong to
// one scheduler, whose core alone touches them: no atomic operation, no lock. What another core
// wants of a word is asked of its owner.
//
// | operation | waits until | value  | leaves |
// |-----------|-------------|--------|--------|
// | read_fe   | full        | read   | empty  |
// | read_ff   | full        | read   | full   |
// | read_xx   | -           | read   | as is  |
// | write_ef  | empty       | write  | full   |
// | write_ff  | full        | write  | full   |
// | write_xf  | -           | write  | full   |
// | reset_xe  | -           | T()    | empty  |
//
// Those who wait for the same state are served in the order in which they came, and get their value
// handed over: nobody who comes later can take it from them.
#pragma once

#include <type_traits>
#include <utility>

#include "gossamer/task/full_empty_storage.hpp"
#include "gossamer/task/scheduler.hpp"

namespace gossamer {

namespace word_operations {
inline constexpr word_operation read_fe{{"readFE"}, true, false, true};
inline constexpr word_operation read_ff{{"readFF"}, true, false};
inline constexpr word_operation write_ef{{"writeEF"}, false, true};
inline constexpr word_operation write_ff{{"writeFF"}, true, true};
}  // namespace word_operations

/// A full/empty word of type T; `Storage` says where the bit and the queue lie: beside the value
/// (`separate_state<T>`), or in the low bits of a pointer to T (`packed_pointer<T>`, 8 bytes in
/// all).
template <class T, template <class> class Storage = separate_state>
class full_empty {
 public:
  using value_type = typename Storage<T>::value_type;
  static_assert(std::is_trivially_copyable_v<value_type>);

  full_empty() noexcept = default;  ///< empty
  explicit full_empty(value_type full) noexcept { state_.fill(full); }
  full_empty(const full_empty&) = delete;
  full_empty& operator=(const full_empty&) = delete;

  [[nodiscard]] bool full() const noexcept { return state_.full(); }

  /// Awaiter of the four operations that may wait.
  class operation : Storage<T>::waiting_task {
   public:
    bool await_ready() noexcept {
      if (word().full() != this->what().wants_full) return false;
      if (this->what().writes)
        word().become_full(this->value);
      else
        this->value = word().state_.value();
      if (this->what().empties) word().become_empty();
      return true;
    }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
      word().state_.push(*this);
      return h.promise().home().suspend(*this, h.promise());
    }
    /// What was read, or written.
    value_type await_resume() const noexcept { return this->value; }

   private:
    friend class full_empty;
    operation(const word_operation& what, full_empty& word, value_type v = {}) noexcept
        : Storage<T>::waiting_task(what, &word, v) {}
    full_empty& word() const noexcept {
      return *static_cast<full_empty*>(const_cast<void*>(this->on));
    }
  };

  // What may wait is awaited.
  [[nodiscard]] operation read_fe() noexcept { return {word_operations::read_fe, *this}; }
  [[nodiscard]] operation read_ff() noexcept { return {word_operations::read_ff, *this}; }
  [[nodiscard]] operation write_ef(value_type v) noexcept {
    return {word_operations::write_ef, *this, v};
  }
  [[nodiscard]] operation write_ff(value_type v) noexcept {
    return {word_operations::write_ff, *this, v};
  }

  // What does not, is not.
  [[nodiscard]] value_type read_xx() const noexcept { return state_.value(); }
  void write_xf(value_type v) noexcept { become_full(v); }
  void reset_xe() noexcept {
    const bool was_full = state_.full();
    state_.fill(value_type());
    was_full ? become_empty() : state_.empty();
  }

 private:
  /// Those who waited for a full word have a turn each, until one empties it.
  void become_full(value_type v) noexcept {
    const bool was_empty = !state_.full();
    state_.fill(v);
    while (was_empty && state_.full() && state_.awaited()) {
      auto& w = state_.pop();
      if (w.what().writes)
        state_.fill(w.value);
      else
        w.value = state_.value();
      if (w.what().empties) state_.empty();
      w.task->home().resume(w);
    }
  }
  /// The first who waited for an empty word fills it again.
  void become_empty() noexcept {
    const bool was_full = state_.full();
    state_.empty();
    if (!was_full || !state_.awaited()) return;
    auto& w = state_.pop();
    state_.fill(w.value);
    w.task->home().resume(w);
  }

  Storage<T> state_;
};

}  // namespace gossamer
