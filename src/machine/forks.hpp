// forks: what has to be told, in a child made by fork(), that every other thread is gone. Private
// to the library.
//
// A child has the memory of its parent and the calling thread alone. Whatever counts on another
// thread would wait for ever there: threads to be woken or joined, locks and turns that they hold.
#pragma once

namespace gossamer {

class fork_listener {
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

/// Why neither GPUs nor MPI can be used in a child whose parent used them.
inline constexpr const char* lost_by_fork =
    "was in use when this process was forked, which it does not survive: start the process "
    "afresh, in Python by multiprocessing's method 'spawn'";

}  // namespace gossamer
