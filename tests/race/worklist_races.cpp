// The worklist with real threads, for ThreadSanitizer: producers that come in each other's way, a
// consumer that hands items back, and a list far too small, so that all of them meet it full.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "gossamer/dataflow/worklist.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t per_producer = 20000;

/// Plain data: only the list's words order it.
struct work_item {
  std::uint32_t producer = 0, number = 0, again = 0;
};

/// Pushes its items in pieces of 1 … 5; counts how often the list was full.
void produce(worklist<work_item>& list, std::uint32_t who, std::atomic<int>& full) {
  backoff pace(100);
  std::vector<work_item> some;
  for (std::uint32_t next = 0; next < per_producer;) {
    some.clear();
    const std::uint32_t end = std::min(per_producer, next + 1 + next % 5);
    for (std::uint32_t i = next; i < end; ++i) some.push_back({who, i, 0});
    while (!list.push(some)) {
      ++full;
      pace.pause();
    }
    next = end;
  }
}

TEST(worklist_races, nothing_is_lost_or_doubled) {
  for (const std::size_t capacity : {8, 64, 4096}) {
    constexpr std::uint32_t producers = 4;
    worklist<work_item> list(capacity);
    std::atomic<int> full{0};
    std::vector<std::thread> threads;
    for (std::uint32_t who = 0; who < producers; ++who)
      threads.emplace_back([&, who] { produce(list, who, full); });
    std::vector<std::uint32_t> next(producers, 0);
    std::uint64_t first_time = 0, returned = 0, wrong = 0;
    backoff pace(100);
    std::vector<work_item> back;
    while (first_time < std::uint64_t{producers} * per_producer) {
      const auto some = list.consume(7);
      back.clear();
      for (const work_item& x : some) {
        if (x.again != 0) continue;
        // A producer's items come in its order.
        wrong += x.number != next[x.producer]++;
        ++first_time;
        if (x.number % 16 == 3) back.push_back({x.producer, x.number, 1});
      }
      const bool none = some.empty();
      list.release(some.size());
      returned += list.prepend(back) ? back.size() : 0;  // refused when it is full
      if (none) pace.pause();
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(next, std::vector<std::uint32_t>(producers, per_producer));
    EXPECT_GT(returned, 0u);
    if (capacity == 8) {
      EXPECT_GT(full, 0);
    }
    while (list.size() > 0) {
      const auto rest = list.consume(64);
      for (const work_item& x : rest) EXPECT_EQ(x.again, 1u);
      list.release(rest.size());
    }
  }
}

}  // namespace
}  // namespace gossamer
