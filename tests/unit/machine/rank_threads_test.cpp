// rank_threads: every job runs once on every rank, on threads that stay, and failures come back.
// Also run under ThreadSanitizer, where a missing acquire or release shows as a race on `cells`.
#include "machine/rank_threads.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

TEST(RankThreads, StartWithTheFirstRunAndStay) {
  rank_threads threads(3);
  EXPECT_FALSE(threads.started());
  std::vector<std::thread::id> first(3);
  std::vector<std::thread::id> second(3);
  threads.run(
      [&](int rank) { first[static_cast<std::size_t>(rank)] = std::this_thread::get_id(); });
  EXPECT_TRUE(threads.started());
  threads.run(
      [&](int rank) { second[static_cast<std::size_t>(rank)] = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 3U);
}

TEST(RankThreads, OneRankIsNotTheCaller) {
  rank_threads threads(1);
  std::thread::id where;
  threads.run([&](int) { where = std::this_thread::get_id(); });
  EXPECT_NE(where, std::this_thread::get_id());
}

TEST(RankThreads, NeverRunIsFine) {
  const rank_threads threads(4);
}

TEST(RankThreads, NoneIsRefused) {
  EXPECT_THROW(rank_threads(0), usage_error);
}

TEST(RankThreads, ManyShortJobs) {
  for (const int p : {1, 2, 3, 8, 17}) {
    rank_threads threads(p);
    std::vector<std::int64_t> cells(static_cast<std::size_t>(p));  // plain: handoff orders them
    std::int64_t expected = 0;
    const int rounds = p <= 2 ? 3000 : 300;
    for (int round = 0; round < rounds; ++round) {
      threads.run([&](int rank) { cells[static_cast<std::size_t>(rank)] += round; });
      expected += round;
      for (const std::int64_t cell : cells) ASSERT_EQ(cell, expected) << "p = " << p;
      // Now and then the threads get time to fall asleep.
      if (round % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

TEST(RankThreads, JobsMayWaitForEachOther) {
  // All p threads run at the same time, whatever the number of cores.
  rank_threads threads(17);
  std::atomic<int> arrived{0};
  threads.run([&](int) {
    ++arrived;
    while (arrived.load() < 17) std::this_thread::yield();
  });
  EXPECT_EQ(arrived.load(), 17);
}

TEST(RankThreads, LowestFailureIsRethrownAfterAllReturned) {
  rank_threads threads(4);
  std::atomic<int> finished{0};
  const auto failing = [&](int rank) {
    if (rank == 2 || rank == 1) throw std::runtime_error("rank " + std::to_string(rank));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ++finished;
  };
  try {
    threads.run(failing);
    FAIL() << "returned";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "rank 1");
  }
  EXPECT_EQ(finished.load(), 2);
  threads.run([&](int) { ++finished; });
  EXPECT_EQ(finished.load(), 6) << "a failure does not stick";
}

TEST(RankThreads, PrepareRunsOnceInEachThread) {
  std::vector<std::thread::id> prepared(3);
  std::atomic<int> calls{0};
  rank_threads threads(3, [&](int rank) {
    prepared[static_cast<std::size_t>(rank)] = std::this_thread::get_id();
    ++calls;
  });
  for (int i = 0; i < 3; ++i)
    threads.run([&](int rank) {
      EXPECT_EQ(prepared[static_cast<std::size_t>(rank)], std::this_thread::get_id());
    });
  EXPECT_EQ(calls.load(), 3);
}

TEST(RankThreads, UnpreparedThreadFailsEveryRun) {
  rank_threads threads(2, [](int rank) {
    if (rank == 1) throw std::domain_error("no device");
  });
  std::atomic<int> ran{0};
  for (int i = 0; i < 2; ++i) EXPECT_THROW(threads.run([&](int) { ++ran; }), std::domain_error);
  EXPECT_EQ(ran.load(), 2) << "rank 0 ran twice, rank 1 never";
}

TEST(RankThreads, PreparesAgainWhatFailedOnce) {
  std::atomic<int> calls{0};
  rank_threads threads(1, [&](int) {
    if (++calls == 1) throw std::bad_alloc();
  });
  int ran = 0;
  EXPECT_THROW(threads.run([&](int) { ++ran; }), std::bad_alloc);
  for (int i = 0; i < 2; ++i) threads.run([&](int) { ++ran; });
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(calls.load(), 2);
}

TEST(RankThreads, SetsOfThreadsRunSideBySide) {
  std::vector<std::thread> callers;
  std::atomic<std::int64_t> sum{0};
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      rank_threads threads(2);
      for (int round = 0; round < 200; ++round) threads.run([&](int rank) { sum += rank + 1; });
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum.load(), 3 * 200 * 3);
}

}  // namespace
}  // namespace gossamer
