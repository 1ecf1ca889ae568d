// rank_threads: p host threads that live as long as their machine and run one job at a time.
//
// Private to the library. A job is handed over through one atomic counter: threads spin on it for a
// moment after a job (the next one often follows at once), then sleep in the kernel.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace gossamer {

class rank_threads {
 public:
  /// Plans `count` threads, started by the first run. `prepare(rank)` is called in each
  /// thread before its first job, and before the next one as long as it throws, as the run does.
  explicit rank_threads(int count, std::function<void(int)> prepare = {});
  /// Joins; must not be called from a job.
  ~rank_threads();
  rank_threads(const rank_threads&) = delete;
  rank_threads& operator=(const rank_threads&) = delete;

  /// Calls job(rank) for each rank on its own thread, never the caller's (whose OpenMP state and
  /// current device stay untouched), and waits for all. Rethrows the exception of the lowest rank
  /// that threw. One run at a time: the caller holds the machine's run_lock.
  void run(const std::function<void(int rank)>& job);

  /// In a child made by fork(): its parent's threads are gone, and the next run starts new ones.
  void forget() noexcept;

  [[nodiscard]] int size() const noexcept { return count_; }
  [[nodiscard]] bool started() const noexcept { return !threads_.empty(); }

 private:
  void start();
  void loop(int rank);
  /// A thread has ended its job, or has begun to wait for the first.
  void arrive();
  /// All have, or are there. Rethrows as run() does.
  void await_all();
  void stop() noexcept;

  const int count_;
  const std::function<void(int)> prepare_;
  const std::uint32_t spins_;
  const std::function<void(int)>* job_ = nullptr;
  std::vector<std::exception_ptr> failures_;  // slot r is written by thread r only
  std::vector<std::thread> threads_;
  std::uint32_t first_generation_ = 0;
  bool stopping_ = false;
  // Apart from each other: one is written by the caller, the other by every thread.
  alignas(64) std::uint32_t generation_ = 0;
  alignas(64) std::uint32_t remaining_ = 0;
};

}  // namespace gossamer
