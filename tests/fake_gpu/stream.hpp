// Streams of GPUs that are not there: a thread each, which does what was queued, in order, and
// sometimes late, so that whoever forgets to wait is found out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace gossamer::fake_gpu {

class queue {
 public:
  queue();
  ~queue();  ///< after everything in it
  /// Waits while the queue is full, as a driver does.
  void push(std::function<void()> work);
  [[nodiscard]] bool idle() const { return done_->load() == queued_.load(); }
  [[nodiscard]] std::uint64_t queued() const { return queued_.load(); }
  /// How much is done; outlives the queue, as events outlive their streams.
  [[nodiscard]] std::shared_ptr<const std::atomic<std::uint64_t>> done() const { return done_; }

 private:
  static constexpr std::size_t most_waiting = 1024;
  void work(const std::stop_token& stop);
  std::mutex mutex_;
  std::condition_variable_any more_;
  std::condition_variable room_;
  std::deque<std::function<void()>> waiting_;
  std::atomic<std::uint64_t> queued_{0};
  std::shared_ptr<std::atomic<std::uint64_t>> done_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::jthread worker_;
};

/// A moment in a queue.
struct moment {
  std::shared_ptr<const std::atomic<std::uint64_t>> done = {};  ///< of its queue; null: none
  std::uint64_t count = 0;
  std::shared_ptr<std::atomic<std::int64_t>> when = {};  ///< ns of the device's clock, once reached
  [[nodiscard]] bool reached() const { return done == nullptr || done->load() >= count; }
};

/// The device's clock in ns: the host's, an hour ahead.
std::int64_t timer();

}  // namespace gossamer::fake_gpu
