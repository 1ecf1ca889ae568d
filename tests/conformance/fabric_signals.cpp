// Signals: a signal seen means the data is there; counters lose nothing; waits of every kind.
#include <thread>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {

// Everybody puts a block to everybody, signals, waits, checks and acknowledges, many rounds.
void check_ordering(rank& r, home data_home, home flag_home, signal_op op, int rounds) {
  constexpr std::size_t n = 33;
  const auto p = static_cast<std::size_t>(r.size()), me = static_cast<std::size_t>(r.id());
  auto w = r.make_window<std::uint64_t>(n * p, data_home);
  auto arrived = r.make_signals(p, flag_home), read = r.make_signals(p, flag_home);
  auto from = r.scratch<std::uint64_t>(n * p, home::host);
  std::size_t wrong = 0;
  for (int round = 1; round <= rounds; ++round) {
    const auto value = static_cast<std::uint64_t>(round);
    for (std::size_t k = 0; k < p; ++k) {
      const auto peer = (me + k) % p;
      if (round > 1) r.wait_signal(read[peer], value - 1, static_cast<int>(peer));
    }
    r.synchronize();
    for (std::size_t k = 0; k < p; ++k) {
      const auto peer = (me + k) % p;
      auto mine = from.subspan(n * peer, n);
      for (std::size_t i = 0; i < n; ++i) mine[i] = pattern(me, peer, i, value);
      r.put_signal(w, static_cast<int>(peer), n * me, mine, arrived[me],
                   op == signal_op::add ? 1 : value, op);
    }
    for (std::size_t peer = 0; peer < p; ++peer) {
      r.wait_signal(arrived[peer], value, static_cast<int>(peer));
      std::vector<std::uint64_t> got(n);
      r.synchronize();
      copy_bytes(got.data(), w.local().data() + n * peer, n * sizeof(std::uint64_t));
      for (std::size_t i = 0; i < n; ++i) wrong += got[i] != pattern(peer, me, i, value);
      r.raise(read[me], static_cast<int>(peer), op == signal_op::add ? 1 : value, op);
    }
  }
  EXPECT_EQ(wrong, 0u) << "words behind a signal that was seen, rank " << r.id();
  r.barrier();
}

}  // namespace

TEST_P(fabric, a_signal_seen_means_the_data_is_there) {
  const int rounds = p() <= 3 ? 200 : p() <= 8 ? 40 : 10;
  for (const home data : homes)
    for (const home flags : homes)
      for (const signal_op op : {signal_op::set, signal_op::add})
        run([&](rank& r) { check_ordering(r, data, flags, op, rounds); });
}

TEST_P(fabric, added_signals_lose_nothing) {
  for (const home where : homes)
    run([&](rank& r) {
      const std::uint64_t times = r.size() <= 8 ? 100 : 20;
      auto counter = r.make_signal(where);
      for (std::uint64_t i = 1; i <= times; ++i)
        for (int peer = 0; peer < r.size(); ++peer) r.raise(counter, peer, i, signal_op::add);
      const std::uint64_t all = static_cast<std::uint64_t>(r.size()) * times * (times + 1) / 2;
      r.wait_signal(counter, all);
      r.barrier();
      EXPECT_EQ(r.read_signal(counter), all);
      EXPECT_TRUE(r.test_signal(counter, all));
      EXPECT_FALSE(r.test_signal(counter, all + 1));
    });
}

TEST_P(fabric, waits_are_at_least_and_signals_begin_at_zero) {
  for (const home where : homes)
    for (int again = 0; again < 2; ++again)  // the second run finds the first one's memory
      run([&](rank& r) {
        auto flags = r.make_signals(5, where);
        ASSERT_EQ(flags.size(), 5u);
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(r.read_signal(flags[i]), 0u);
        r.wait_signal(flags[4], 0);
        r.barrier();
        for (std::size_t i = 0; i < 5; ++i) r.raise(flags[i], (r.id() + 1) % r.size(), 100 + i);
        for (std::size_t i = 0; i < 5; ++i) {
          r.wait_signal(flags[i], 3);
          r.synchronize();
          EXPECT_EQ(r.read_signal(flags[i]), 100 + i);
        }
        EXPECT_THROW(r.raise(flags[5], 0, 1), usage_error);
        EXPECT_THROW(r.wait_signal(flags[5], 1), usage_error);
        EXPECT_THROW(r.wait_any(flags, 3, 3, 1), usage_error);
        EXPECT_THROW(r.wait_any(flags, 3, 0, 1), usage_error);
        const std::uint64_t three[3] = {};
        EXPECT_THROW(r.wait_any(flags, 3, three), usage_error);
        EXPECT_THROW(r.wait_any(flags, 3, std::span(three, 0)), usage_error);
        r.barrier();
      });
}

TEST_P(fabric, wait_any_returns_the_counter_that_was_raised) {
  for (const home where : homes)
    run([&](rank& r) {
      auto flags = r.make_signals(8, where);
      const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
      for (std::uint64_t round = 1; round <= 10; ++round) {
        auto index = [&](int who) { return 2 + static_cast<std::size_t>(who + round) % 6; };
        r.raise(flags[index(r.id())], peer, round);
        EXPECT_EQ(r.wait_any(flags, 2, 6, round), index(before));
        r.barrier();
      }
    });
}

// Counters that stand at different values, each awaited one above its own.
TEST_P(fabric, wait_any_takes_a_value_for_each_counter) {
  for (const home where : homes)
    run([&](rank& r) {
      auto flags = r.make_signals(4, where);
      const int peer = (r.id() + 1) % r.size();
      for (std::size_t i = 0; i < 4; ++i) r.raise(flags[i], peer, 10 * i);
      for (std::size_t i = 1; i < 4; ++i) r.wait_signal(flags[i], 10 * i);
      r.barrier();
      std::vector<std::uint64_t> values = {1, 11, 21, 31};
      for (std::uint64_t round = 1; round <= 10; ++round) {
        const std::size_t raised = (round * 3) % 4;
        r.raise(flags[raised], peer, 1, signal_op::add);
        EXPECT_EQ(r.wait_any(flags, 0, values), raised);
        ++values[raised];
        r.barrier();
      }
    });
}

TEST_P(fabric, wait_any_for_looks_at_a_value_for_each_counter_and_ends) {
  for (const home where : homes)
    run([&](rank& r) {
      const auto p = static_cast<std::size_t>(r.size());
      auto flags = r.make_signals(p, where);
      std::vector<std::uint64_t> wanted(p, 1);
      EXPECT_THROW(r.wait_any_for(flags, {}, 1ms), usage_error);
      if (r.dev().model == nullptr) {  // modelled time: nothing could ever happen
        EXPECT_FALSE(r.wait_any_for(flags, wanted, 1ms).has_value());
      }
      r.barrier();
      const std::uint64_t before = r.heartbeat(r.id());
      for (std::size_t peer = 0; peer < p; ++peer)
        r.raise(flags[static_cast<std::size_t>(r.id())], static_cast<int>(peer), 7);
      // Each counter rises once, to 7: it is waited for with 1, then with more than it will be.
      for (std::size_t seen = 0; seen < p; ++seen) {
        const auto raised = r.wait_any_for(flags, wanted, r.deadline());
        ASSERT_TRUE(raised.has_value());
        EXPECT_EQ(wanted[*raised], 1u);
        wanted[*raised] = 8;
      }
      EXPECT_GT(r.heartbeat(r.id()), before);
      EXPECT_THROW(static_cast<void>(r.heartbeat(r.size())), usage_error);
      r.barrier();
    });
}

TEST_P(fabric, polling_sees_signal_and_data) {
  for (const home where : homes)
    run([&](rank& r) {
      auto w = r.make_window<std::uint64_t>(9, where);
      auto flag = r.make_signal(where);
      const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
      for (std::uint64_t round = 1; round <= 5; ++round) {
        std::vector<std::uint64_t> values(9, pattern(r.id(), peer, 0, round));
        r.put_signal(w, peer, 0, values, flag, round);
        while (!r.test_signal(flag, round)) std::this_thread::yield();
        EXPECT_EQ(contents(r, w), std::vector<std::uint64_t>(9, pattern(before, r.id(), 0, round)));
        r.barrier();
      }
    });
}

TEST_P(fabric, a_token_goes_round_the_ring) {
  for (const home where : homes)
    run([&](rank& r) {
      const std::uint64_t laps = 5;
      auto token = r.make_window<std::uint64_t>(1, where);
      auto flag = r.make_signal(where);
      const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
      auto slot = r.scratch<std::uint64_t>(1, home::host);
      for (std::uint64_t lap = 1; lap <= laps; ++lap) {
        slot[0] = 0;
        if (r.id() != 0 || lap > 1) {
          r.wait_signal(flag, r.id() == 0 ? lap - 1 : lap, before);
          slot[0] = contents(r, token)[0];
        }
        ++slot[0];
        r.put_signal(token, peer, 0, slot, flag, lap);
        r.flush(peer);
      }
      if (r.id() == 0) {
        r.wait_signal(flag, laps, before);
        EXPECT_EQ(contents(r, token)[0], laps * static_cast<std::uint64_t>(r.size()));
      }
      r.barrier();
    });
}

TEST_P(fabric, barriers_separate_rounds) {
  run([&](rank& r) {
    const auto p = static_cast<std::size_t>(r.size());
    auto w = r.make_window<std::uint64_t>(p);
    const std::uint64_t rounds = r.size() <= 4 ? 100 : 20;
    std::size_t wrong = 0;
    auto slot = r.scratch<std::uint64_t>(1, home::host);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      slot[0] = round;
      for (int peer = 0; peer < r.size(); ++peer)
        r.put(w, peer, static_cast<std::size_t>(r.id()), slot);
      r.barrier();
      for (const auto seen : contents(r, w)) wrong += seen != round;
      r.barrier();
    }
    EXPECT_EQ(wrong, 0u);
    r.quiet();
  });
}

}  // namespace gossamer::conformance
