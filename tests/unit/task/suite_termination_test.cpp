// How runs over ranks end: trees of tasks, phases, and tasks that nobody can wake.
#include <cstdint>

#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/global_tasks.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

/// A tree of which every node is a task on another rank than its parent's; nodes are counted by
/// where they ran.
task<> grow(global_tasks& g, global_array<std::int64_t> nodes, int depth, int branches) {
  ++nodes.local()[0];
  for (int b = 0; depth > 0 && b < branches; ++b) {
    const int to = (g.id() + b + 1) % g.size();
    const auto at = nodes.begin();
    co_await g.spawn_on(to, [=](global_tasks& there) {
      return grow(there, there.heap().array_of(at), depth - 1, branches);
    });
  }
}

TEST_P(global_suite, EndsWhenTheLastTaskOfATreeHas) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    const auto nodes = g.heap().allocate_owned<std::int64_t>(1);
    const auto root = [](global_tasks& g, global_array<std::int64_t> nodes) -> task<> {
      if (g.id() == 0) co_await grow(g, nodes, 8, 3);
    };
    g.run(root(g, nodes));
    EXPECT_EQ(sum_over(r, nodes.local()[0]), (19683 - 1) / 2);  // (3^9 - 1) / 2
  });
}

TEST_P(global_suite, AThinChainThatCrossesAllRanksIsNotCutOff) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto nodes = g.heap().allocate_owned<std::int64_t>(1);
    const auto root = [](global_tasks& g, global_array<std::int64_t> nodes) -> task<> {
      if (g.id() == g.size() - 1) co_await grow(g, nodes, 200, 1);
    };
    g.run(root(g, nodes));
    EXPECT_EQ(sum_over(r, nodes.local()[0]), 201);
  });
}

TEST_P(global_suite, PhasesDoNotMix) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto a = g.heap().allocate_owned<std::int64_t>(1);
    const auto add = [](global_tasks& g, global_array<std::int64_t> a) -> task<> {
      for (int to = 0; to < g.size(); ++to) co_await g.post(a[to], [](std::int64_t& x) { ++x; });
    };
    for (int phase = 1; phase <= 20; ++phase) {
      g.run(add(g, a));
      // Exactly this phase's: nothing late, nothing of a rank that is ahead.
      ASSERT_EQ(a.local()[0], std::int64_t{phase} * r.size());
    }
  });
}

TEST_P(global_suite, TasksThatNobodyCanWakeAreReportedWithTheirRank) {
  const auto text = thrown([](rank& r) {
    global_tasks g(r, plain());
    const auto words = g.heap().allocate_owned<full_empty<int>>(1);
    const auto main = [](global_tasks& g, global_array<full_empty<int>> words) -> task<> {
      if (g.id() != 0) co_return;
      co_await g.call_task(words[g.size() - 1],
                           [](full_empty<int>& w) -> task<int> { co_return co_await w.read_ff(); });
    };
    g.run(main(g, words));
  });
  const int last = m.size() - 1;
  const auto on = [](int rank) { return "deadlock on rank " + std::to_string(rank) + ": "; };
  expect_contains(text, "global tasks: " + on(0));
  expect_contains(text, "1 in delegate");
  expect_contains(text, "1 in readFF of 0x");
  if (last > 0) {
    expect_contains(text, "; " + on(last) + "1 tasks have not ended");
  }
}

TEST_P(global_suite, ATasksErrorEndsTheRun) {
  const auto text = thrown([](rank& r) {
    global_tasks g(r, plain());
    const auto main = [](global_tasks& g) -> task<> {
      co_await g.spawn_on(g.size() - 1, [](global_tasks& there) -> task<> {
        co_await yield_now();
        if (there.served() + 1 > 0) throw usage_error("a task failed");
      });
    };
    g.run(main(g));
  });
  expect_contains(text, "a task failed");
}

}  // namespace
}  // namespace gossamer
