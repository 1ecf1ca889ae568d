// Atomic operations on plain words, as a policy: signals, rings and counters take `Atomics` as a
// template parameter, so that the shipped code can also run under a controlled scheduler, which
// supplies a policy that switches tasks at every operation.
//
// Only release/acquire operations, no stand-alone fences: ThreadSanitizer understands the former.
#pragma once

#include <atomic>

namespace gossamer {

/// The policy everything uses outside model checks.
struct std_atomics {
  template <class T>
  static T load_relaxed(const T& word) {
    return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_relaxed);
  }
  template <class T>
  static T load_acquire(const T& word) {
    return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_acquire);
  }
  template <class T>
  static void store_relaxed(T& word, T value) {
    std::atomic_ref<T>(word).store(value, std::memory_order_relaxed);
  }
  template <class T>
  static void store_release(T& word, T value) {
    std::atomic_ref<T>(word).store(value, std::memory_order_release);
  }
  template <class T>
  static T fetch_add(T& word, T operand) {
    return std::atomic_ref<T>(word).fetch_add(operand, std::memory_order_acq_rel);
  }
  /// Returns the value before; stored `desired` if it was `expected`.
  template <class T>
  static T compare_and_swap(T& word, T expected, T desired) {
    std::atomic_ref<T>(word).compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
    return expected;
  }
};

/// For words that one thread alone uses: the same code without the cost of atomic operations.
struct unshared_words {
  template <class T>
  static T load_relaxed(const T& word) {
    return word;
  }
  template <class T>
  static T load_acquire(const T& word) {
    return word;
  }
  template <class T>
  static void store_relaxed(T& word, T value) {
    word = value;
  }
  template <class T>
  static void store_release(T& word, T value) {
    word = value;
  }
  template <class T>
  static T fetch_add(T& word, T operand) {
    const T before = word;
    word += operand;
    return before;
  }
  template <class T>
  static T compare_and_swap(T& word, T expected, T desired) {
    const T before = word;
    if (before == expected) word = desired;
    return before;
  }
};

}  // namespace gossamer
