// Parallel loops: each iteration once, as many at a time as asked for, errors, and wrong arguments.
#include "gossamer/task/parallel_for.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace gossamer {
namespace {

struct seen {
  std::vector<int> times;
  std::size_t active = 0, most_active = 0;
  std::int64_t longest = 0;
};

task<> visit(seen& to, std::int64_t first, std::int64_t last) {
  to.most_active = std::max(to.most_active, ++to.active);
  to.longest = std::max(to.longest, last - first);
  for (std::int64_t i = first; i < last; ++i) {
    ++to.times[static_cast<std::size_t>(i)];
    co_await yield_now();
  }
  --to.active;
}

TEST(parallel_for, RunsEachIterationOnce) {
  for (const std::int64_t n : {0, 1, 5, 64, 1000}) {
    for (const std::size_t in_flight : {1u, 3u, 64u}) {
      for (const std::int64_t chunk : {1, 7, 5000}) {
        scheduler s;
        seen to{std::vector<int>(static_cast<std::size_t>(n))};
        s.run(parallel_for(s, 0, n, {in_flight, chunk},
                           [&to](std::int64_t a, std::int64_t b) { return visit(to, a, b); }));
        EXPECT_EQ(to.times, std::vector<int>(static_cast<std::size_t>(n), 1));
        const auto chunks = static_cast<std::size_t>((n + chunk - 1) / chunk);
        EXPECT_EQ(to.most_active, std::min(in_flight, chunks));
        EXPECT_EQ(to.longest, std::min(n, chunk));
      }
    }
  }
}

TEST(parallel_for, EndsWithTheFirstErrorAndBeginsNoFurtherChunk) {
  scheduler s;
  int begun = 0;
  const auto body = [&begun](std::int64_t first, std::int64_t) -> task<> {
    return [](int& n, std::int64_t i) -> task<> {
      ++n;
      co_await yield_now();
      if (i == 5) throw std::out_of_range("five");
    }(begun, first);
  };
  EXPECT_THROW(s.run(parallel_for(s, 0, 1000, {4, 1}, body)), std::out_of_range);
  EXPECT_LE(begun, 10);
  EXPECT_EQ(s.live(), 0u);
}

TEST(parallel_for, RefusesWhatMakesNoSense) {
  for (const loop_options bad : {loop_options{0, 1}, loop_options{1, 0}, loop_options{1, -1}}) {
    scheduler s;
    seen to;
    try {
      s.run(parallel_for(s, 0, 1, bad,
                         [&to](std::int64_t a, std::int64_t b) { return visit(to, a, b); }));
      FAIL();
    } catch (const usage_error& e) {
      EXPECT_STREQ(e.what(), "parallel_for: chunk and in_flight must be positive");
    }
  }
}

}  // namespace
}  // namespace gossamer
