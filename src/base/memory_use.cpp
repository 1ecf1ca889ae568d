#include "gossamer/base/memory_use.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace gossamer {

namespace {

/// GPUs with an account of their own; those beyond share the last one.
constexpr int most_gpus = 64;

struct counter {
  std::atomic<std::int64_t> now{0}, peak{0};
};
counter& of(int account) noexcept {
  static std::array<counter, most_gpus + 1> all;
  return all[static_cast<std::size_t>(std::clamp(account, -1, most_gpus - 1) + 1)];
}

}  // namespace

memory_use memory_in_use(int account) noexcept {
  const counter& c = of(account);
  return {c.now.load(), c.peak.load()};
}

void begin_peaks() noexcept {
  for (int account = host_account; account < most_gpus; ++account)
    of(account).peak = of(account).now.load();
}

void count_taken(int account, std::size_t bytes) noexcept {
  counter& c = of(account);
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t now = c.now.fetch_add(size) + size;
  std::int64_t peak = c.peak.load();
  while (now > peak && !c.peak.compare_exchange_weak(peak, now)) {
  }
}

void count_given_back(int account, std::size_t bytes) noexcept {
  of(account).now.fetch_sub(static_cast<std::int64_t>(bytes));
}

}  // namespace gossamer
