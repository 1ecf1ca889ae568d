// Stacks of fibers, and what of a fiber does not depend on how it switches.
#pragma once

#include <sys/mman.h>

#include <cxxabi.h>
#include <cstddef>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/fiber.hpp"

namespace gossamer {

class mapped_stack {
 public:
  explicit mapped_stack(std::size_t bytes) : bytes_((bytes + page - 1) / page * page + page) {
    base_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (base_ == MAP_FAILED) throw capacity_error("no address space for the stack of a fiber");
    mprotect(base_, page, PROT_NONE);  // an overflow faults instead of writing elsewhere
  }
  ~mapped_stack() { munmap(base_, bytes_); }
  mapped_stack(const mapped_stack&) = delete;
  mapped_stack& operator=(const mapped_stack&) = delete;
  [[nodiscard]] std::byte* bottom() const noexcept { return static_cast<std::byte*>(base_) + page; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_ - page; }

 private:
  static constexpr std::size_t page = 4096;
  std::size_t bytes_;
  void* base_;
};

inline void fiber::swap_exceptions() {
  // Two words: the stack of exceptions being handled and the count of those being thrown.
  void* mine[2];
  auto* const now = abi::__cxa_get_globals();
  std::memcpy(mine, now, sizeof mine);
  std::memcpy(static_cast<void*>(now), caught_, sizeof caught_);
  std::memcpy(caught_, mine, sizeof caught_);
}

inline void fiber::run() {
  body_();
  done_ = true;
}

}  // namespace gossamer
