// Where a full/empty word keeps its bit and its queues: the two forms of paper D.
#pragma once

#include <cstdint>

#include "gossamer/task/waiter.hpp"

namespace gossamer {

/// One of the operations that may wait.
struct word_operation : wait_kind {
  bool wants_full;
  bool writes;
  bool empties = false;  ///< the word, after reading
};

/// A task that waits for a word: what it brings, or gets.
template <class Value>
struct word_waiter : waiter {
  word_waiter(const word_operation& what, const void* word, Value v) noexcept
      : waiter(what, word), value(v) {}
  [[nodiscard]] const word_operation& what() const noexcept {
    return static_cast<const word_operation&>(*kind);
  }
  Value value;
};

/// The bit and the queue beside the value: any trivially copyable T.
///
/// One queue is enough. While a word is full nobody waits for that, so all in the queue wait for it
/// to be empty; and the other way round.
template <class T>
class separate_state {
 public:
  using value_type = T;
  using waiting_task = word_waiter<T>;

  [[nodiscard]] bool full() const noexcept { return full_; }
  [[nodiscard]] T value() const noexcept { return value_; }
  void fill(T v) noexcept {
    value_ = v;
    full_ = true;
  }
  void empty() noexcept { full_ = false; }

  [[nodiscard]] bool awaited() const noexcept { return !queue_.empty(); }
  void push(waiting_task& w) noexcept { queue_.push(w); }
  waiting_task& pop() noexcept { return static_cast<waiting_task&>(queue_.pop()); }

 private:
  T value_{};
  bool full_ = false;
  waiter_queue queue_;
};

/// Eight bytes in all, for pointers to what is aligned to four bytes or more: bit 0 says full, bit
/// 1 that tasks wait. While tasks wait, the word leads to the last of their queue, and the pointer
/// that this displaced lies in the last one's frame.
template <class T>
class packed_pointer {
  static constexpr std::uintptr_t full_bit = 1, awaited_bit = 2, bits = full_bit | awaited_bit;

 public:
  using value_type = T*;
  static_assert(alignof(T) >= 4, "two low bits of a pointer must be free");
  struct waiting_task : word_waiter<T*> {
    using word_waiter<T*>::word_waiter;
    T* displaced = nullptr;  ///< of the last in the queue
  };

  [[nodiscard]] bool full() const noexcept { return (word_ & full_bit) != 0; }
  [[nodiscard]] T* value() const noexcept {
    return awaited() ? last().displaced : reinterpret_cast<T*>(word_ & ~bits);
  }
  void fill(T* v) noexcept {
    if (awaited())
      last().displaced = v;
    else
      word_ = reinterpret_cast<std::uintptr_t>(v);
    word_ |= full_bit;
  }
  void empty() noexcept { word_ &= ~full_bit; }

  [[nodiscard]] bool awaited() const noexcept { return (word_ & awaited_bit) != 0; }
  void push(waiting_task& w) noexcept {
    w.displaced = value();
    waiter_queue queue(awaited() ? &last() : nullptr);
    queue.push(w);
    word_ = reinterpret_cast<std::uintptr_t>(&w) | awaited_bit | (word_ & full_bit);
  }
  waiting_task& pop() noexcept {
    waiting_task& end = last();
    waiter_queue queue(&end);
    auto& first = static_cast<waiting_task&>(queue.pop());
    if (queue.empty()) word_ = reinterpret_cast<std::uintptr_t>(end.displaced) | (word_ & full_bit);
    return first;
  }

 private:
  [[nodiscard]] waiting_task& last() const noexcept {
    return *reinterpret_cast<waiting_task*>(word_ & ~bits);
  }
  std::uintptr_t word_ = 0;
};

}  // namespace gossamer
