// One pair of atomic counters for each memory, and the calling thread's chain of tallies.
#include "gossamer/base/memory_use.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace gossamer {

namespace {

std::size_t place_of(int account) noexcept {
  return static_cast<std::size_t>(std::clamp(account, -1, most_gpu_accounts - 1) + 1);
}

struct counter {
  std::atomic<std::int64_t> now{0}, peak{0};
};
counter& of(int account) noexcept {
  static std::array<counter, most_gpu_accounts + 1> all;
  return all[place_of(account)];
}

}  // namespace

memory_use memory_in_use(int account) noexcept {
  const counter& c = of(account);
  return {c.now.load(), c.peak.load()};
}

void begin_peaks() noexcept {
  for (int account = host_account; account < most_gpu_accounts; ++account)
    of(account).peak = of(account).now.load();
}

namespace {

thread_local memory_tally* youngest_tally = nullptr;

}  // namespace

memory_tally::memory_tally() noexcept : before_(youngest_tally) {
  youngest_tally = this;
}

memory_tally::~memory_tally() {
  youngest_tally = before_;
}

std::map<int, std::int64_t> memory_tally::taken() const {
  std::map<int, std::int64_t> all;
  for (int account = host_account; account < most_gpu_accounts; ++account)
    if (const std::int64_t bytes = bytes_[place_of(account)]; bytes > 0) all[account] = bytes;
  return all;
}

void memory_tally::count(int account, std::int64_t bytes) noexcept {
  if (youngest_tally != nullptr) youngest_tally->bytes_[place_of(account)] += bytes;
}

void count_taken(int account, std::size_t bytes) noexcept {
  memory_tally::count(account, static_cast<std::int64_t>(bytes));
  counter& c = of(account);
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t now = c.now.fetch_add(size) + size;
  std::int64_t peak = c.peak.load();
  while (now > peak && !c.peak.compare_exchange_weak(peak, now)) {
  }
}

void count_given_back(int account, std::size_t bytes) noexcept {
  memory_tally::count(account, -static_cast<std::int64_t>(bytes));
  of(account).now.fetch_sub(static_cast<std::int64_t>(bytes));
}

}  // namespace gossamer
