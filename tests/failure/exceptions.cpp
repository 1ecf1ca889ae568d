// What a program can do wrong with failures themselves: exceptions that are no std::exception,
// failures that are swallowed, failures while others fail.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/run_membership.hpp"
#include "message_of.hpp"
#include "run_beside.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

struct no_exception_class {
  int code;
};

run_options bounded() {
  run_options options;
  options.deadline = 20s;
  return options;
}

TEST(failure, a_time_limit_says_that_it_ran_out) {
  auto m = machine::open("cpu:3x1");
  std::stop_source stop;
  run_options options = bounded();
  options.cancel = stop.get_token();
  options.overdue = [] { return std::string("the search did not end within 3 s"); };
  std::atomic<int> told{0};
  const auto program = [&](rank& r) {
    const auto flag = r.make_signal();
    if (r.id() == 1) stop.request_stop();
    try {
      r.wait_signal(flag, 1, 0);
    } catch (const rank_error& e) {
      EXPECT_TRUE(e.timed_out());
      EXPECT_STREQ(e.what(), "the search did not end within 3 s");
      ++told;
      throw;
    }
  };
  EXPECT_THROW(m.run(program, options), rank_error);
  EXPECT_EQ(told, 3);
}

TEST(failure, an_exception_of_a_foreign_class_comes_back_as_it_was) {
  auto m = machine::open("cpu:4x1");
  std::atomic<int> told{0};
  try {
    m.run(
        [&](rank& r) {
          if (r.id() == 2) throw no_exception_class{77};
          try {
            r.barrier();
          } catch (const rank_error& e) {
            const std::string text = e.what();
            EXPECT_EQ(e.rank(), 2) << text;
            EXPECT_EQ(text, "rank " + std::to_string(r.id()) +
                                " stopped because rank 2 failed: unknown exception");
            ++told;
            throw;
          }
        },
        bounded());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const no_exception_class& e) {
    EXPECT_EQ(e.code, 77);
  }
  EXPECT_EQ(told, 3);
}

TEST(failure, a_rank_that_swallows_the_failure_meets_it_again) {
  auto m = machine::open("cpu:2x1");
  std::atomic<int> met{0};
  EXPECT_THROW(m.run(
                   [&](rank& r) {
                     auto w = r.make_window<int>(1);
                     if (r.id() == 1) throw std::runtime_error("gone");
                     for (int i = 0; i < 3; ++i) try {
                         r.barrier();
                       } catch (const rank_error&) {
                         ++met;
                       }
                     const int one[] = {1};
                     try {
                       r.put(w, 0, 0, one);  // waits for nobody, but must not go on either
                     } catch (const rank_error&) {
                       ++met;
                     }
                   },
                   bounded()),
               std::runtime_error);
  EXPECT_EQ(met, 4);
  int value = 0;
  m.run(
      [&](rank& r) {
        r.barrier();
        if (r.id() == 0) value = 5;
      },
      bounded());
  EXPECT_EQ(value, 5);
}

TEST(failure, a_failure_during_unwinding_does_not_hide_the_first) {
  auto m = machine::open("cpu:3x1");
  try {
    m.run(
        [&](rank& r) {
          auto flag = r.make_signal();
          if (r.id() == 0) throw std::runtime_error("first");
          try {
            r.wait_signal(flag, 1);
          } catch (const rank_error&) {
            throw std::logic_error("second, from a handler");
          }
        },
        bounded());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& e) {
    EXPECT_STREQ(e.what(), "first");
  }
}

TEST(failure, a_run_inside_a_run_of_the_same_machine_is_refused) {
  auto m = machine::open("cpu:2x1"), other = machine::open("cpu:1x1");
  std::atomic<int> inner{0};
  const auto nest = [&](machine& between) {
    try {
      m.run(
          [&](rank& r) {
            if (r.id() == 0) between.run([&](rank&) { m.run([&](rank&) { ++inner; }); });
            r.barrier();
          },
          bounded());
    } catch (const usage_error& e) {
      EXPECT_STREQ(e.what(),
                   "machine 'cpu:2x1': run() from inside a run of the same machine, which would "
                   "wait for itself");
      return;
    }
    ADD_FAILURE() << "it ran";
  };
  nest(m);
  nest(other);  // by way of another's thread
  const auto on_a_thread = [&](const run_membership& of, std::exception_ptr& failure) {
    const run_membership::scope inside(of);
    try {
      m.run([&](rank&) { ++inner; });
    } catch (...) {
      failure = std::current_exception();
    }
  };
  EXPECT_THROW(m.run([&](rank&) {
    std::exception_ptr failure;  // by way of one that works for a rank
    std::thread(on_a_thread, run_membership(), std::ref(failure)).join();
    if (failure) std::rethrow_exception(failure);
  }),
               usage_error);
  EXPECT_EQ(inner, 0);
  m.run([&](rank& r) {
    if (r.id() == 0) other.run([&](rank&) { ++inner; });
  });
  EXPECT_EQ(inner, 1) << "another machine's is none of its business";
}

TEST(failure, a_stop_ends_the_wait_for_another_run_of_the_machine) {
  auto m = machine::open("cpu:1x1");
  const run_beside first(m);
  EXPECT_EQ(cancelled_while_waiting(m), "cancelled before it began: another run has the machine");
  run_options limited;
  limited.overdue = [] { return std::string("the search did not begin within 3 s"); };
  EXPECT_EQ(cancelled_while_waiting(m, limited), "timed out: the search did not begin within 3 s");
}

TEST(failure, a_run_waits_for_one_that_makes_progress_and_gives_up_on_one_that_makes_none) {
  auto m = machine::open("cpu:1x1");
  run_options soon;
  soon.deadline = 50ms;
  const auto waits = [&] {
    try {
      m.run([](rank&) {}, soon);
    } catch (const rank_error& e) {
      return (e.timed_out() ? "timed out: " : "") + std::string(e.what());
    }
    return std::string("ran");
  };
  {
    const run_beside stuck(m, soon);
    const std::string said = waits();
    EXPECT_EQ(said.rfind("timed out: machine 'cpu:1x1': waited for the machine, which a run of "
                         "machine 'cpu:1x1' has that has made no progress for 1.",
                         0),
              0u)
        << said;
  }
  run_beside works(m, soon, true);
  std::jthread ends([&] {
    std::this_thread::sleep_for(1500ms);  // more than 2 x 50 ms and a second
    works.end();
  });
  EXPECT_EQ(waits(), "ran");
}

TEST(failure, runs_that_make_no_sense_are_refused) {
  auto m = machine::open("cpu:1x1");
  run_options options;
  EXPECT_THROW(m.run(nullptr, options), usage_error);
  options.deadline = -5s;
  EXPECT_THROW(m.run([](rank&) {}, options), usage_error);
  options.deadline.reset();
  options.arenas = {arena_plan{.native = static_cast<std::size_t>(-10)}};
  EXPECT_THROW(m.run([](rank&) {}, options), capacity_error);
}

TEST(failure, usage_errors_name_the_call) {
  auto m = machine::open("cpu:2x1");
  auto text_of = [&](auto&& program) -> std::string {
    return message_of<usage_error>([&] { m.run(program, bounded()); });
  };
  EXPECT_EQ(text_of([](rank& r) {
              auto w = r.make_window<int>(4);
              if (r.id() == 0) {
                r.put(w, 1, 3, std::vector<int>(2));
              } else {
                r.barrier();
              }
            }),
            "window 2: elements 3 … 5 lie outside rank 1's 4");
  EXPECT_EQ(text_of([](rank& r) {
              auto w = r.make_window<int>(4);
              if (r.id() == 0) {
                r.fetch_add(w, 2, 0, 1);
              } else {
                r.barrier();
              }
            }),
            "window 2: no rank 2 among 2");
  EXPECT_EQ(text_of([](rank& r) {
              if (r.id() == 0) r.flush(-1);
              r.barrier();
            }),
            "flush: no rank -1 among 2");
  for (const int from : {2, -2, 100'000'000})
    EXPECT_EQ(text_of([from](rank& r) {
                auto flag = r.make_signal();
                if (r.id() == 0) r.wait_signal(flag, 1, from);
                r.barrier();
              }),
              "wait_signal: no rank " + std::to_string(from) + " among 2");
  EXPECT_EQ(text_of([](rank& r) { static_cast<void>(r.make_window<int>(4).direct(2)); }),
            "window 2: no rank 2 among 2");
  EXPECT_EQ(text_of([](rank& r) {
              if (r.id() == 0) r.nudge(2);
              r.barrier();
            }),
            "nudge: no rank 2 among 2");
  EXPECT_EQ(text_of([](rank& r) {
              auto w = r.make_window<int>(4, home::host);
              if (r.id() == 0) r.wait_word(w.table(), 0, 1, 1);
              r.barrier();
            }),
            "wait_word: needs a host-memory window of 64-bit words");
}

}  // namespace
}  // namespace gossamer
