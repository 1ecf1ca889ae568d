// Ordering: `run` writes job_ (or stopping_) and remaining_, then generation_ with release; a
// thread loads generation_ with acquire before it reads them. A thread's effects, failures_
// included, come before its decrement of remaining_ (acq_rel, so that they accumulate over the
// threads); the caller loads zero with acquire before it reads them. Both counters are 32 bits wide
// because that is what a futex waits on; they are compared for change alone, so they may wrap.
#include "machine/rank_threads.hpp"

#include <cstddef>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "gossamer/base/atomics.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/throwing.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer {

namespace {

/// Polls before sleeping: roughly 100 us of them, since waking a thread of a virtual machine takes
/// some 20 us. None where cores are not more than twice the threads: a thread that spins on
/// another's core keeps it from working (cpu:1x1 of two cores: 28 to 46 us a run with, 14 to 30
/// without).
std::uint32_t spins_for(int count) {
  return host().cores > 2 * count ? 3000 : 0;
}

/// Waits until `word` differs from `old`; returns the new value, acquired. Has no bound: idle
/// threads wait for their next job, and a caller for its ranks, whose own waits are bounded.
std::uint32_t await_change(const std::uint32_t& word, std::uint32_t old, std::uint32_t spins) {
  backoff relax(spins + 1);
  std::uint32_t now = std_atomics::load_acquire(word);
  for (std::uint32_t i = 0; now == old && i < spins; ++i) {
    relax.pause();
    now = std_atomics::load_acquire(word);
  }
  while (now == old) {
    sleep_on(word, old, std::chrono::seconds(1));
    now = std_atomics::load_acquire(word);
  }
  return now;
}

}  // namespace

rank_threads::rank_threads(int count, std::function<void(int)> prepare)
    : count_(count), prepare_(std::move(prepare)), spins_(spins_for(count)) {
  require(count > 0, "rank_threads: at least one thread");
}

rank_threads::~rank_threads() {
  stop();
}

void rank_threads::start() {
  first_generation_ = generation_;
  failures_.assign(static_cast<std::size_t>(count_), nullptr);
  threads_.reserve(static_cast<std::size_t>(count_));
  std_atomics::store_relaxed(remaining_, static_cast<std::uint32_t>(count_));
  try {
    for (int rank = 0; rank < count_; ++rank) threads_.emplace_back([this, rank] { loop(rank); });
  } catch (...) {
    const std::size_t made = threads_.size();
    stop();
    try {
      throw;
    } catch (const std::system_error& e) {
      throw error("only " + std::to_string(made) + " of " + std::to_string(count_) +
                  " rank threads could be started: " + e.what());
    }
  }
  // A job's other ranks would wait for one that cannot tell them of its failure.
  try {
    await_all();
  } catch (...) {
    stop();
    throw;
  }
}

void rank_threads::stop() noexcept {
  if (threads_.empty()) return;
  stopping_ = true;
  std_atomics::fetch_add(generation_, 1u);
  wake_sleepers(generation_);
  for (std::thread& t : threads_) t.join();
  threads_.clear();
  stopping_ = false;
}

void rank_threads::forget() noexcept {
  // Handles of threads that do not exist can neither be joined nor destroyed, and a run that went
  // on may have left failures_ half changed.
  ::new (&threads_) std::vector<std::thread>;
  ::new (&failures_) std::vector<std::exception_ptr>;
  job_ = nullptr;
  stopping_ = false;
}

void rank_threads::loop(int rank) {
  // Before the first job, and before stop(), which may be called before this line runs.
  std::uint32_t seen = first_generation_;
  if (!ready_to_throw())
    failures_[static_cast<std::size_t>(rank)] = std::make_exception_ptr(std::bad_alloc());
  arrive();
  bool prepared = false, first = true;
  for (;;) {
    seen = await_change(generation_, seen, std::exchange(first, false) ? 0 : spins_);
    if (stopping_) return;
    std::exception_ptr& failure = failures_[static_cast<std::size_t>(rank)];
    try {
      if (!prepared && prepare_) prepare_(rank);
      prepared = true;
      (*job_)(rank);
    } catch (...) {
      failure = std::current_exception();
    }
    arrive();
  }
}

void rank_threads::arrive() {
  if (std_atomics::fetch_add(remaining_, ~0u) == 1) wake_sleepers(remaining_);
}

void rank_threads::run(const std::function<void(int rank)>& job) {
  if (threads_.empty()) start();
  job_ = &job;
  std_atomics::store_relaxed(remaining_, static_cast<std::uint32_t>(count_));
  std_atomics::fetch_add(generation_, 1u);
  wake_sleepers(generation_);
  await_all();
}

void rank_threads::await_all() {
  std::uint32_t left = std_atomics::load_acquire(remaining_);
  while (left != 0) left = await_change(remaining_, left, spins_);
  job_ = nullptr;
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    std::exception_ptr taken = std::exchange(failure, nullptr);
    if (!first) first = std::move(taken);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace gossamer
