// The pools that blocks come from: one for each GPU, rank and size, found by that key and held by
// the searches that share it.
#include "algorithm/driver/result_blocks.hpp"

#include <pthread.h>

#include <map>
#include <mutex>
#include <tuple>

namespace gossamer::algorithm_detail {

namespace {

using pool = result_blocks::pool;

/// Ends with the last search that shares the pool: what is lent then is freed when it comes back.
std::shared_ptr<pool> closing(std::shared_ptr<pool> of) {
  pool* const at = of.get();
  return {at, [of = std::move(of)](pool*) { of->close(); }};
}

/// Of the pools that there are. fork() waits for it, which is held for moments.
std::mutex& pools_lock() {
  static std::mutex lock;
  static const int forks = ::pthread_atfork(
      [] { pools_lock().lock(); }, [] { pools_lock().unlock(); }, [] { pools_lock().unlock(); });
  static_cast<void>(forks);
  return lock;
}

std::shared_ptr<pool> shared_pool(const device& on, int rank, std::int64_t bytes) {
  static std::map<std::tuple<int, int, std::int64_t>, std::weak_ptr<pool>> pools;
  const std::lock_guard lock(pools_lock());
  std::weak_ptr<pool>& known = pools[{on.ordinal, rank, bytes}];
  if (auto there = known.lock()) return there;
  auto made = closing(std::make_shared<pool>([on, bytes] {
    return std::make_unique<result_blocks::memory>(
        make_native_buffer<std::byte>(on, static_cast<std::size_t>(bytes)));
  }));
  known = made;
  std::erase_if(pools, [](const auto& of) { return of.second.expired(); });
  return made;
}

}  // namespace

result_blocks::result_blocks(const device& on, int rank, std::int64_t values, std::int64_t width,
                             std::size_t at_once)
    : pool_(shared_pool(on, rank, result_bytes(values, width))) {
  pool_->reserve(at_once);
}

}  // namespace gossamer::algorithm_detail
