// Functions with stacks of their own: waiting at any depth of calls, results, exceptions, and
// stacks that are unwound.
#include "gossamer/task/stackful.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/task_group.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

/// Yields at each leaf of a binary tree.
int leaves(int depth) {
  if (depth == 0) {
    await_here(yield_now());
    return 1;
  }
  return leaves(depth - 1) + leaves(depth - 1);
}

TEST(Stackful, WaitsAtAnyDepthOfCalls) {
  scheduler s;
  const auto main = []() -> task<int> {
    co_return co_await on_own_stack([] { return leaves(6); });
  };
  EXPECT_EQ(s.run(main()), 64);
}

TEST(Stackful, OthersRunMeanwhile) {
  scheduler s;
  std::vector<int> order;
  const auto steps = [&order](int who) {
    for (int i = 0; i < 3; ++i) {
      order.push_back(who);
      await_here(yield_now());
    }
  };
  const auto main = [&]() -> task<> {
    task_group group(s);
    for (int who : {1, 2, 3})
      group.spawn(
          [](auto run, int as) -> task<> { co_await on_own_stack([=] { run(as); }); }(steps, who));
    co_await group.join();
  };
  s.run(main());
  EXPECT_EQ(order, (std::vector{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST(Stackful, AwaitsWhatTasksAwait) {
  scheduler s;
  full_empty<int> word;
  const auto twice = [](int x) -> task<int> {
    co_await yield_now();
    co_return 2 * x;
  };
  int seen = 0;
  const auto main = [&]() -> task<> {
    task_group group(s);
    group.spawn([](full_empty<int>& from, auto twofold, int& into) -> task<> {
      co_await on_own_stack([&] {
        const std::function<int()> called_back = [&] { return await_here(from.read_fe()); };
        into = await_here(twofold(called_back()));
      });
    }(word, twice, seen));
    co_await yield_now();
    co_await word.write_ef(21);
    co_await group.join();
  };
  s.run(main());
  EXPECT_EQ(seen, 42);
  EXPECT_FALSE(word.full());
}

TEST(Stackful, ExceptionsPassBothWays) {
  scheduler s;
  const auto fails = []() -> task<> {
    co_await yield_now();
    throw std::runtime_error("below");
  };
  const auto main = [&]() -> task<std::string> {
    std::string seen;
    try {
      co_await on_own_stack([&] {
        try {
          await_here(fails());
        } catch (const std::runtime_error& e) {
          await_here(yield_now());  // while it is handled
          throw std::runtime_error(std::string(e.what()) + ", above");
        }
      });
    } catch (const std::runtime_error& e) {
      seen = e.what();
    }
    co_return seen;
  };
  EXPECT_EQ(s.run(main()), "below, above");
}

struct counted {
  explicit counted(int& count) : alive(count) { ++alive; }
  ~counted() { --alive; }
  int& alive;
};

TEST(Stackful, DestroyedOnesAreUnwound) {
  int alive = 0;
  bool caught = false;
  full_empty<int> never;
  {
    scheduler s;
    const auto main = [&]() -> task<> {
      co_await on_own_stack([&] {
        const counted outer(alive);
        try {
          const counted inner(alive);
          await_here(never.read_fe());
        } catch (...) {
          caught = true;
          await_here(yield_now());  // goes on unwinding
        }
      });
    };
    EXPECT_THROW(s.run(main()), deadlock_error);
  }
  EXPECT_TRUE(caught);
  EXPECT_EQ(alive, 0);
}

TEST(Stackful, ManyAtATimeAndStacksAgain) {
  scheduler s;
  std::vector<int> sums(200);
  for (int round = 0; round < 3; ++round) {
    const auto main = [&]() -> task<> {
      task_group group(s);
      for (int& sum : sums)
        group.spawn([](int& total) -> task<> {
          total += co_await on_own_stack([] { return leaves(3); }, 64 << 10);
        }(sum));
      co_await group.join();
    };
    s.run(main());
  }
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), 200 * 3 * 8);
}

TEST(Stackful, ElsewhereNobodyWaitsHere) {
  EXPECT_EQ(message_of<usage_error>([] { await_here(yield_now()); }),
            "await_here: only what on_own_stack runs may wait here");
}

}  // namespace
}  // namespace gossamer
