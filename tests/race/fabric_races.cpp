// Programs for ThreadSanitizer: plain (not atomic) data, handed over by every means that promises
// to order it. They also run without it, where they check the values.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

run_options bounded() {
  run_options options;
  options.deadline = 60s;
  return options;
}

machine open(int p) {
  return machine::open("cpu:" + std::to_string(p) + "x1");
}

class race : public ::testing::TestWithParam<int> {};

TEST_P(race, plain_stores_before_a_signal) {
  auto m = open(GetParam());
  m.run(
      [](rank& r) {
        auto w = r.make_window<int>(16);
        auto full = r.make_signal(), empty = r.make_signal();
        const int next = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
        for (int round = 1; round <= 200; ++round) {
          r.wait_signal(empty, static_cast<std::uint64_t>(round - 1), next);
          for (auto& x : w.direct(next)) x = round + r.id();
          r.raise(full, next, static_cast<std::uint64_t>(round));
          r.wait_signal(full, static_cast<std::uint64_t>(round), before);
          for (const int x : w.local()) ASSERT_EQ(x, round + before);
          r.raise(empty, before, static_cast<std::uint64_t>(round));
        }
      },
      bounded());
}

TEST_P(race, rings_of_put_signal_between_all) {
  auto m = open(GetParam());
  m.run(
      [](rank& r) {
        const auto p = static_cast<std::size_t>(r.size()), me = static_cast<std::size_t>(r.id());
        constexpr std::size_t slots = 4, n = 8;  // each pair has a ring of four slots
        auto w = r.make_window<std::uint32_t>(p * slots * n);
        auto produced = r.make_signals(p), consumed = r.make_signals(p);
        for (std::uint64_t k = 0; k < 40; ++k) {
          const std::vector<std::uint32_t> item(n, static_cast<std::uint32_t>(k * p + me));
          for (std::size_t peer = 0; peer < p; ++peer) {
            if (k >= slots) r.wait_signal(consumed[peer], k + 1 - slots, static_cast<int>(peer));
            r.put_signal(w, static_cast<int>(peer), (me * slots + k % slots) * n, item,
                         produced[me], 1, signal_op::add);
          }
          for (std::size_t peer = 0; peer < p; ++peer) {
            r.wait_signal(produced[peer], k + 1, static_cast<int>(peer));
            const auto got = w.local().subspan((peer * slots + k % slots) * n, n);
            for (const auto x : got) ASSERT_EQ(x, k * p + peer);
            r.raise(consumed[me], static_cast<int>(peer), 1, signal_op::add);
          }
        }
      },
      bounded());
}

TEST_P(race, many_writers_add_to_one_signal) {
  auto m = open(GetParam());
  m.run(
      [](rank& r) {
        auto w = r.make_window<int>(static_cast<std::size_t>(r.size()));
        auto flags = r.make_signals(2);
        for (int round = 1; round <= 50; ++round) {
          w.direct(0)[static_cast<std::size_t>(r.id())] = round;
          r.raise(flags[0], 0, 1, signal_op::add);
          const auto all = static_cast<std::uint64_t>(round * r.size());
          if (r.id() == 0) {
            r.wait_any(flags, 0, 1, all);
            for (const int x : w.local()) ASSERT_EQ(x, round);
            for (int peer = 0; peer < r.size(); ++peer) r.raise(flags[1], peer, round);
          }
          while (!r.test_signal(flags[1], static_cast<std::uint64_t>(round)))
            std::this_thread::yield();
        }
      },
      bounded());
}

TEST_P(race, plain_stores_before_a_barrier) {
  auto m = open(GetParam());
  m.run(
      [](rank& r) {
        auto w = r.make_window<long>(static_cast<std::size_t>(r.size()));
        for (long round = 1; round <= 50; ++round) {
          for (int peer = 0; peer < r.size(); ++peer)
            w.direct(peer)[static_cast<std::size_t>(r.id())] = round;
          r.barrier();
          for (const long x : w.local()) ASSERT_EQ(x, round);
          r.barrier();
        }
      },
      bounded());
}

TEST_P(race, plain_stores_before_an_allreduce) {
  auto m = open(GetParam());
  std::vector<long> shared(static_cast<std::size_t>(m.size()));
  m.run(
      [&](rank& r) {
        scalar_plan<long> plan(r);
        scalar_plan<float> other(r);
        std::vector<float> all(static_cast<std::size_t>(r.size()));
        for (long round = 1; round <= 50; ++round) {
          shared[static_cast<std::size_t>(r.id())] = round;
          ASSERT_EQ(plan.allreduce(round, reduction::sum), round * r.size());
          for (const long x : shared) ASSERT_EQ(x, round);
          other.allgather(static_cast<float>(r.id()), all);
          for (int peer = 0; peer < r.size(); ++peer)
            ASSERT_EQ(all[static_cast<std::size_t>(peer)], static_cast<float>(peer));
        }
      },
      bounded());
}

TEST_P(race, a_lock_and_tickets) {
  auto m = open(GetParam());
  long inside = 0;
  m.run(
      [&](rank& r) {
        auto w = r.make_window<std::uint32_t>(2);
        r.fill(w.local().data(), 0, 2 * sizeof(std::uint32_t));
        r.barrier();
        for (int i = 0; i < 20; ++i) {
          // A ticket lock: fetch_add takes one, compare_and_swap serves the next.
          const auto ticket = r.fetch_add(w, 0, 0, 1);
          while (r.compare_and_swap(w, 0, 1, ~ticket, ticket) != ticket)
            if (r.fetch_add(w, 0, 1, 0) != ticket) std::this_thread::yield();
          ++inside;
          r.fetch_add(w, 0, 1, 1);
        }
        r.barrier();
        ASSERT_EQ(inside, 20 * r.size());
      },
      bounded());
}

TEST_P(race, run_hands_over_both_ways) {
  auto m = open(GetParam());
  std::vector<int> in(static_cast<std::size_t>(m.size())), out(in.size());
  for (int run = 1; run <= 200; ++run) {
    for (auto& x : in) x = run;
    m.run(
        [&](rank& r) {
          const auto me = static_cast<std::size_t>(r.id());
          out[me] = in[me] + r.id();
        },
        bounded());
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], run + static_cast<int>(i));
  }
}

TEST_P(race, windows_are_reused_by_the_next_run) {
  auto m = open(GetParam());
  for (int run = 1; run <= 50; ++run)
    m.run(
        [&](rank& r) {
          auto w = r.make_window<int>(1000);
          for (auto& x : w.local()) x = run;
          r.barrier();
          ASSERT_EQ(w.direct((r.id() + 1) % r.size())[999], run);
        },
        bounded());
}

TEST_P(race, failures_of_several_ranks_at_once) {
  auto m = open(GetParam());
  for (int run = 0; run < 50; ++run) {
    std::vector<std::string> met(static_cast<std::size_t>(m.size()));
    EXPECT_THROW(m.run(
                     [&](rank& r) {
                       try {
                         // A rank may meet the failure here already, while others leave the call.
                         auto flag = r.make_signal();
                         if (r.id() % 2 == run % 2 || r.size() == 1)
                           throw std::runtime_error("from " + std::to_string(r.id()));
                         r.wait_signal(flag, 1);
                       } catch (const rank_error& e) {
                         met[static_cast<std::size_t>(r.id())] = e.what();
                         throw;
                       }
                     },
                     bounded()),
                 std::runtime_error);
    for (int r = 0; r < m.size(); ++r)
      if (r % 2 != run % 2 && m.size() > 1) {
        EXPECT_NE(met[static_cast<std::size_t>(r)].find("failed: from "), std::string::npos);
      }
  }
}

TEST_P(race, time_outs_of_several_ranks_at_once) {
  auto m = open(GetParam());
  auto options = bounded();
  options.deadline = 20ms;
  for (int run = 0; run < 5; ++run)
    EXPECT_THROW(m.run(
                     [&](rank& r) {
                       auto flag = r.make_signal();
                       r.wait_signal(flag, 1, (r.id() + 1) % r.size());
                     },
                     options),
                 rank_error);
}

TEST_P(race, cancellation_from_another_thread) {
  auto m = open(GetParam());
  for (int run = 0; run < 40; ++run) {
    std::stop_source stop;
    auto options = bounded();
    options.cancel = stop.get_token();
    std::atomic<bool> begun{false};
    std::thread other([&] {
      while (!begun) std::this_thread::yield();
      if (run % 2 == 0) std::this_thread::sleep_for(1ms);
      stop.request_stop();
    });
    try {
      m.run(
          [&](rank& r) {
            begun = true;
            auto flag = r.make_signal();
            if (run % 4 < 2)
              r.wait_signal(flag, 1);
            else
              for (int i = 0; i < 100; ++i) r.barrier();  // may end before it is cancelled
          },
          options);
    } catch (const cancelled_error&) {
    }
    other.join();
  }
  m.run([](rank& r) { r.barrier(); }, bounded());
}

TEST_P(race, callers_take_turns) {
  auto m = open(GetParam());
  long plain = 0;  // guarded by the machine's turn taking alone
  auto work = [&] {
    for (int i = 0; i < 30; ++i)
      m.run(
          [&](rank& r) {
            if (r.id() == 0) ++plain;
          },
          bounded());
  };
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  EXPECT_EQ(plain, 90);
}

INSTANTIATE_TEST_SUITE_P(ranks, race, ::testing::Values(1, 2, 3, 5, 8));

}  // namespace
}  // namespace gossamer
