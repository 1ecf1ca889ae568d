#include "side_thread.hpp"

#include <utility>

#include "gossamer/base/throwing.hpp"
#include "gossamer/machine/run_membership.hpp"

namespace gossamer_python {

side_thread::side_thread()
    : running_([this, runs = gossamer::run_membership()] {
        const gossamer::run_membership::scope inside(runs);
        std::unique_lock lock(mutex_);
        for (;;) {
          changed_.wait(lock, [this] { return closed_ || thread_ != nullptr; });
          if (thread_ == nullptr) return;
          perform(thread_, lock);
        }
      }) {}

side_thread::~side_thread() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  running_.join();
}

void side_thread::perform(inbox& own, std::unique_lock<std::mutex>& lock) {
  job& now = *std::exchange(own, nullptr);
  lock.unlock();
  std::exception_ptr failure = gossamer::failure_of(now.work);
  lock.lock();
  now.failure = std::move(failure);
  now.done = true;
  changed_.notify_all();
}

void side_thread::call(const std::function<void()>& work, inbox& theirs, inbox& own) {
  job asked{work};
  std::unique_lock lock(mutex_);
  theirs = &asked;
  changed_.notify_all();
  while (!asked.done) {
    changed_.wait(lock, [&] { return asked.done || own != nullptr; });
    if (own != nullptr) perform(own, lock);
  }
  lock.unlock();
  if (asked.failure) std::rethrow_exception(asked.failure);
}

}  // namespace gossamer_python
