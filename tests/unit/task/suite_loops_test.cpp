// Loops over global arrays: every element once, at its owner, by tasks that may wait.
#include <array>
#include <cstdint>

#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/global_loop.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

using counts = global_array<std::int64_t>;

/// What an iteration leaves: its index and its rank.
constexpr auto mark = [](global_tasks& there, std::int64_t i, std::int64_t& x) -> task<> {
  if (i % 3 == 0) co_await yield_now();
  x += 1000 * i + there.id() + 1;
};

void expect_marked(rank& r, counts a, std::int64_t first, std::int64_t last) {
  a.for_each_local([&](std::int64_t i, std::int64_t& x) {
    ASSERT_EQ(x, i >= first && i < last ? 1000 * i + r.id() + 1 : 0) << i;
    x = 0;
  });
  r.barrier();
}

TEST_P(global_suite, LoopsOfTasksRunEachIterationOnceWhereItsElementIs) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto dealt = g.heap().allocate<std::int64_t>(500, 7);
    const auto owned = g.heap().allocate_owned<std::int64_t>(r.id() % 2 == 0 ? 40 : 3);
    const auto main = [](global_tasks& g, counts a, std::int64_t first, std::int64_t last,
                         loop_options o) -> task<> {
      if (g.id() == g.size() - 1) co_await parallel_for(g, a, first, last, o, mark);
    };
    for (const counts a : {dealt, owned})
      for (const auto& [first, last] :
           {std::array<std::int64_t, 2>{0, a.size()}, {13, 31}, {20, 20}, {30, 10}})
        for (const loop_options o : {loop_options{}, loop_options{1, 1}, loop_options{3, 10}}) {
          g.run(main(g, a, first, last, o));
          expect_marked(r, a, first, last);
        }
  });
}

TEST_P(global_suite, IterationsMayWaitForOtherRanksMemory) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    constexpr std::int64_t n = 300;
    const auto from = g.heap().allocate<std::int64_t>(n, 5),
               to = g.heap().allocate<std::int64_t>(n);
    from.for_each_local([](std::int64_t i, std::int64_t& x) { x = i * i; });
    // Backwards, so that source and target seldom have one owner.
    const auto main = [](global_tasks& g, counts from, counts to) -> task<> {
      if (g.id() != 0) co_return;
      co_await parallel_for(
          g, to, 0, n, {},
          [source = from.begin()](global_tasks& there, std::int64_t i, std::int64_t& x) -> task<> {
            x = co_await there.call(source + (n - 1 - i), [](std::int64_t& v) { return v; });
          });
      // All is there when the loop has ended.
      EXPECT_EQ(co_await g.call(to[7], [](std::int64_t& v) { return v; }), (n - 8) * (n - 8));
    };
    g.run(main(g, from, to));
    to.for_each_local(
        [](std::int64_t i, std::int64_t& x) { ASSERT_EQ(x, (n - 1 - i) * (n - 1 - i)); });
  });
}

TEST_P(global_suite, LoopsThrowWhatAnIterationThrewAndRefuseWhatMakesNoSense) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto a = g.heap().allocate<std::int64_t>(100);
    const auto main = [](global_tasks& g, counts a) -> task<> {
      if (g.id() != 0) co_return;
      const auto run = [&](std::int64_t first, std::int64_t last,
                           loop_options o) -> task<std::string> {
        try {
          co_await parallel_for(g, a, first, last, o,
                                [](global_tasks&, std::int64_t i, std::int64_t& x) -> task<> {
                                  co_await yield_now();
                                  if (i == 57) throw usage_error("no such vertex");
                                  ++x;
                                });
        } catch (const error& e) {
          co_return e.what();
        }
        co_return "nothing was thrown";
      };
      expect_contains(co_await run(0, 100, {}), "no such vertex");
      EXPECT_EQ(co_await run(0, 57, {}), "nothing was thrown");
      expect_contains(co_await run(0, 101, {}), "a range outside of its array");
      expect_contains(co_await run(-1, 5, {}), "a range outside of its array");
      expect_contains(co_await run(0, 5, {.in_flight = 0}), "must be positive");
    };
    g.run(main(g, a));
  });
}

}  // namespace
}  // namespace gossamer
