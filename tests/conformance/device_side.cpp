// The fabric's device side: kernels of different ranks that put, signal, wait and agree without
// their hosts, and what happens to them when somebody fails.
#include <cstdlib>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "conformance/device_programs.hpp"
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {

class device_side : public fabric {
 protected:
  /// Where windows of kernels may live: native only if kernels reach every peer.
  std::vector<home> reachable() {
    if (m().all_direct()) return {home::native, home::host};
    return {home::host};
  }
  bool atomic() {
    for (int i = 0; i < p(); ++i)
      for (int j = 0; j < p(); ++j)
        if (!m().between(i, j).atomic) return false;
    return true;
  }
  /// Runs `program`, and checks what its kernels found.
  void run_and_check(const std::function<void(rank&, device_findings*)>& program) {
    run([&](rank& r) {
      auto found = r.scratch<device_findings>(1, home::host);
      found[0] = {};
      program(r, found.data());
      r.synchronize();
      EXPECT_EQ(found[0].wrong, 0u) << "rank " << r.id();
      EXPECT_EQ(found[0].gave_up, 0u) << "rank " << r.id();
      EXPECT_GT(found[0].checked, 0u) << "rank " << r.id();
    });
  }
};

}  // namespace

TEST_P(device_side, a_signal_seen_by_a_kernel_means_the_data_is_there) {
  for (const home data : reachable())
    for (const home flags : reachable())
      for (const int n : {1, 3, 64, 1000})
        run_and_check([&](rank& r, device_findings* found) {
          const auto p = static_cast<std::size_t>(r.size());
          auto w = r.make_window<std::uint64_t>(p * static_cast<std::size_t>(n), data);
          auto arrived = r.make_signals(p, flags), read = r.make_signals(p, flags);
          queue_put_rounds(r, w, arrived, read, n, 100, found);
        });
}

TEST_P(device_side, kernels_pass_a_token_round) {
  for (const home where : reachable())
    run([&](rank& r) {
      auto found = r.scratch<device_findings>(1, home::host);
      found[0] = {};
      auto w = r.make_window<std::uint64_t>(1, where);
      auto flags = r.make_signals(1, where);
      queue_ring(r, w, flags, 50, found.data());
      r.synchronize();
      EXPECT_EQ(found[0].gave_up + found[0].wrong, 0u);
      if (r.id() == 0) {
        r.wait_signal(flags[0], 50);
        EXPECT_EQ(contents(r, w)[0], 50u * static_cast<unsigned>(r.size()));
      }
      r.barrier();
    });
}

TEST_P(device_side, kernels_that_met_get_what_others_wrote) {
  for (const home data : reachable())
    for (const home flags : reachable())
      for (const int n : {1, 3, 64, 1000})
        run_and_check([&](rank& r, device_findings* found) {
          auto w = r.make_window<std::uint64_t>(static_cast<std::size_t>(n), data);
          auto met = r.make_signals(static_cast<std::size_t>(r.size()), flags);
          queue_gets(r, w, met, n, 100, found);
        });
}

TEST_P(device_side, counts_of_kernels_lose_nothing) {
  if (!atomic()) GTEST_SKIP() << "kernels of this machine have no atomics on all peers";
  const auto count = [&]<class T>(T) {
    run_and_check([&](rank& r, device_findings* found) {
      auto w = r.make_window<T>(2);
      r.fill(w.local().data(), 0, 2 * sizeof(T));
      r.barrier();
      queue_counts(r, w, 20, found);
      r.synchronize();
      r.barrier();
      const T all = static_cast<T>(32 * 20 * r.size());
      EXPECT_EQ(contents(r, w), (std::vector<T>{all, all}));
    });
  };
  count(std::uint32_t{});
  count(std::uint64_t{});
}

TEST_P(device_side, adds_of_kernels_lose_nothing) {
  if (!atomic()) GTEST_SKIP() << "kernels of this machine have no atomics on all peers";
  run([&](rank& r) {
    auto flags = r.make_signals(1);
    queue_adds(r, flags, 20);
    const auto all = std::uint64_t{64} * 20 * static_cast<std::uint64_t>(r.size());
    r.wait_signal(flags[0], all);
    r.barrier();
    EXPECT_EQ(r.read_signal(flags[0]), all);
  });
}

TEST_P(device_side, scalars_agree_for_many_epochs) {
  run_and_check([&](rank& r, device_findings* found) { queue_scalars(r, 200, 5, found); });
}

TEST_P(device_side, scalars_outlive_their_epoch) {
  for (std::uint32_t before = 0; before < 9; ++before)
    run_and_check([&](rank& r, device_findings* found) {
      queue_scalars(r, 5, 2, found, ~std::uint32_t{0} - before);
    });
}

TEST_P(device_side, blocks_of_a_grid_meet) {
  for (const int blocks : {1, 2, 5})
    run_and_check(
        [&](rank& r, device_findings* found) { queue_grid_barriers(r, blocks, 200, found); });
}

TEST_P(device_side, a_wait_in_a_kernel_times_out) {
  run_options options;
  options.deadline = 300ms;
  const int waiting = p() > 1 ? 1 : 0;
  for (const home where : homes) {
    std::uint32_t set = 0;
    const auto began = std::chrono::steady_clock::now();
    try {
      run(
          [&](rank& r) {
            auto found = r.scratch<device_findings>(1, home::host);
            found[0] = {};
            auto flags = r.make_signals(4, where);
            if (r.id() == waiting) set = flags.table().id;
            // Others wait for a counter that is there already.
            queue_wait(r, flags, 2, r.id() == waiting ? 9 : 0, 0, found.data());
            try {
              r.synchronize();
              EXPECT_NE(r.id(), waiting) << "the kernel's failure was not reported";
            } catch (const rank_error&) {
              if (r.id() == waiting) {
                EXPECT_EQ(found[0].gave_up, 1u);
              }
              throw;
            }
          },
          options);
      ADD_FAILURE() << "no time-out";
    } catch (const rank_error& e) {
      expect_timed_out(e, waiting,
                       " waited 0.3 s without progress for rank 0 on signal 2 of set " +
                           std::to_string(set) + " (is 0, wanted 9)");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
  }
  run([](rank& r) { r.barrier(); });
}

TEST_P(device_side, a_collective_that_a_rank_does_not_join_times_out) {
  if (p() == 1) GTEST_SKIP() << "one rank waits for nobody";
  run_options options;
  options.deadline = 300ms;
  const int missing = p() - 1;
  try {
    run(
        [&](rank& r) {
          auto found = r.scratch<device_findings>(1, home::host);
          found[0] = {};
          queue_lonely_allreduce(r, r.id() != missing, found.data());
          r.synchronize();
        },
        options);
    ADD_FAILURE() << "no time-out";
  } catch (const rank_error& e) {
    EXPECT_TRUE(e.timed_out()) << e.what();
    EXPECT_EQ(e.peer(), missing) << e.what();
  }
}

TEST_P(device_side, a_grid_barrier_that_misses_a_block_times_out) {
  run_options options;
  options.deadline = 300ms;
  try {
    run(
        [&](rank& r) {
          auto found = r.scratch<device_findings>(1, home::host);
          found[0] = {};
          queue_incomplete_grid_barrier(r, found.data());
          r.synchronize();
        },
        options);
    ADD_FAILURE() << "no time-out";
  } catch (const rank_error& e) {
    EXPECT_TRUE(e.timed_out()) << e.what();
    EXPECT_EQ(e.peer(), e.rank()) << e.what();
  }
  run_and_check([&](rank& r, device_findings* found) { queue_grid_barriers(r, 3, 20, found); });
}

TEST_P(device_side, a_waiting_kernel_sees_another_ranks_failure) {
  if (p() == 1) GTEST_SKIP() << "there is no other rank";
  std::atomic<int> told{0};
  const auto began = std::chrono::steady_clock::now();
  const auto text = failure_of<std::runtime_error>([&](rank& r) {
    auto found = r.scratch<device_findings>(1, home::host);
    found[0] = {};
    auto flags = r.make_signals(1);
    // The rank that fails queues a wait that is over at once: the call is collective.
    queue_wait(r, flags, 0, r.id() == 0 ? 0 : 1, -1, found.data());
    if (r.id() == 0) {
      std::this_thread::sleep_for(50ms);
      throw std::runtime_error("boom");
    }
    try {
      r.synchronize();
    } catch (const rank_error& e) {
      EXPECT_EQ(e.rank(), 0);
      EXPECT_FALSE(e.timed_out());
      ++told;
      throw;
    }
  });
  EXPECT_EQ(text, "boom");
  EXPECT_EQ(told, p() - 1);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
  run([](rank& r) { r.barrier(); });
}

TEST_P(device_side, cancellation_ends_waiting_kernels) {
  std::stop_source stop;
  run_options options;
  options.cancel = stop.get_token();
  std::chrono::steady_clock::time_point asked;
  std::thread caller([&] {
    std::this_thread::sleep_for(500ms);
    asked = std::chrono::steady_clock::now();
    stop.request_stop();
  });
  EXPECT_THROW(run(
                   [&](rank& r) {
                     auto found = r.scratch<device_findings>(1, home::host);
                     found[0] = {};
                     auto flags = r.make_signals(1);
                     queue_wait(r, flags, 0, 1, -1, found.data());
                     r.synchronize();
                   },
                   options),
               cancelled_error);
  const auto now = std::chrono::steady_clock::now();
  caller.join();
  EXPECT_LT(now - asked, 1s);
  run([](rank& r) { r.barrier(); });
}

#if defined(GOSSAMER_TEST_MULTIGPU)
INSTANTIATE_TEST_SUITE_P(multi, device_side, ::testing::Values("cuda:0-1", "cuda:0-3"),
                         spec_name<std::string>);
#else
INSTANTIATE_TEST_SUITE_P(one, device_side, ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3"),
                         spec_name<std::string>);
#endif

}  // namespace gossamer::conformance

#if defined(GOSSAMER_TEST_PEER_OFF)
int main(int argc, char** argv) {
  return gossamer::conformance::run_tests_with("GOSSAMER_PEER", "off", argc, argv);
}
#endif
