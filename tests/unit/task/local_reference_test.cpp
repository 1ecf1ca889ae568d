// Split-phase references: values, and that every one of them gives the others a turn.
#include "gossamer/task/local_reference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/task/task_group.hpp"

namespace gossamer {
namespace {

task<> all_operations(std::int32_t& word, std::string& order) {
  const local_reference<std::int32_t> r(&word);
  EXPECT_EQ(co_await r.read(), 3);
  order += 'r';
  co_await r.write(10);
  order += 'w';
  EXPECT_EQ(word, 10);
  EXPECT_EQ(co_await r.fetch_add(-4), 10);
  order += 'a';
  EXPECT_EQ(co_await r.compare_and_swap(7, 1), 6);
  EXPECT_EQ(word, 6);
  order += 'c';
  EXPECT_EQ(co_await r.compare_and_swap(6, 1), 6);
  EXPECT_EQ(word, 1);
  order += 'c';
  r.issue_read();
  co_await yield_now();
  EXPECT_EQ(r.complete(), 1);
  r.issue_write();
  co_await yield_now();
  r.complete() = 2;
}

task<> turns(std::string& order, int n) {
  for (int i = 0; i < n; ++i) {
    order += '.';
    co_await yield_now();
  }
}

TEST(local_reference, ReadsAndChangesAndYieldsEachTime) {
  scheduler s;
  std::int32_t word = 3;
  std::string order;
  s.spawn(all_operations(word, order));
  s.spawn(turns(order, 7));
  s.run();
  EXPECT_EQ(word, 2);
  EXPECT_EQ(order, ".r.w.a.c.c..");
}

// No increment is lost, though every task is interrupted in the middle of each.
task<> increments(std::vector<std::uint32_t>& words, std::uint64_t draw, int n) {
  for (int i = 0; i < n; ++i) {
    draw = draw * 6364136223846793005u + 1442695040888963407u;
    co_await local_reference(&words[(draw >> 33) % words.size()]).fetch_add(1);
  }
}

TEST(local_reference, ChangesAreWholeAmongTasks) {
  for (const std::uint64_t seed : {0, 3}) {
    scheduler s({.seed = seed});
    std::vector<std::uint32_t> words(7);
    for (std::uint64_t t = 0; t < 50; ++t) s.spawn(increments(words, t, 1000));
    s.run();
    std::uint64_t sum = 0;
    for (const auto w : words) sum += w;
    EXPECT_EQ(sum, 50'000u);
  }
}

}  // namespace
}  // namespace gossamer
