// fiber by Boost.Context: a switch is a few nanoseconds.
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>

#include "base/mapped_stack.hpp"
#include "gossamer/base/fiber.hpp"

namespace gossamer {

namespace {
/// The stack belongs to the fiber, and outlives its bodies.
struct keep_stack {
  void deallocate(boost::context::stack_context&) noexcept {}
};
}  // namespace

struct fiber::context {
  explicit context(std::size_t bytes) : stack(bytes) {}
  mapped_stack stack;
  boost::context::fiber here, back;
};

fiber::fiber(std::size_t stack_bytes) : context_(std::make_unique<context>(stack_bytes)) {}
fiber::~fiber() = default;

void fiber::start(std::function<void()> body) {
  body_ = std::move(body);
  done_ = false;
  auto& c = *context_;
  boost::context::stack_context whole;
  whole.sp = c.stack.bottom() + c.stack.size();
  whole.size = c.stack.size();
  c.here = boost::context::fiber(std::allocator_arg,
                                 boost::context::preallocated(whole.sp, whole.size, whole),
                                 keep_stack{}, [this](boost::context::fiber&& caller) {
                                   context_->back = std::move(caller);
                                   run();
                                   return std::move(context_->back);
                                 });
}

void fiber::resume() {
  swap_exceptions();
  context_->here = std::move(context_->here).resume();
  swap_exceptions();
  if (done_) body_ = nullptr;
}

void fiber::suspend() {
  context_->back = std::move(context_->back).resume();
}

}  // namespace gossamer
