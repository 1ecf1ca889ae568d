// fiber by ucontext. A switch costs two system calls (signal masks), about half a microsecond.
#include <ucontext.h>

#include <cstdint>

#include "base/mapped_stack.hpp"
#include "gossamer/base/fiber.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define GOSSAMER_ASAN_FIBERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GOSSAMER_ASAN_FIBERS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define GOSSAMER_TSAN_FIBERS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GOSSAMER_TSAN_FIBERS 1
#endif
#endif
#ifdef GOSSAMER_ASAN_FIBERS
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GOSSAMER_TSAN_FIBERS
#include <sanitizer/tsan_interface.h>
#endif

namespace gossamer {

#ifdef GOSSAMER_TSAN_FIBERS
namespace {
/// A thread's first use of OpenMP begins a call for the sanitizer that ends with the thread, on the
/// thread's own stack. Begun in a fiber, it left that stack one call short.
void begin_openmp() {
  thread_local bool begun = false;
  if (begun) return;
  begun = true;
#pragma omp parallel num_threads(1)
  begun = true;
}
}  // namespace
#endif

struct fiber::context {
  explicit context(std::size_t bytes) : stack(bytes) {}
  ~context() { forget_frames(); }
  mapped_stack stack;
  ucontext_t here{}, back{};
#ifdef GOSSAMER_ASAN_FIBERS
  void* fake = nullptr;  ///< the fiber's fake stack while it is away
  const void* caller_bottom = nullptr;
  std::size_t caller_size = 0;
#endif
#ifdef GOSSAMER_TSAN_FIBERS
  void* self = nullptr;
  void* caller = nullptr;
#endif

  /// A fiber that did not return has left frames behind, which the sanitizer still guards.
  void forget_frames() {
#ifdef GOSSAMER_ASAN_FIBERS
    __asan_unpoison_memory_region(stack.bottom(), stack.size());
#endif
  }
  void arrived() {
#ifdef GOSSAMER_ASAN_FIBERS
    __sanitizer_finish_switch_fiber(fake, &caller_bottom, &caller_size);
#endif
  }
  void leave([[maybe_unused]] bool for_ever) {
#ifdef GOSSAMER_ASAN_FIBERS
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake, caller_bottom, caller_size);
#endif
#ifdef GOSSAMER_TSAN_FIBERS
    __tsan_switch_to_fiber(caller, 0);
#endif
  }
  // makecontext passes ints: a pointer goes as two of them.
  static void enter(unsigned high, unsigned low) {
    auto* f = reinterpret_cast<fiber*>(std::uintptr_t{high} << 32 | low);
    f->context_->arrived();
    f->run();
    f->context_->leave(true);
    setcontext(&f->context_->back);
  }
};

fiber::fiber(std::size_t stack_bytes) : context_(std::make_unique<context>(stack_bytes)) {}

fiber::~fiber() {
#ifdef GOSSAMER_TSAN_FIBERS
  if (context_->self != nullptr) __tsan_destroy_fiber(context_->self);
#endif
}

void fiber::start(std::function<void()> body) {
  body_ = std::move(body);
  done_ = false;
  auto& c = *context_;
  getcontext(&c.here);
  c.here.uc_stack.ss_sp = c.stack.bottom();
  c.here.uc_stack.ss_size = c.stack.size();
  c.here.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&c.here, reinterpret_cast<void (*)()>(&context::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  c.forget_frames();
#ifdef GOSSAMER_ASAN_FIBERS
  c.fake = nullptr;
  // Otherwise its swapcontext forgets the stack's guards at every switch, which takes longer than
  // what runs in between. It is told of switches instead, and the system needs no stack any more.
  c.here.uc_stack = {};
#endif
#ifdef GOSSAMER_TSAN_FIBERS
  if (c.self == nullptr) c.self = __tsan_create_fiber(0);
#endif
}

void fiber::resume() {
  auto& c = *context_;
  swap_exceptions();
#ifdef GOSSAMER_ASAN_FIBERS
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, c.stack.bottom(), c.stack.size());
#endif
#ifdef GOSSAMER_TSAN_FIBERS
  begin_openmp();
  c.caller = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(c.self, 0);
#endif
  swapcontext(&c.back, &c.here);
#ifdef GOSSAMER_ASAN_FIBERS
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  swap_exceptions();
  if (done_) body_ = nullptr;
}

void fiber::suspend() {
  auto& c = *context_;
  c.leave(false);
  swapcontext(&c.here, &c.back);
  c.arrived();
}

}  // namespace gossamer
