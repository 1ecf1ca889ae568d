// What a thread throws, carried to another thread, also where memory is short.
//
// A thread's first throw lays out the C++ library's thread-local data. The C library ends the
// process where it finds no memory for them.
#pragma once

#include <exception>
#include <new>

namespace gossamer {

/// Lays out what the calling thread needs to throw; false where there is no memory for it.
[[nodiscard]] bool ready_to_throw() noexcept;

/// Calls `work` and returns what it throws, if anything. Where the thread cannot throw yet:
/// std::bad_alloc, and `work` is not called.
template <class F>
[[nodiscard]] std::exception_ptr failure_of(const F& work) noexcept {
  if (!ready_to_throw()) return std::make_exception_ptr(std::bad_alloc());
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace gossamer
