// fiber: a function with a stack of its own, run by turns with the thread that resumes it.
//
// Implemented by Boost.Context where it is there, else (and under sanitizers, which follow stacks)
// by ucontext; the build picks one source file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gossamer {

class fiber {
 public:
  /// Reserves address space for the stack (and a page below it that faults); pages are taken when
  /// they are used.
  explicit fiber(std::size_t stack_bytes);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Sets what the next resume() begins with; the fiber must not be running. `body` must not throw.
  void start(std::function<void()> body);
  /// Runs it until it suspends or ends. Called outside of it, perhaps inside of another one.
  void resume();
  /// Goes back to who resumed it. Called inside of this fiber.
  void suspend();
  [[nodiscard]] bool done() const noexcept { return done_; }

 private:
  struct context;  ///< of the implementation
  void run();

  std::function<void()> body_;
  bool done_ = true;
  // The exceptions being handled belong to a stack, but the C++ runtime keeps them by thread
  // (__cxa_get_globals): a fiber that suspends inside a catch block takes them along.
  void* caught_[2] = {nullptr, nullptr};
  void swap_exceptions();
  std::unique_ptr<context> context_;
};

}  // namespace gossamer
