// Stacks of stackful tasks, which a thread keeps for the next ones.
#include "gossamer/task/stackful.hpp"

#include <vector>

#include "base/thread_owned.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/fiber.hpp"

namespace gossamer {

struct stack_run::stack {
  explicit stack(std::size_t size) : bytes(size), fiber_(size) {}
  std::size_t bytes;
  fiber fiber_;
};

namespace {

/// What unwinds a stack that nobody will resume.
struct stack_unwound {};

constexpr std::size_t most_kept = 64;  // stacks of a thread; each has touched some pages

thread_local stack_run* innermost = nullptr;

template <class Stack>
std::vector<std::unique_ptr<Stack>>& kept_stacks() {
  return thread_owned<std::vector<std::unique_ptr<Stack>>>::mine();
}

}  // namespace

stack_run::stack_run(std::size_t stack_bytes) {
  auto& kept = kept_stacks<stack>();
  kept.reserve(most_kept);  // a stack that is given back finds its place
  if (!kept.empty() && kept.back()->bytes == stack_bytes) {
    stack_ = std::move(kept.back());
    kept.pop_back();
  } else {
    stack_ = std::make_unique<stack>(stack_bytes);
  }
}

stack_run::~stack_run() {
  unwinds_ = true;
  while (!stack_->fiber_.done()) {
    try {
      resume();
    } catch (...) {  // thrown while the stack was unwound, for nobody
    }
  }
  auto& kept = kept_stacks<stack>();
  if (kept.size() < most_kept) kept.push_back(std::move(stack_));
}

void stack_run::start(std::function<void()> body) {
  stack_->fiber_.start([this, body = std::move(body)] {
    try {
      body();
    } catch (const stack_unwound&) {  // this one ends here
    } catch (...) {
      error_ = std::current_exception();
    }
  });
}

task<>* stack_run::resume() {
  wanted_ = nullptr;
  below_ = std::exchange(innermost, this);
  stack_->fiber_.resume();
  innermost = below_;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return wanted_;
}

void stack_run::wait_for(task<>& wanted) {
  wanted_ = &wanted;
  if (!unwinds_) stack_->fiber_.suspend();
  if (unwinds_) throw stack_unwound();
}

stack_run& stack_run::current() {
  if (innermost == nullptr)
    throw usage_error("await_here: only what on_own_stack runs may wait here");
  return *innermost;
}

}  // namespace gossamer
