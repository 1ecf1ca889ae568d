// Ranks that are stuck: the run ends within its deadline, in an error that names the rank and its
// queue.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/dataflow/distributed_worklist.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

/// Sends `burst` items to the next rank for its one initial item; what an item does at its target
/// is the test's.
struct courier {
  using item = int;
  using message = int;
  static constexpr bool passes_on = false;
  int self, ranks, burst;
  std::function<void()> at_target;

  message pack(const item& x) { return x; }
  item unpack(const message& m) { return m; }
  route on_send(const item&) { return route::send((self + 1) % ranks); }
  route on_receive(const message&) { return route::keep(); }
  double priority(const item&) { return 0; }
  bool enter(const item&, bool) { return true; }
  bool revive(const item&) { return true; }
  template <class Emit>
  void work(rank&, std::span<const item> batch, Emit&& emit, worklist_counters&) {
    for (const int x : batch) {
      if (x == 0)
        for (int i = 0; i < burst; ++i) emit(1);
      else
        at_target();
    }
  }
};

worklist_options small() {
  worklist_options options;
  options.name = "couriers";
  options.parcels = {64, 2};      // 16 items
  options.soft_priority = false;  // the first item is worked on before anybody reports
  return options;
}

run_options within(std::chrono::milliseconds deadline) {
  run_options run;
  run.deadline = deadline;
  return run;
}

/// What m.run throws, as text; and it has to be a time-out of rank 0's watch over rank 1, soon.
std::string stuck_text(machine& m, const std::function<void(rank&)>& program,
                       const run_options& run) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    m.run(program, run);
  } catch (const rank_error& e) {
    EXPECT_TRUE(e.timed_out());
    EXPECT_EQ(e.peer(), 1);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
    return e.what();
  }
  return "nothing was thrown";
}

/// The test has to end: a stuck rank goes on when another has failed.
void run_or_say(distributed_worklist<courier>& work, std::atomic<bool>& over) {
  try {
    work.run();
  } catch (...) {
    over = true;
    throw;
  }
}

void expect_begins(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.substr(0, part.size()), part) << text;
}

TEST(Watchdog, NamesARankWhoseWorkDoesNotEnd) {
  auto m = machine::open("cpu:3x1");
  std::atomic<bool> over{false};
  const std::vector<std::int64_t> capacity(3, 64);
  const auto text = stuck_text(
      m,
      [&](rank& r) {
        courier mine{r.id(), 3, 1, [&] {
                       while (!over) std::this_thread::sleep_for(1ms);
                     }};
        distributed_worklist<courier> work(mine, r.id(), capacity, small());
        work.begin(r);
        if (r.id() == 0) work.push(0);
        run_or_say(work, over);
      },
      within(1s));
  expect_begins(text, "couriers: rank 1 is stuck: it");
}

TEST(Watchdog, NamesARankThatTakesNothingOutOfItsInbox) {
  // Its heart beats, but it never looks: in no wait of the fabric's would that be a fault.
  auto m = machine::open("cpu:2x1");
  std::atomic<bool> over{false};
  const std::vector<std::int64_t> capacity(2, 64);
  for (const int burst : {5, 60}) {  // within its places, and beyond
    over = false;
    const auto text = stuck_text(
        m,
        [&](rank& r) {
          courier mine{r.id(), 2, burst, [] {}};
          distributed_worklist<courier> work(mine, r.id(), capacity, small());
          work.begin(r);
          if (r.id() == 1) {
            while (!over) {
              r.progress();
              std::this_thread::sleep_for(1ms);
            }
            return;
          }
          work.push(0);
          run_or_say(work, over);
        },
        within(1s));
    std::string begin = "couriers: rank 1 is stuck: its queue 'inbox from rank 0' has ";
    begin += burst == 5 ? "1" : "2";
    begin += " parcels that it does not take for 1";
    expect_begins(text, begin);
    EXPECT_NE(text.find("(seen by rank 0)"), std::string::npos) << text;
  }
}

TEST(Watchdog, NamesARankThatDoesNotReport) {
  auto m = machine::open("cpu:2x1");
  std::atomic<bool> over{false};
  const std::vector<std::int64_t> capacity(2, 64);
  const auto text = stuck_text(
      m,
      [&](rank& r) {
        courier mine{r.id(), 2, 1, [] {}};
        distributed_worklist<courier> work(mine, r.id(), capacity, small());
        work.begin(r);
        if (r.id() == 1) {
          while (!over) std::this_thread::sleep_for(1ms);
          return;
        }
        run_or_say(work, over);
      },
      within(1s));
  expect_begins(text, "couriers: rank 1 is stuck: it has not reported in round 0 for 1");
}

TEST(Watchdog, KnowsOnModelledTimeThatNothingCanHappen) {
  auto m = machine::open("sim:peach2,ranks=2");
  const std::vector<std::int64_t> capacity(2, 64);
  const auto text = stuck_text(
      m,
      [&](rank& r) {
        courier mine{r.id(), 2, 1, [] {}};
        distributed_worklist<courier> work(mine, r.id(), capacity, small());
        work.begin(r);
        if (r.id() == 0) work.run();
      },
      within(60s));
  EXPECT_EQ(text,
            "couriers: rank 1 is stuck: it has not reported in round 0, and "
            "nothing can happen any more (seen by rank 0)");
}

TEST(Watchdog, LetsASlowRankBe) {
  // Longer than the deadline, but alive: it says so by progress().
  auto m = machine::open("cpu:2x1");
  const std::vector<std::int64_t> capacity(2, 64);
  std::atomic<int> done{0};
  m.run(
      [&](rank& r) {
        courier mine{r.id(), 2, 1, [&] {
                       for (int i = 0; i < 200; ++i) {
                         std::this_thread::sleep_for(10ms);
                         r.progress();
                       }
                       ++done;
                     }};
        distributed_worklist<courier> work(mine, r.id(), capacity, small());
        work.begin(r);
        if (r.id() == 0) work.push(0);
        work.run();
      },
      within(1s));
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace gossamer
