// run_membership: the runs that a thread works for, though it is none of their ranks' threads.
//
// A rank's program may hand work to another thread and wait for it, as the calls of Python's
// package do. That thread belongs to the program's runs as long as the work takes: what would wait
// for those runs, such as a run of the same machine, is refused there as on the rank's own thread.
#pragma once

namespace gossamer {

struct run_in_progress;

class run_membership {
 public:
  /// Of the calling thread, whose runs must outlast every scope.
  run_membership() noexcept;
  [[nodiscard]] bool any() const noexcept { return innermost_ != nullptr; }

  /// The calling thread belongs to the runs as long as this lives.
  class scope {
   public:
    explicit scope(const run_membership& of) noexcept;
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    const run_in_progress* before_;
  };

 private:
  const run_in_progress* innermost_;
};

}  // namespace gossamer
