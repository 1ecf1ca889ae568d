// The queue and its thread. Every eighth item is held back for 100 us.
#include "fake_gpu/stream.hpp"

#include <chrono>

namespace gossamer::fake_gpu {

queue::queue() : worker_([this](const std::stop_token& stop) { work(stop); }) {}

queue::~queue() {
  while (!idle()) std::this_thread::yield();
}

void queue::push(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return waiting_.size() < most_waiting; });
  waiting_.push_back(std::move(work));
  ++queued_;
  more_.notify_one();
}

void queue::work(const std::stop_token& stop) {
  for (std::uint64_t turn = 0;; ++turn) {
    std::function<void()> next;
    {
      std::unique_lock lock(mutex_);
      if (!more_.wait(lock, stop, [&] { return !waiting_.empty(); })) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    room_.notify_one();
    if (turn % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    next();
    ++*done_;
  }
}

std::int64_t timer() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch() + hours(1)).count();
}

}  // namespace gossamer::fake_gpu
