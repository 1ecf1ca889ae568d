// Ten million increments of random words, by many tasks of every rank, with hardly any room for
// messages: none may be lost, and none done twice.
#include <cstdint>
#include <numeric>

#include "gossamer/task/task_group.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

// Sanitizers make each a hundred times as long.
#ifdef GOSSAMER_TEST_SANITIZED
constexpr std::int64_t increments = 500'000;
#else
constexpr std::int64_t increments = 10'000'000;
#endif
constexpr std::int64_t words = 1 << 14;
constexpr int tasks = 100;

using counts = global_array<std::int64_t>;

/// Word of the k-th increment; the same whoever makes it.
std::int64_t word_of(std::int64_t k) {
  const auto x = (static_cast<std::uint64_t>(k) + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<std::int64_t>((x ^ (x >> 29)) >> 40) % words;
}

/// One of 64 is a call, whose reply is waited for.
task<> add(global_tasks& g, counts a, std::int64_t first, std::int64_t step) {
  for (std::int64_t k = first; k < increments; k += step) {
    const auto to = a[word_of(k)];
    if (k % 64 == 0)
      co_await g.call(to, [](std::int64_t& n) { ++n; });
    else
      co_await g.post(to, [](std::int64_t& n) { ++n; });
  }
}

task<> add_by_tasks(global_tasks& g, counts a) {
  task_group group(g.local());
  const std::int64_t all = std::int64_t{tasks} * g.size();
  for (int t = 0; t < tasks; ++t) group.spawn(add(g, a, std::int64_t{tasks} * g.id() + t, all));
  co_await group.join();
}

std::vector<std::int64_t> expected() {
  std::vector<std::int64_t> all(static_cast<std::size_t>(words));
  for (std::int64_t k = 0; k < increments; ++k) ++all[static_cast<std::size_t>(word_of(k))];
  return all;
}

TEST_P(global_suite, CountsEveryIncrementOfTenMillion) {
  const auto right = expected();
  m.run([&](rank& r) {
    global_tasks g(r, narrow());
    const auto a = g.heap().allocate<std::int64_t>(words, 4);
    g.run(add_by_tasks(g, a));
    std::int64_t wrong = 0;
    a.for_each_local(
        [&](std::int64_t i, std::int64_t& n) { wrong += n != right[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(wrong, 0);
    const auto mine = a.local();
    EXPECT_EQ(sum_over(r, std::accumulate(mine.begin(), mine.end(), std::int64_t{0})), increments);
    if (r.size() > 1) {
      EXPECT_GT(sum_over(r, g.counters().refused), 0) << "there was always room: nothing is tested";
    }
  });
}

}  // namespace
}  // namespace gossamer
