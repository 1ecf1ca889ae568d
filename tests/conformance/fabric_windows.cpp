// Windows and arenas: agreement between ranks, capacity, runs after runs, machines side by side.
#include <stdexcept>
#include <thread>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

TEST_P(fabric, ranks_must_agree_on_a_window) {
  if (p() == 1) GTEST_SKIP() << "one rank agrees with itself";
  std::atomic<int> refused{0};
  const auto text = failure_of<rank_error>([&](rank& r) {
    try {
      if (r.id() == r.size() - 1)
        r.make_window<std::uint16_t>(8);
      else
        r.make_window<std::uint64_t>(8);
      ADD_FAILURE() << "rank " << r.id() << " got a window";
    } catch (const rank_error& e) {
      EXPECT_FALSE(e.timed_out());
      ++refused;
      throw;
    }
  });
  EXPECT_EQ(refused, ranks_here());
  EXPECT_NE(text.find("create different windows"), std::string::npos) << text;
  EXPECT_NE(text.find("elements of"), std::string::npos) << text;

  std::atomic<int> mixed{0};
  failure_of<rank_error>([&](rank& r) {
    try {
      if (r.id() == 0)
        r.make_signals(8);
      else
        r.make_window<std::uint64_t>(8);
    } catch (const rank_error&) {
      ++mixed;
      throw;
    }
  });
  EXPECT_EQ(mixed, ranks_here());
}

TEST_P(fabric, exchanges_must_agree_on_bytes) {
  if (p() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const auto text = failure_of<rank_error>([&](rank& r) {
    std::vector<std::byte> mine(r.id() == 0 ? 8 : 4), all(mine.size() * r.size());
    r.exchange(mine, all);
  });
  EXPECT_NE(text.find("out of step"), std::string::npos) << text;
}

TEST_P(fabric, an_arena_too_small_is_refused) {
  for (const home where : homes) {
    run_options options;
    options.arenas = {{std::size_t{1} << 20, std::size_t{1} << 20}};
    const auto text =
        failure_of<capacity_error>([&](rank& r) { r.make_window<char>(3 << 20, where); }, options);
    EXPECT_NE(text.find("window of 3.0 MiB does not fit the run's arena"), std::string::npos)
        << text;
    EXPECT_NE(text.find("run_options::arenas"), std::string::npos) << text;
    failure_of<capacity_error>([&](rank& r) { r.scratch<char>(3 << 20, where); }, options);
    // A size whose bytes overflow must not wrap round to a small one.
    failure_of<capacity_error>(
        [&](rank& r) { r.make_window<std::uint64_t>((std::size_t{1} << 61) + 1, where); }, options);
    run([&](rank& r) { r.make_window<char>(1 << 20, where); }, options);
  }
  run_options wrong;
  wrong.arenas.resize(static_cast<std::size_t>(p()) + 1);
  EXPECT_THROW(m().run([](rank&) {}, wrong), usage_error);
  run_options each;
  each.arenas.resize(static_cast<std::size_t>(p()));
  each.arenas.back().native = std::size_t{20} << 20;
  run([](rank& r) { r.make_window<char>(r.id() == r.size() - 1 ? std::size_t{18} << 20 : 1); },
      each);
}

TEST_P(fabric, windows_and_scratch_do_not_overlap) {
  run([&](rank& r) {
    for (const home where : homes) {
      std::vector<std::pair<const std::byte*, std::size_t>> blocks;
      for (const std::size_t n : {1u, 0u, 255u, 256u, 257u, 4096u}) {
        auto w = r.make_window<std::byte>(n, where);
        blocks.emplace_back(w.local().data(), n);
        const auto s = r.scratch<std::byte>(n, where);
        blocks.emplace_back(s.data(), n);
        EXPECT_EQ(w.table().rank, r.id());
      }
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i].first) % 256, 0u);
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_TRUE(blocks[i].first >= blocks[j].first + blocks[j].second ||
                      blocks[j].first >= blocks[i].first + blocks[i].second);
      }
    }
  });
}

TEST_P(fabric, a_thousand_runs) {
  const int runs = p() <= 3 ? 1000 : p() <= 6 ? 300 : 100;
  run_options options;
  options.arenas = {{std::size_t{1} << 20, std::size_t{1} << 20}};
  std::atomic<std::uint64_t> wrong{0};
  for (int i = 0; i < runs; ++i)
    run(
        [&](rank& r) {
          // Almost the whole arena: the second run would fail if the first one's were not back.
          auto w = r.make_window<std::uint64_t>(100000);
          auto flag = r.make_signal();
          const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
          const std::uint64_t value[] = {pattern(r.id(), peer, 0, i)};
          r.put_signal(w, peer, 99999, value, flag, 1);
          r.wait_signal(flag, 1, before);
          r.synchronize();
          std::uint64_t got = 0;
          copy_bytes(&got, w.local().data() + 99999, sizeof got);
          wrong += got != pattern(before, r.id(), 0, i);
        },
        options);
  EXPECT_EQ(wrong, 0u);
}

/// Taken beside whatever goes on, as algorithms do before a run; nothing without a GPU here.
static buffer<std::byte> some_gpu_memory(const machine& m) {
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && m[r].is_cuda()) return {memory_kind::device, m[r].ordinal, 4096};
  return {};
}

TEST_P(fabric, two_machines_run_side_by_side) {
  machine other = machine::open(GetParam());
  std::atomic<std::uint64_t> sums{0};
  auto work = [&](machine& on) {
    run_options options;
    options.deadline = 30s;
    for (int i = 0; i < 10; ++i) {
      const auto own = some_gpu_memory(on);
      on.run(
          [&](rank& r) {
            auto w = r.make_window<std::uint64_t>(1);
            r.fill(w.local().data(), 0, sizeof(std::uint64_t));
            r.barrier();
            for (int k = 0; k < 3; ++k) r.fetch_add(w, 0, 0, 1);
            r.barrier();
            if (r.id() == 0) sums += contents(r, w)[0];
          },
          options);
    }
  };
  std::thread beside([&] { work(other); });
  work(m());
  beside.join();
  EXPECT_EQ(sums, here(0) ? 2u * 10 * 3 * static_cast<std::uint64_t>(p()) : 0u);
}

TEST_P(fabric, progress_of_rank_0_is_told) {
  std::vector<double> told;
  run_options options;
  options.progress = [&](double done) { told.push_back(done); };
  run(
      [](rank& r) {
        for (const double done : {0.25, 1.0}) r.progress(done);
      },
      options);
  EXPECT_EQ(told, here(0) ? std::vector<double>({0.25, 1.0}) : std::vector<double>());
  run([](rank& r) { r.progress(0.5); });  // nobody listens
  options.progress = [](double) { throw std::runtime_error("enough"); };
  const auto text = failure_of<std::runtime_error>(
      [](rank& r) {
        r.progress(0.5);
        r.barrier();
      },
      options);
  EXPECT_EQ(text, "enough");
}

TEST_P(fabric, runs_of_one_machine_take_turns) {
  std::atomic<int> inside{0}, overlaps{0};
  auto work = [&] {
    for (int i = 0; i < 10; ++i)
      run([&](rank& r) {
        if (r.id() == 0 && inside.fetch_add(1) != 0) ++overlaps;
        r.barrier();
        if (r.id() == 0) --inside;
      });
  };
  std::thread beside(work);
  work();
  beside.join();
  EXPECT_EQ(overlaps, 0);
}

}  // namespace gossamer::conformance
