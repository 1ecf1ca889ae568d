// fetch_add and compare_and_swap: exact sums, unique tickets, one winner, a lock; put_list.
#include <algorithm>
#include <thread>

#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {

template <class T>
void check_sums(rank& r, home where) {
  const int times = r.size() <= 4 ? 50 : 10;
  auto w = r.make_window<T>(3, where);
  r.fill(w.local().data(), 0, 3 * sizeof(T));
  r.barrier();
  for (int i = 0; i < times; ++i)
    for (int peer = 0; peer < r.size(); ++peer) {
      r.fetch_add(w, peer, 1, static_cast<T>(r.id() + 1));
      r.fetch_add(w, peer, 2, static_cast<T>(-1));
    }
  r.barrier();
  const auto got = contents(r, w);
  EXPECT_EQ(got[0], T{0});
  EXPECT_EQ(got[1], static_cast<T>(times * r.size() * (r.size() + 1) / 2));
  EXPECT_EQ(got[2], static_cast<T>(-times * r.size()));
  r.barrier();
}

}  // namespace

TEST_P(fabric, fetch_add_is_exact) {
  for (const home where : homes)
    run([&](rank& r) {
      check_sums<std::int32_t>(r, where);
      check_sums<std::uint32_t>(r, where);
      check_sums<std::int64_t>(r, where);
      check_sums<std::uint64_t>(r, where);
      auto w = r.make_window<std::uint64_t>(1, where);
      EXPECT_THROW(r.fetch_add(w, 0, 1, 1), usage_error);
      EXPECT_THROW(r.compare_and_swap(w, r.size(), 0, 0, 1), usage_error);
    });
}

TEST_P(fabric, fetch_add_hands_out_each_ticket_once) {
  for (const home where : homes)
    run([&](rank& r) {
      constexpr std::size_t each = 20;
      const int desk = r.size() - 1;
      auto w = r.make_window<std::uint32_t>(1, where);
      r.fill(w.local().data(), 0, sizeof(std::uint32_t));
      r.barrier();
      std::vector<std::uint32_t> mine(each), all(each * static_cast<std::size_t>(r.size()));
      for (auto& ticket : mine) ticket = r.fetch_add(w, desk, 0, 1);
      EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
      r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
    });
}

TEST_P(fabric, compare_and_swap_has_one_winner) {
  for (const home where : homes)
    run([&](rank& r) {
      constexpr std::size_t n = 20;
      auto w = r.make_window<std::int64_t>(n, where);
      auto w4 = r.make_window<std::int32_t>(n, where);
      r.fill(w.local().data(), 0, n * sizeof(std::int64_t));
      r.fill(w4.local().data(), 0, n * sizeof(std::int32_t));
      r.barrier();
      std::vector<std::int64_t> won(2 * n), all(2 * n * static_cast<std::size_t>(r.size()));
      for (std::size_t i = 0; i < n; ++i) {
        won[i] = r.compare_and_swap(w, 0, i, 0, -r.id() - 1) == 0;
        won[n + i] = r.compare_and_swap(w4, 0, i, 0, -r.id() - 1) == 0;
      }
      r.exchange(std::as_bytes(std::span(won)), std::as_writable_bytes(std::span(all)));
      const auto final8 = contents(r, w);
      const auto final4 = contents(r, w4);
      for (std::size_t i = 0; i < 2 * n; ++i) {
        int winners = 0, who = -1;
        for (int peer = 0; peer < r.size(); ++peer)
          if (all[2 * n * static_cast<std::size_t>(peer) + i] != 0) ++winners, who = peer;
        EXPECT_EQ(winners, 1);
        if (r.id() == 0) {
          EXPECT_EQ(i < n ? final8[i] : final4[i - n], -who - 1);
        }
      }
      r.barrier();
    });
}

TEST_P(fabric, compare_and_swap_makes_a_lock) {
  run([&](rank& r) {
    const int times = r.size() <= 4 ? 20 : 3;
    auto w = r.make_window<std::uint64_t>(2);  // lock, and a counter that is no atomic
    r.fill(w.local().data(), 0, 2 * sizeof(std::uint64_t));
    r.barrier();
    auto slot = r.scratch<std::uint64_t>(1, home::host);
    for (int i = 0; i < times; ++i) {
      while (r.compare_and_swap(w, 0, 0, 0, 1) != 0) std::this_thread::yield();
      r.get(w, 0, 1, slot);
      r.flush(0);
      ++slot[0];
      r.put(w, 0, 1, slot);
      r.flush(0);
      EXPECT_EQ(r.compare_and_swap(w, 0, 0, 1, 0), 1u);
    }
    r.barrier();
    if (r.id() == 0) {
      EXPECT_EQ(contents(r, w)[1], static_cast<std::uint64_t>(times * r.size()));
    }
    r.barrier();
  });
}

TEST_P(fabric, a_put_list_restarts_with_new_sources) {
  for (const home where : homes)
    for (const home from : homes)
      run([&](rank& r) {
        const std::size_t p = static_cast<std::size_t>(r.size()), n = 17;
        const auto me = static_cast<std::size_t>(r.id());
        const std::uint64_t starts = r.size() <= 8 ? 30 : 10;
        auto w = r.make_window<std::uint64_t>(n * p, where);
        auto flags = r.make_signals(p, where);
        auto list = r.make_put_list();
        list.start();  // nothing to do
        std::vector<std::span<std::uint64_t>> sources;
        for (std::size_t peer = 0; peer < p; ++peer) {
          sources.push_back(r.scratch<std::uint64_t>(n, from));
          const std::span<const std::uint64_t> data = sources.back();
          list.put(w, static_cast<int>(peer), n * me, data.first(5))
              .put_signal(w, static_cast<int>(peer), n * me + 5, data.subspan(5), flags[me])
              .put(w, static_cast<int>(peer), n * me, data.first(0));
        }
        EXPECT_EQ(list.size(), 3 * p);
        EXPECT_THROW(list.put(w, 0, n * p, sources[0]), usage_error);
        EXPECT_EQ(list.size(), 3 * p);
        std::size_t wrong = 0;
        for (std::uint64_t start = 1; start <= starts; ++start) {
          for (std::size_t peer = 0; peer < p; ++peer) {
            std::vector<std::uint64_t> values(n);
            for (std::size_t i = 0; i < n; ++i) values[i] = pattern(me, peer, i, start);
            assign(r, sources[peer], values);
          }
          list.start();
          for (std::size_t peer = 0; peer < p; ++peer)
            r.wait_signal(flags[peer], start, static_cast<int>(peer));
          const auto got = contents(r, w);
          for (std::size_t i = 0; i < got.size(); ++i)
            wrong += got[i] != pattern(i / n, me, i % n, start);
          r.barrier();
        }
        EXPECT_EQ(wrong, 0u);
        EXPECT_EQ(r.read_signal(flags[0]), starts);
      });
}

}  // namespace gossamer::conformance
