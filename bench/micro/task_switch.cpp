// What a switch between tasks costs, beside the least that the language allows and beside stackful
// fibers; what a spawn and a join cost; the memory of a task that waits. Prints nanoseconds,
// medians of several runs, and bytes; then one JSON line.
#include <algorithm>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/stackful.hpp"
#include "gossamer/task/task_group.hpp"
#ifdef GOSSAMER_BENCH_FIBERS
#include <boost/context/fiber.hpp>
#endif

namespace {

using namespace gossamer;

constexpr long switches = 8'000'000;
constexpr int runs = 9;

double median_ns(double operations, const std::function<void()>& work) {
  std::vector<double> ns;
  for (int i = 0; i < runs; ++i) {
    const auto begin = steady::now();
    work();
    ns.push_back(std::chrono::duration<double, std::nano>(steady::now() - begin).count() /
                 operations);
  }
  std::nth_element(ns.begin(), ns.begin() + runs / 2, ns.end());
  return ns[runs / 2];
}

// --- the floor: coroutines without a scheduler --------------------------------------------------

struct bare {
  struct promise_type {
    bare get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

bare suspends() {
  for (;;) co_await std::suspend_always();
}

double bare_resume() {
  const bare c = suspends();
  const double ns = median_ns(switches, [&c] {
    for (long i = 0; i < switches; ++i) c.handle.resume();
  });
  c.handle.destroy();
  return ns;
}

// From frame to frame without a scheduler: whoever is next is known. GCC makes such a transfer a
// jump from -O2 on; without that the stack grows by a frame each time.
struct transfer {
  const std::coroutine_handle<>& to;
  [[nodiscard]] bool await_ready() const { return false; }
  [[nodiscard]] std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const { return to; }
  void await_resume() const {}
};

bare passes(const std::coroutine_handle<>& next) {
  for (;;) co_await transfer{next};
}
/// The ring's first, which counts, and after so many laps gives the turn back to main().
bare passes_and_counts(const std::coroutine_handle<>& next, const long& laps) {
  for (;;) {
    for (long left = laps; left > 0; --left) co_await transfer{next};
    co_await std::suspend_always();
  }
}

double symmetric_ring(std::size_t members) {
  const long laps = switches / static_cast<long>(members);
  std::vector<std::coroutine_handle<>> ring(members);
  ring[0] = passes_and_counts(ring[1], laps).handle;
  for (std::size_t i = 1; i < members; ++i) ring[i] = passes(ring[(i + 1) % members]).handle;
  const double ns = median_ns(switches, [&ring] { ring[0].resume(); });
  for (const auto& member : ring) member.destroy();
  return ns;
}

// --- tasks --------------------------------------------------------------------------------------

task<> yields(long times) {
  for (; times > 0; --times) co_await yield_now();
}

double task_switch(int tasks) {
  return median_ns(switches, [tasks] {
    scheduler s;
    for (int t = 0; t < tasks; ++t) s.spawn(yields(switches / tasks));
    s.run();
  });
}

/// The same on stacks: a task is made for each wait, and two stacks are left.
double stackful_switch(int tasks) {
  constexpr long all = switches / 8;
  return median_ns(all, [tasks] {
    scheduler s;
    for (int t = 0; t < tasks; ++t)
      s.spawn(on_own_stack([tasks] {
        for (long i = 0; i < all / tasks; ++i) await_here(yield_now());
      }));
    s.run();
  });
}

task<> nothing() {
  co_return;
}
task<> spawns(scheduler& s, long rounds, int at_a_time) {
  task_group group(s);
  for (; rounds > 0; --rounds) {
    for (int i = 0; i < at_a_time; ++i) group.spawn(nothing());
    co_await group.join();
  }
}

double spawn_and_join(int at_a_time) {
  constexpr long tasks = 2'000'000;
  return median_ns(tasks, [at_a_time] {
    scheduler s;
    s.run(spawns(s, tasks / at_a_time, at_a_time));
  });
}

task<> fills(full_empty<long>& w, long times) {
  for (; times > 0; --times) co_await w.write_ef(times);
}
task<> drains(full_empty<long>& w, long times, long& sum) {
  for (; times > 0; --times) sum += co_await w.read_fe();
}

double word_handover() {
  constexpr long values = 2'000'000;
  return median_ns(values, [] {
    scheduler s;
    full_empty<long> w;
    long sum = 0;
    s.spawn(fills(w, values));
    s.run(drains(w, values, sum));
    if (sum != values * (values + 1) / 2) std::abort();
  });
}

task<> waits(full_empty<long>& w) {
  co_await w.read_ff();
}

double bytes_of_a_waiting_task() {
  constexpr int tasks = 1000;
  scheduler s;
  full_empty<long> w;
  const std::size_t before = frame_pool::mine().bytes();
  for (int i = 0; i < tasks; ++i) s.spawn(waits(w));
  const std::size_t after = frame_pool::mine().bytes();
  w.write_xf(1);
  s.run();
  return static_cast<double>(after - before) / tasks;
}

// --- fibers -------------------------------------------------------------------------------------

#ifdef GOSSAMER_BENCH_FIBERS
double fiber_switch() {
  namespace context = boost::context;
  long left = 0;
  context::fiber f([&left](context::fiber&& back) {
    while (left > 0) {
      --left;
      back = std::move(back).resume();
    }
    return std::move(back);
  });
  // There and back are two switches.
  return median_ns(switches, [&f, &left] {
    left = 1L << 60;
    for (long i = 0; i < switches / 2; ++i) f = std::move(f).resume();
  });
}
#endif

}  // namespace

int main() {
  std::vector<std::pair<std::string, double>> rows = {
      {"bare resume", bare_resume()},
      {"symmetric transfer, ring of 32", symmetric_ring(32)},
      {"switch, 2 tasks", task_switch(2)},
      {"switch, 32 tasks", task_switch(32)},
      {"switch, 1024 tasks", task_switch(1024)},
      {"switch, 32 stackful tasks", stackful_switch(32)},
      {"spawn and join, 1 at a time", spawn_and_join(1)},
      {"spawn and join, 1000 at a time", spawn_and_join(1000)},
      {"value through a full/empty word", word_handover()},
  };
#ifdef GOSSAMER_BENCH_FIBERS
  rows.emplace_back("Boost.Context switch", fiber_switch());
#endif
  std::string json = "{\"nanoseconds\": {";
  for (const auto& [name, ns] : rows) {
    std::printf("%-34s %7.2f ns\n", name.c_str(), ns);
    json += (json.back() == '{' ? "\"" : ", \"") + name + "\": " + std::to_string(ns);
  }
  const double bytes = bytes_of_a_waiting_task();
  std::printf("%-34s %7.0f bytes\n", "task waiting on a full/empty word", bytes);
  std::printf("%s}, \"bytes of a waiting task\": %.0f}\n", json.c_str(), bytes);
}
