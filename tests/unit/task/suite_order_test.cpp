// The order of a task's messages to one rank, its own among them.
#include <cstdint>

#include "gossamer/task/global_tasks.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

using counts = global_array<std::int64_t>;

TEST_P(global_suite, MessagesOfATaskToARankKeepTheirOrder) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    const auto a = g.heap().allocate_owned<std::int64_t>(1);
    const auto main = [](global_tasks& g, counts a) -> task<> {
      const int to = (g.id() + 1) % g.size();
      for (std::int64_t k = 0; k < 1000; ++k)
        co_await g.post(a[to], [k](std::int64_t& x) { x = x == k ? k + 1 : -1; });
    };
    g.run(main(g, a));
    EXPECT_EQ(a.local()[0], 1000);
  });
}

TEST_P(global_suite, KindsOfMessagesKeepTheirOrderAmongEachOther) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    const auto a = g.heap().allocate_owned<std::int64_t>(1);
    // Each step finds what the one before has left: posts of two shapes, calls, and tasks.
    const auto main = [](global_tasks& g, counts a, int to) -> task<> {
      for (std::int64_t k = 0; k < 400; k += 4) {
        co_await g.post(a[to], [k](std::int64_t& x) { x = x == k ? k + 1 : -1; });
        co_await g.post(
            a[to], [k, pad = std::int64_t{1}](std::int64_t& x) { x = x == k + pad ? k + 2 : -1; });
        if (k % 8 == 0) {
          co_await g.call(a[to], [k](std::int64_t& x) { x = x == k + 2 ? k + 3 : -1; });
        } else {
          co_await g.call_task(a[to], [k](std::int64_t& x) -> task<> {
            x = x == k + 2 ? k + 3 : -1;
            co_return;
          });
        }
        co_await g.post(a[to], [k](std::int64_t& x) { x = x == k + 3 ? k + 4 : -1; });
      }
    };
    g.run(main(g, a, (r.id() + 1) % r.size()));
    EXPECT_EQ(a.local()[0], 400);
    a.local()[0] = 0;
    g.run(main(g, a, r.id()));
    EXPECT_EQ(a.local()[0], 400) << "to this rank itself";
  });
}

TEST_P(global_suite, PostsToThisRankAreServedBeforeTheRunEndsAndWhileTasksRun) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto a = g.heap().allocate_owned<std::int64_t>(100);
    const auto mine = a.begin() + a.layout().global(r.id(), 0);
    const auto main = [](global_tasks& g, global_address<std::int64_t> mine) -> task<> {
      // More than the buffer holds, then a few that nothing but a round of turns serves.
      for (int k = 0; k < 10000; ++k) co_await g.post(mine + k % 100, [](std::int64_t& x) { ++x; });
      auto& first = g.heap().array_of(mine).local()[0];
      while (first < 100) co_await yield_now();
      co_await g.post(mine, [](std::int64_t& x) { ++x; });
    };
    g.run(main(g, mine));
    EXPECT_EQ(a.local()[0], 101);
    for (const std::int64_t n : a.local().subspan(1)) ASSERT_EQ(n, 100);
    EXPECT_EQ(g.counters().local, 10001);
    EXPECT_EQ(g.counters().messages, 0);
  });
}

}  // namespace
}  // namespace gossamer
