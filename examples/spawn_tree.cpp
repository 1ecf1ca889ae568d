// Fibonacci numbers by a tree of tasks: the smallest program that does nothing but spawn and join.
//
//   spawn_tree [N [SPEC]]      e.g. spawn_tree 27 cpu:2x1
//
// Every call down to a few levels is two tasks; below, plain recursion, as one would do with any
// work that is too small for a task. On several ranks the tree's upper levels are spread over them.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "gossamer/machine/machine.hpp"
#include "gossamer/task/global_tasks.hpp"
#include "gossamer/task/task_group.hpp"

using namespace gossamer;

static std::int64_t plain(int n) {
  return n < 2 ? n : plain(n - 1) + plain(n - 2);
}

static task<> fibonacci(scheduler& s, int n, std::int64_t& result) {
  if (n < 12) {
    result = plain(n);
    co_return;
  }
  std::int64_t left = 0, right = 0;
  task_group both(s);
  both.spawn(fibonacci(s, n - 1, left));
  both.spawn(fibonacci(s, n - 2, right));
  co_await both.join();
  result = left + right;
}

static task<std::int64_t> here(global_tasks& g, int n) {
  std::int64_t result = 0;
  co_await fibonacci(g.local(), n, result);
  co_return result;
}

/// A level that is spread: its left half runs here, its right half on another rank.
static task<std::int64_t> spread(global_tasks& g, int n, int levels) {
  if (n < 2 || levels == 0) co_return co_await here(g, n);
  const int other = (g.id() + levels) % g.size();
  const std::int64_t right = co_await g.call_task_on(
      other, [=](global_tasks& there) { return spread(there, n - 2, levels - 1); });
  co_return right + co_await spread(g, n - 1, levels - 1);
}

int main(int count, char** arguments) try {
  const int n = count > 1 ? std::atoi(arguments[1]) : 27;
  auto m = machine::open(count > 2 ? arguments[2] : "cpu:2x1");
  require(n >= 0 && n <= 60, "N lies between 0 and 60");
  m.run([&](rank& r) {
    global_tasks g(r);
    const auto root = [](global_tasks& g, int n) -> task<> {
      if (g.id() == 0) std::cout << "fibonacci(" << n << ") = " << co_await spread(g, n, 4) << "\n";
    };
    g.run(root(g, n));
  });
  return 0;
} catch (const std::exception& e) {
  std::cerr << "spawn_tree: " << e.what() << "\n";
  return 2;
}
