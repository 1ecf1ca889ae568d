// forks: what has to be told, in a child made by fork(), that every other thread is gone.
//
// A child has the memory of its parent and the calling thread alone. Whatever counts on another
// thread would wait for ever there: threads to be woken or joined, locks and turns that they hold.
#pragma once

#include <mutex>
#include <new>

namespace gossamer {

class fork_listener {  // NOLINT(cppcoreguidelines-virtual-class-destructor): of those derived
 public:
  /// Called in the child before fork() returns there, while it has one thread. What the lost
  /// threads may have left half changed is replaced, not destroyed.
  virtual void in_child() noexcept = 0;

  fork_listener(const fork_listener&) = delete;
  fork_listener& operator=(const fork_listener&) = delete;

 protected:
  fork_listener();
  virtual ~fork_listener();

 private:
  friend struct fork_listeners;
  fork_listener* before_ = nullptr;
  fork_listener* next_ = nullptr;
};

/// Of who works on something for as long as a call takes. The child of a process in which another
/// thread did finds it free, and what it worked on lost.
class call_lock : public fork_listener {
 public:
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 protected:
  /// In the child: what the lock guards is half changed. It is replaced, not destroyed.
  virtual void lose() noexcept = 0;

 private:
  void in_child() noexcept final {
    if (mutex_.try_lock()) return mutex_.unlock();
    ::new (&mutex_) std::mutex;
    lose();
  }
  std::mutex mutex_;
};

/// Why neither GPUs nor MPI can be used in a child whose parent used them.
inline constexpr const char* lost_by_fork =
    "was in use when this process was forked, which it does not survive: start the process "
    "afresh, in Python by multiprocessing's method 'spawn'";

}  // namespace gossamer
