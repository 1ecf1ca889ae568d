// Ranks in virtual time: clocks, charges, what travels with what, deadlocks, repetition.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer {

namespace {

constexpr double us = 1e-6;

/// Half of a round trip of `bytes` between ranks 0 and 1.
double ping_pong(const std::string& system, std::size_t bytes, home where) {
  double seconds = 0;
  run_options options;
  options.arenas = {{std::size_t{40} << 20, std::size_t{40} << 20}};
  machine::open("sim:" + system + ",ranks=2")
      .run(
          [&](rank& r) {
            auto w = r.make_window<std::byte>(bytes, where);
            auto from = r.scratch<std::byte>(bytes, where);
            auto flag = r.make_signal(where);
            r.barrier();
            const double begin = r.clock();
            constexpr int rounds = 10;
            for (std::uint64_t i = 1; i <= rounds; ++i) {
              if (r.id() == 1) r.wait_signal(flag, i, 0);
              r.put_signal(w, 1 - r.id(), 0, from, flag, i);
              if (r.id() == 0) r.wait_signal(flag, i, 1);
            }
            if (r.id() == 0) seconds = (r.clock() - begin) / (2 * rounds);
          },
          options);
  return seconds;
}

}  // namespace

TEST(sim, ping_pong_reproduces_the_papers_figures) {
  // Paper E, 3.1.
  EXPECT_NEAR(ping_pong("peach2", 8, home::host), 1.0 * us, 0.01 * us);
  EXPECT_NEAR(ping_pong("peach2", 8, home::native), 1.9 * us, 0.01 * us);
  EXPECT_NEAR(ping_pong("hapacs-ib", 8, home::native), 2.4 * us, 0.02 * us);
  EXPECT_NEAR(ping_pong("hapacs-ib", 16, home::native), 3.5 * us, 0.02 * us);
  EXPECT_NEAR(ping_pong("hapacs-ib", 8, home::host), 1.9 * us, 0.02 * us);
  const std::size_t large = 16 << 20;
  const auto rate = [&](const char* system, home where) {
    return static_cast<double>(large) / ping_pong(system, large, where);
  };
  EXPECT_NEAR(rate("peach2", home::native), 2.8e9, 0.03e9);
  EXPECT_NEAR(rate("peach2", home::host), 3.5e9, 0.04e9);
  EXPECT_NEAR(rate("hapacs-ib", home::native), 4.4e9, 0.1e9);
  EXPECT_NEAR(rate("hapacs-ib", home::host), 6.0e9, 0.1e9);
  // GPU to GPU, TCA is faster below 128 KB; PIO up to 128 bytes.
  EXPECT_LT(ping_pong("peach2", 64 << 10, home::native),
            ping_pong("hapacs-ib", 64 << 10, home::native));
  EXPECT_GT(ping_pong("peach2", 128 << 10, home::native),
            ping_pong("hapacs-ib", 128 << 10, home::native));
  EXPECT_LT(ping_pong("peach2", 128, home::host), 1.9 * us);
}

TEST(sim, when_a_counter_was_raised_is_known_without_waiting) {
  auto m = machine::open("sim:peach2,ranks=2");
  double waited = 0;
  for (const bool busy : {false, true}) {
    m.run([&](rank& r) {
      auto w = r.make_window<std::byte>(1 << 20);
      auto from = r.scratch<std::byte>(1 << 20);
      auto flags = r.make_signals(2);
      auto unwatched = r.make_signal();
      r.watch(flags);
      r.barrier();
      if (r.id() == 0) {
        r.put_signal(w, 1, 0, from, flags[1], 1);
        r.raise(unwatched, 1, 1);
        return;
      }
      EXPECT_TRUE(std::isnan(r.raised_at(flags[1])));
      if (busy) r.charge(1.0);
      r.wait_signal(flags[1], 1, 0);
      if (!busy) waited = r.clock();
      EXPECT_NEAR(r.raised_at(flags[1]), waited, 1e-12);
      EXPECT_TRUE(std::isnan(r.raised_at(flags[0])));
      r.wait_signal(unwatched, 1, 0);
      EXPECT_TRUE(std::isnan(r.raised_at(unwatched)));
    });
  }
  EXPECT_GT(waited, 1048576 / 2.8e9);
}

TEST(sim, charges_move_the_clock_of_their_rank_alone) {
  auto m = machine::open("sim:peach2,ranks=3");
  m.run([&](rank& r) {
    const auto& s = *r.dev().model;
    r.barrier();
    const double begin = r.clock();
    if (r.id() == 1) {
      r.charge(5e-3);
      r.charge(1.7e9, 10.0);
      EXPECT_NEAR(r.clock() - begin, 5e-3 + 14e-6 + 1.7e9 / s.kernel.bandwidth, 1e-9);
      const double before = r.clock();
      r.charge(12e3, 0.0, home::host);
      EXPECT_NEAR(r.clock() - before, 1e-6, 1e-9);
      auto a = r.scratch<char>(8), b = r.scratch<char>(1 << 20);
      const double copies = r.clock();
      r.charge_copy(b.data(), a.data(), 8);
      EXPECT_NEAR(r.clock() - copies, 1.8 * us, 0.02 * us);  // TCA's DMA within the GPU
      r.charge_copy(b.data(), b.data(), 1 << 20);
      EXPECT_NEAR(r.clock() - copies, 1.8 * us + 13 * us + (1 << 20) / 85e9, 0.02 * us);
    } else {
      EXPECT_EQ(r.clock(), begin);
    }
    r.barrier();
    EXPECT_GT(r.clock() - begin, 5e-3);
  });
}

TEST(sim, a_rank_sees_what_others_did_before_its_time_and_not_after) {
  machine::open("sim:peach2,ranks=2").run([](rank& r) {
    auto flag = r.make_signal(home::host);
    r.barrier();
    if (r.id() == 0) {
      r.charge(10 * us);
      r.raise(flag, 1, 1);
    } else {
      const double begin = r.clock();
      EXPECT_FALSE(r.test_signal(flag, 1));
      r.wait_signal(flag, 1, 0);
      EXPECT_NEAR(r.clock() - begin, 11 * us, 0.5 * us);
      r.charge(1.0);
      EXPECT_TRUE(r.test_signal(flag, 1));
    }
  });
}

TEST(sim, a_list_is_one_chain) {
  const auto seconds = [](bool list) {
    double taken = 0;
    machine::open("sim:peach2,ranks=8").run([&](rank& r) {
      auto w = r.make_window<double>(8);
      auto from = r.scratch<double>(8);
      auto flag = r.make_signal();
      auto all = r.make_put_list();
      for (int peer = 1; peer < 8; ++peer) all.put_signal(w, peer, 0, from, flag);
      r.barrier();
      const double begin = r.clock();
      if (r.id() == 0) {
        if (list)
          all.start();
        else
          for (int peer = 1; peer < 8; ++peer) r.put_signal(w, peer, 0, from, flag, 1);
        r.quiet();
        taken = r.clock() - begin;
      }
    });
    return taken;
  };
  const auto system = model::load_system("peach2");
  const auto& dma = system->kind_of(model::memory::device, model::memory::device, 64, false);
  // Seven set-ups against one and six gaps.
  EXPECT_NEAR(seconds(false) - seconds(true), 6 * (dma.setup - dma.gap), 0.1 * us);
}

TEST(sim, a_deadlock_is_told_at_once_with_who_waits_for_whom) {
  auto m = machine::open("sim:peach2,ranks=4");
  const auto begin = std::chrono::steady_clock::now();
  try {
    m.run([](rank& r) {
      auto flags = r.make_signals(2);
      if (r.id() == 3) return;
      if (r.id() == 2) {
        while (!r.test_signal(flags[1], 1)) continue;
      }
      r.wait_signal(flags[0], 1, (r.id() + 1) % 3);
    });
    ADD_FAILURE() << "no deadlock";
  } catch (const rank_error& e) {
    const std::string text = e.what();
    EXPECT_TRUE(e.timed_out());
    EXPECT_NE(text.find("rank 2 waited without progress for any rank on signal 1 of set"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("nothing can happen any more (0 waits for 1, 1 waits for 2)"),
              std::string::npos)
        << text;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(sim, ranks_may_wait_while_they_handle_an_exception) {
  machine::open("sim:hapacs-ib,ranks=5").run([](rank& r) {
    auto flag = r.make_signal();
    try {
      throw std::runtime_error(std::to_string(r.id()));
    } catch (const std::exception& e) {
      r.raise(flag, (r.id() + 1) % r.size(), 1);
      r.wait_signal(flag, 1);
      r.barrier();
      try {
        throw 7;
      } catch (int) {
        r.barrier();
      }
      EXPECT_EQ(e.what(), std::to_string(r.id()));
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    }
  });
}

TEST(sim, what_a_failed_run_put_does_not_come_in_the_next) {
  auto m = machine::open("sim:peach2,ranks=2");
  const auto fail = [](rank& r) {
    auto w = r.make_window<std::int64_t>(1, home::host);
    const std::int64_t value = 7;
    r.put(w, 1 - r.id(), 0, std::span(&value, 1));
    throw std::runtime_error("before it arrives");
  };
  for (int tries = 0; tries < 3; ++tries) {
    EXPECT_THROW(m.run(fail), std::runtime_error);
    m.run([](rank& r) {
      auto w = r.make_window<std::int64_t>(1, home::host);
      auto flag = r.make_signal(home::host);
      w.local()[0] = 0;
      r.barrier();
      for (std::uint64_t i = 1; i <= 8; ++i) {
        r.raise(flag, 1 - r.id(), i);
        r.wait_signal(flag, i, 1 - r.id());
        EXPECT_EQ(w.local()[0], 0);
      }
    });
  }
}

TEST(sim, a_run_repeats_to_the_last_bit) {
  const auto times = [] {
    std::vector<double> all(16);
    machine::open("sim:peach2,ranks=16").run([&](rank& r) {
      auto w = r.make_window<double>(16 * 1000);
      auto flags = r.make_signals(16);
      auto from = r.scratch<double>(1000);
      for (int i = 1; i < 16; ++i) {
        const int peer = (r.id() * 5 + i) % 16;
        r.put_signal(w, peer, static_cast<std::size_t>(r.id()) * 1000,
                     from.first(static_cast<std::size_t>(1 + (r.id() * 131 + i * 17) % 1000)),
                     flags[0], 1, signal_op::add);
        r.charge(0.3 * us * ((r.id() + i) % 3));
      }
      r.barrier();
      all[static_cast<std::size_t>(r.id())] = r.clock();
    });
    return all;
  };
  EXPECT_EQ(times(), times());
}

TEST(sim, bad_specs_say_what_is_wrong) {
  const auto refused = [](const std::string& spec, const std::string& why) {
    try {
      machine::open(spec);
      ADD_FAILURE() << spec;
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  refused("sim", "expected sim:SYSTEM,ranks=P");
  refused("sim:", "expected sim:SYSTEM,ranks=P");
  refused("sim:peach9", "no system 'peach9'; there are expether, gaming");
  refused("sim:peach2,ranks=0", "ranks: expected a whole number, at least 1");
  refused("sim:peach2,ranks=5000", "at most 4096 ranks");
  refused("sim:peach2,ranks=1025", "has 16 nodes and may be extended to 1024: 1025 ranks are");
  refused("sim:gaming,ranks=5", "system 'gaming' has 4 nodes: 5 ranks are too many");
  refused("sim:peach2,network.latensy=1", "unknown key 'latensy' in table 'network'");
  refused("sim:peach2,network.latensy=1", "(known here: kind, size, latency, bandwidth, ");
  refused("sim:peach2,rank=2", "'rank=2': there is no key 'rank'; there are name, title, ");
  for (const char* sum : {"sim:peach2,ranks=2+cpu:2", "sim:peach2+cuda", "sim:peach2,ranks=2+sim"})
    refused(sum, "sim stands alone: modelled ranks do not combine with other parts");
  refused("sim:peach2,network.latency=fast", "latency: expected numbers");
  refused("sim:peach2,wires.latency=1", "the system has no table 'wires'");
  refused("sim:peach2,transfer.smoke.latency=1", "the system has no row 'smoke'");
  refused("sim:/nowhere/x.toml", "/nowhere/x.toml: cannot be opened: No such file or directory");
  refused("cpu:1+sim:peach2", "sim stands alone");
}

}  // namespace gossamer
