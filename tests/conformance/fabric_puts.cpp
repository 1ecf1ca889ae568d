// put, get, fill and exchange: every pair, sizes 0, 1 and odd, odd offsets, both homes.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {
constexpr std::size_t sizes[] = {0, 1, 3, 7, 64, 1000, 65537};

std::vector<std::uint32_t> block(int from, int to, std::size_t n) {
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<std::uint32_t>(pattern(from, to, i, n));
  return values;
}
}  // namespace

TEST_P(fabric, puts_between_all_pairs) {
  for (const home where : homes)
    for (const home from : homes)
      run([&](rank& r) {
        const auto p = static_cast<std::size_t>(r.size());
        for (const std::size_t n : sizes) {
          auto w = r.make_window<std::uint32_t>(n * p, where);
          for (int peer = 0; peer < r.size(); ++peer) {
            const std::size_t mine = n * static_cast<std::size_t>(r.id());
            if (n > 10000 && p > 4) {  // one large source is enough for many peers
              if (peer == (r.id() + 1) % r.size())
                r.put(w, peer, mine, source(r, block(r.id(), peer, n), from));
            } else {
              r.put(w, peer, mine, source(r, block(r.id(), peer, n), from));
            }
          }
          r.barrier();
          const auto got = contents(r, w);
          for (int peer = 0; peer < r.size(); ++peer) {
            if (n > 10000 && p > 4 && r.id() != (peer + 1) % r.size()) continue;
            const auto want = block(peer, r.id(), n);
            const auto at = got.begin() + static_cast<std::ptrdiff_t>(n * peer);
            EXPECT_TRUE(std::equal(want.begin(), want.end(), at))
                << n << " elements from rank " << peer << " to " << r.id();
          }
          r.barrier();
        }
      });
}

TEST_P(fabric, puts_from_pageable_host_memory) {
  run([&](rank& r) {
    auto w = r.make_window<std::uint32_t>(1000);
    const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
    const auto values = block(r.id(), peer, 1000);
    r.put(w, peer, 0, values);
    r.barrier();
    EXPECT_EQ(contents(r, w), block(before, r.id(), 1000));
  });
}

TEST_P(fabric, puts_at_odd_byte_offsets) {
  for (const home where : homes)
    run([&](rank& r) {
      constexpr std::size_t gap = 5;
      const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
      const std::vector<std::size_t> lengths = {1, 2, 3, 5, 7, 8, 9, 15, 17, 31, 63, 65, 255, 4097};
      std::size_t total = 1;
      for (const auto n : lengths) total += n + gap;
      auto w = r.make_window<std::byte>(total, where);
      r.fill(w.local().data(), 0xee, total);
      r.barrier();
      // The source is displaced as well: address and offset are both odd.
      std::vector<std::byte> values(4097 + 3);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::byte>(pattern(r.id(), peer, i) & 0x7f);
      const auto from = source(r, values, home::native);
      std::size_t at = 1;
      for (const auto n : lengths) {
        r.put(w, peer, at, from.subspan(3, n));
        at += n + gap;
      }
      r.barrier();
      const auto got = contents(r, w);
      std::vector<std::byte> want(total, std::byte{0xee});
      at = 1;
      for (const auto n : lengths) {
        for (std::size_t i = 0; i < n; ++i)
          want[at + i] = static_cast<std::byte>(pattern(before, r.id(), i + 3) & 0x7f);
        at += n + gap;
      }
      EXPECT_TRUE(got == want) << "bytes beside or inside a put differ, rank " << r.id();
    });
}

TEST_P(fabric, windows_of_different_sizes) {
  for (const home where : homes)
    run([&](rank& r) {
      auto size_at = [](int rank) {
        return static_cast<std::size_t>(rank == 0 ? 0 : 3 * rank + 1);
      };
      auto w = r.make_window<std::int64_t>(size_at(r.id()), where);
      EXPECT_EQ(w.size(), size_at(r.id()));
      for (int peer = 0; peer < r.size(); ++peer) {
        ASSERT_EQ(w.size(peer), size_at(peer));
        if (peer % r.size() == (r.id() + 1) % r.size() && w.size(peer) != 0) {
          const std::int64_t value[] = {-7 - r.id()};
          r.put(w, peer, w.size(peer) - 1, value);
        }
      }
      r.barrier();
      const auto got = contents(r, w);
      if (!got.empty()) {
        EXPECT_EQ(got.back(), -7 - (r.id() + r.size() - 1) % r.size());
      }
    });
}

TEST_P(fabric, a_put_out_of_range_moves_nothing) {
  for (const home where : homes)
    run([&](rank& r) {
      auto w = r.make_window<std::uint16_t>(10, where);
      assign(r, w.local(), std::vector<std::uint16_t>(10, 4));
      r.barrier();
      const int peer = (r.id() + 1) % r.size();
      std::vector<std::uint16_t> values(11, 9);
      const std::span<const std::uint16_t> all(values);
      EXPECT_THROW(r.put(w, peer, 0, all), usage_error);
      EXPECT_THROW(r.put(w, peer, 10, all.first(1)), usage_error);
      EXPECT_THROW(r.put(w, peer, static_cast<std::size_t>(-1), all.first(2)), usage_error);
      EXPECT_THROW(r.get(w, peer, 9, std::span(values).first(2)), usage_error);
      EXPECT_THROW(r.put(w, r.size(), 0, all.first(1)), usage_error);
      EXPECT_THROW(r.put(w, -1, 0, all.first(1)), usage_error);
      EXPECT_THROW(r.flush(r.size()), usage_error);
      try {
        r.put(w, peer, 8, all.first(3));
        ADD_FAILURE() << "a put over the end was taken";
      } catch (const usage_error& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("elements 8 … 11 lie outside rank " + std::to_string(peer) + "'s 10"),
                  std::string::npos)
            << text;
      }
      r.put(w, peer, 10, all.first(0));  // nothing, at the very end
      r.barrier();
      EXPECT_EQ(contents(r, w), std::vector<std::uint16_t>(10, 4));
    });
}

TEST_P(fabric, gets_from_all_peers) {
  for (const home where : homes)
    run([&](rank& r) {
      for (const std::size_t n :
           {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
        auto w = r.make_window<std::uint32_t>(n + 2, where);
        assign(r, w.local(), block(r.id(), r.id(), n + 2));
        r.barrier();
        for (int peer = 0; peer < r.size(); ++peer)
          for (const home into : homes) {
            auto target = r.scratch<std::uint32_t>(n, into);
            r.get(w, peer, 1, target);
            r.synchronize();
            r.flush(peer);
            std::vector<std::uint32_t> got(n);
            copy_bytes(got.data(), target.data(), n * sizeof(std::uint32_t));
            auto want = block(peer, peer, n + 2);
            want = {want.begin() + 1, want.begin() + 1 + static_cast<std::ptrdiff_t>(n)};
            EXPECT_EQ(got, want) << "from rank " << peer << " to " << r.id();
          }
        r.barrier();
      }
    });
}

TEST_P(fabric, a_flushed_source_may_be_reused) {
  run([&](rank& r) {
    constexpr std::size_t rounds = 20, n = 513;
    auto w = r.make_window<std::uint64_t>(rounds * n);
    const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
    auto from = r.scratch<std::uint64_t>(n, home::host);
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < n; ++i) from[i] = pattern(r.id(), peer, i, round);
      r.put(w, peer, round * n, from);
      r.flush(peer);
    }
    r.barrier();
    const auto got = contents(r, w);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      wrong += got[i] != pattern(before, r.id(), i % n, i / n);
    EXPECT_EQ(wrong, 0u);
  });
}

TEST_P(fabric, puts_and_gets_larger_than_a_staging_buffer) {
  run([&](rank& r) {
    if (r.size() > 5) return;
    const std::size_t n = (std::size_t{9} << 20) / 4 + 1;  // 9 MiB and a bit
    auto w = r.make_window<std::uint32_t>(n);
    const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
    const auto values = block(r.id(), peer, n);
    r.put(w, peer, 0, source(r, values, home::native));
    r.barrier();
    EXPECT_TRUE(contents(r, w) == block(before, r.id(), n));
    std::vector<std::uint32_t> back(n);
    r.get(w, peer, 0, back);
    r.quiet();
    EXPECT_TRUE(back == values);
    r.barrier();
  });
}

TEST_P(fabric, fill_and_direct_stores) {
  run([&](rank& r) {
    auto w = r.make_window<std::uint8_t>(77);
    r.fill(w.local().data(), 0x5a, 77);
    EXPECT_EQ(contents(r, w), std::vector<std::uint8_t>(77, 0x5a));
    r.fill(w.local().data(), 0, 0);
    // Host windows can be addressed by host code of every rank that shares memory: a store and a
    // signal.
    auto h = r.make_window<std::uint64_t>(static_cast<std::size_t>(r.size()), home::host);
    auto flags = r.make_signals(static_cast<std::size_t>(r.size()), home::host);
    const auto me = static_cast<std::size_t>(r.id());
    for (int peer = 0; peer < r.size(); ++peer) {
      const bool shared = r.owner().between(r.id(), peer).shares_host;
      ASSERT_EQ(h.direct(peer).size(), shared ? h.size(peer) : 0);
      const std::uint64_t value[] = {pattern(r.id(), peer, 0)};
      if (shared)
        h.direct(peer)[me] = value[0];
      else
        r.put(h, peer, me, value);
      r.raise(flags[me], peer, 1);
    }
    for (int peer = 0; peer < r.size(); ++peer) {
      const auto from = static_cast<std::size_t>(peer);
      r.wait_signal(flags[from], 1, peer);
      r.synchronize();
      EXPECT_EQ(h.local()[from], pattern(peer, r.id(), 0));
    }
  });
}

TEST_P(fabric, exchange_gathers_in_rank_order) {
  run([&](rank& r) {
    for (int round = 0; round < 20; ++round) {
      const std::uint64_t mine[] = {pattern(r.id(), 0, 0, round), pattern(r.id(), 0, 1, round)};
      std::vector<std::uint64_t> all(2 * static_cast<std::size_t>(r.size()));
      r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
      for (int peer = 0; peer < r.size(); ++peer)
        for (std::size_t i = 0; i < 2; ++i)
          EXPECT_EQ(all[2 * static_cast<std::size_t>(peer) + i], pattern(peer, 0, i, round));
    }
    r.exchange({}, {});
    std::byte one{}, few[1]{};
    if (r.size() > 1) {
      EXPECT_THROW(r.exchange({&one, 1}, few), usage_error);
    }
  });
}

}  // namespace gossamer::conformance
