// In place of the header of this name, whose loads and stores are PTX. Its folder comes first among
// those that are searched.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "device.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace emulated {

/// Shared by blocks, of a test: not 0 once the run is over. Null: it never is.
inline const std::uint32_t* over = nullptr;

}  // namespace emulated

namespace gossamer {

namespace device_detail {

template <class T>
T load_acquire(const T* word) {
  T value;
  emulated::sometimes();
  __atomic_load(word, &value, __ATOMIC_ACQUIRE);
  return value;
}
template <class T>
T load_relaxed(const T* word) {
  return load_acquire(word);
}
template <class T>
T load_acquire_on_device(const T* word) {
  return load_acquire(word);
}
template <class T>
T load_relaxed_on_device(const T* word) {
  return load_acquire(word);
}
template <class T>
T load_relaxed_in_block(const T* word) {
  T value;
  __atomic_load(word, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
void store_relaxed(T* word, T value) {
  __atomic_store(word, &value, __ATOMIC_RELAXED);
}
/// Two words at once, each whole.
inline void store_relaxed(std::uint64_t* words, std::uint64_t a, std::uint64_t b) {
  store_relaxed(words, a);
  emulated::sometimes();
  store_relaxed(words + 1, b);
}
inline void load_relaxed(const std::uint64_t* words, std::uint64_t& a, std::uint64_t& b) {
  a = load_acquire(words);
  b = load_acquire(words + 1);
}
template <class T>
void store_release(T* word, T value) {
  __atomic_store(word, &value, __ATOMIC_RELEASE);
}
template <class T>
void store_release_on_device(T* word, T value) {
  store_release(word, value);
}
inline std::uint32_t fetch_add_on_device(std::uint32_t* word, std::uint32_t operand) {
  return __atomic_fetch_add(word, operand, __ATOMIC_ACQ_REL);
}
inline std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t operand) {
  emulated::sometimes();
  return __atomic_fetch_add(word, operand, __ATOMIC_ACQ_REL);
}
inline std::uint64_t compare_and_swap(std::uint64_t* word, std::uint64_t expected,
                                      std::uint64_t desired) {
  emulated::sometimes();
  __atomic_compare_exchange(word, &expected, &desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}
inline std::uint64_t global_timer() {
  static std::uint64_t calls = 0;
  return ++calls;
}

}  // namespace device_detail

class device_wait_bound {
 public:
  device_wait_bound(const device_guard&, int) {}
  bool expired() {
    emulated::take_turns();
    return ++polls_ > 100'000'000 || is_over();
  }
  void blame(int) {}
  void give_up(std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t) const {
    if (is_over()) return;
    std::fputs("a rank was waited for in vain\n", stderr);
    std::exit(1);
  }

 private:
  static bool is_over() {
    return emulated::over != nullptr && device_detail::load_acquire(emulated::over) != 0;
  }
  long polls_ = 0;
};

}  // namespace gossamer
