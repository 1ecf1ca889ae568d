// side_thread: a thread that runs Python's code for a rank that is a fiber.
//
// Python keeps what it does on a thread's one stack, and its limits by that stack; fibers swap
// theirs under it. So the program of a modelled rank runs on a thread of its own, and whatever it
// asks of the library runs on the fiber again: one of the two works, the other waits. Calls nest
// (a program that sends, a policy that is asked meanwhile), each on the side that it belongs to.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace gossamer_python {

class side_thread {
 public:
  side_thread();
  ~side_thread();
  side_thread(const side_thread&) = delete;
  side_thread& operator=(const side_thread&) = delete;

  /// Runs `work` on the thread; called on the fiber. Rethrows what it throws.
  void on_thread(const std::function<void()>& work) { call(work, thread_, fiber_); }
  /// Runs `work` on the fiber; called by what on_thread() runs.
  void on_fiber(const std::function<void()>& work) { call(work, fiber_, thread_); }

 private:
  struct job {
    const std::function<void()>& work;
    bool done = false;
    std::exception_ptr failure = {};
  };
  /// Where a side finds what it is to do; null: nothing.
  using inbox = job*;
  void call(const std::function<void()>& work, inbox& theirs, inbox& own);
  /// Does what is in the inbox, without the lock.
  void perform(inbox& own, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  inbox thread_ = nullptr, fiber_ = nullptr;
  bool closed_ = false;
  std::thread running_;
};

}  // namespace gossamer_python
