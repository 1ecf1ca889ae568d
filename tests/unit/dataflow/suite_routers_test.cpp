// Routers: every policy, endpoints that share a rank, and a function of the user's own.
#include <algorithm>
#include <atomic>
#include <map>

#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {
namespace {

constexpr link_options small{1024, 2};

/// One endpoint of rank 0 sends through a router to every rank.
struct spread {
  link_id up;
  std::vector<link_id> down;
};
spread spread_over(wiring& w, int p, routing_policy policy, const link_options& options = small) {
  spread s;
  const auto host = w.add_endpoint(0, "host");
  const auto hub = w.add_router(1, p, std::move(policy), "hub");
  s.up = w.connect(host, hub);
  for (int r = 0; r < p; ++r) s.down.push_back(w.connect(hub, w.device(r), options));
  return s;
}

TEST_P(dataflow_suite, receivers_may_hold_all_buffers_but_one) {
  wiring w(m());
  constexpr std::size_t each = 12;  // segments, were all ranks alike
  const auto s = spread_over(w, p(), any_device(), {small.packet, 4});
  const auto sent = values(256 * each * static_cast<std::size_t>(p()), 5);
  std::atomic<std::size_t> taken{0};
  run(w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    if (f.id() == 0) {
      f[s.up].send(std::span(sent));
      f[s.up].shutdown();
    }
    for (bool more = true; more;) {
      std::vector<pending_segment> some;
      while (some.size() < 3 && more) {
        some.push_back(f[s.down[me]].receive().get());
        more = !some.back().empty();
        if (!more) some.pop_back();
      }
      for (const auto& one : some) {
        taken += held(one).size();
        f[s.down[me]].release(one);
      }
    }
    f.finish();
  });
  if (m().all_here()) {
    EXPECT_EQ(taken, sent.size());
  }
}

// Scattered to whoever is free, and gathered: the dataflow graph of the paper's Fig. 5.
TEST_P(dataflow_suite, any_device_delivers_each_segment_once) {
  wiring w(m());
  const auto s = spread_over(w, p(), any_device());
  const auto funnel = w.add_router(p(), 1, gather(), "funnel");
  std::vector<link_id> out;
  for (int r = 0; r < p(); ++r) out.push_back(w.connect(w.device(r), funnel));
  const auto collect = w.connect(funnel, w.add_endpoint(0, "collector"), small);
  const auto sent = values(256 * 50 + 17, 9);
  run(w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    std::vector<std::uint32_t> result(sent.size());
    std::vector<int> times(sent.size());
    if (f.id() == 0) {
      f[collect].on_receive([&](const pending_segment& got) {
        const auto part = held(got);
        for (std::size_t i = 0; i < part.size(); ++i) {
          result.at(got.what().tag / 4 + i) = part[i];
          ++times[got.what().tag / 4 + i];
        }
      });
      f[s.up].send(std::span(sent));
      f[s.up].shutdown();
    }
    for (;;) {
      const auto got = f[s.down[me]].receive().get();
      if (got.empty()) break;
      f[out[me]].send(got.as<std::uint32_t>(), {.tag = got.what().offset}).wait();
      f[s.down[me]].release(got);
    }
    f.finish();
    if (f.id() == 0) {
      EXPECT_EQ(result, sent);
      EXPECT_EQ(std::count(times.begin(), times.end(), 1),
                static_cast<std::ptrdiff_t>(sent.size()));
    }
  });
}

TEST_P(dataflow_suite, a_ring_passes_on) {
  wiring w(m());
  const auto x = join_all(w, p(), ring(), small);
  run(w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    std::uint64_t token = f.id();
    for (int step = 0; step < 2 * p(); ++step) {
      f[x.up[me]].send(std::span(&token, 1)).wait();
      const auto got = f[x.down[me]].receive().get();
      EXPECT_EQ(got.source(), x.ends[(me + x.ends.size() - 1) % x.ends.size()]);
      token = held<std::uint64_t>(got)[0];
      f[x.down[me]].release(got);
    }
    EXPECT_EQ(token, me) << "twice around";
  });
}

TEST_P(dataflow_suite, broadcast_reaches_all_others) {
  wiring w(m());
  const auto x = join_all(w, p(), broadcast(), small);
  run(w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    const auto mine = values(3000, static_cast<std::uint32_t>(f.id()));
    std::map<int, std::size_t> elements;
    f[x.down[me]].on_receive([&](const pending_segment& s) {
      const auto from = s.source().index;
      const auto rank = std::find(x.ends.begin(), x.ends.end(), s.source()) - x.ends.begin();
      const auto theirs = values(3000, static_cast<std::uint32_t>(rank));
      const auto part = held(s);
      EXPECT_TRUE(std::equal(part.begin(), part.end(),
                             theirs.begin() + static_cast<std::ptrdiff_t>(s.what().offset / 4)));
      elements[from] += part.size();
    });
    if (p() > 1) f[x.up[me]].send(std::span(mine));
    f.finish();
    EXPECT_EQ(elements.size(), x.ends.size() - 1);
    for (const auto& [from, n] : elements) EXPECT_EQ(n, 3000u) << "from " << from;
  });
}

TEST_P(dataflow_suite, scatter_gives_each_its_part) {
  for (const std::size_t n : {1, 5, 1000, 4099}) {
    wiring w(m());
    const auto s = spread_over(w, p(), scatter());
    const auto sent = values(n, 4);
    run(w, [&](flow& f) {
      if (f.id() == 0) f[s.up].send(std::span(sent));
      if (f.id() == 0) f[s.up].shutdown();
      const auto me = static_cast<std::size_t>(f.id());
      const std::size_t part =
          (n + static_cast<std::size_t>(p()) - 1) / static_cast<std::size_t>(p());
      const std::size_t begin = std::min(n, me * part), end = std::min(n, begin + part);
      const auto got = receive_all(f[s.down[me]]);
      std::size_t bytes = 0;
      for (const auto& one : got.segments) {
        EXPECT_GE(one.offset, begin * 4);
        EXPECT_LE(one.offset + one.bytes, end * 4);
        bytes += one.bytes;
      }
      EXPECT_EQ(bytes, (end - begin) * 4);
      if (begin >= end) return;
      EXPECT_TRUE(std::equal(sent.begin() + static_cast<std::ptrdiff_t>(begin),
                             sent.begin() + static_cast<std::ptrdiff_t>(end),
                             got.messages.at(0).begin() + static_cast<std::ptrdiff_t>(begin)));
    });
  }
}

TEST_P(dataflow_suite, peers_are_named_by_the_sender) {
  wiring w(m());
  const auto x = join_all(w, p(), peer_to_peer(), small);
  run(w, [&](flow& f) {
    const auto me = static_cast<std::size_t>(f.id());
    std::vector<std::vector<std::uint32_t>> mine;
    for (std::size_t to = 0; to < x.ends.size(); ++to) {
      mine.push_back(values(700, static_cast<std::uint32_t>(100 * me + to)));
      f[x.up[me]].send(std::span(mine.back()), {.to = x.ends[to]});
    }
    f[x.up[me]].shutdown();
    std::vector<std::size_t> from(x.ends.size());
    for (;;) {
      const auto s = f[x.down[me]].receive().get();
      if (s.empty()) break;
      EXPECT_EQ(s.what().to, x.ends[me]);
      const auto rank = static_cast<std::size_t>(
          std::find(x.ends.begin(), x.ends.end(), s.source()) - x.ends.begin());
      const auto theirs = values(700, static_cast<std::uint32_t>(100 * rank + me));
      const auto part = held(s);
      EXPECT_TRUE(std::equal(part.begin(), part.end(),
                             theirs.begin() + static_cast<std::ptrdiff_t>(s.what().offset / 4)));
      from[rank] += part.size();
      f[x.down[me]].release(s);
    }
    for (const auto n : from) EXPECT_EQ(n, 700u);
  });
}

// Plain function: even tags to the first rank, odd ones to the last.
void by_parity(const message& what, endpoint, std::span<const endpoint> all,
               endpoint_list& possible) {
  possible.push_back(what.tag % 2 == 0 ? all.front() : all.back());
}

TEST_P(dataflow_suite, policies_may_be_the_users_own) {
  wiring w(m());
  const auto s = spread_over(w, p(), {"by parity", by_parity});
  const auto sent = values(20, 4);
  run(w, [&](flow& f) {
    if (f.id() == 0)
      for (std::uint64_t i = 0; i < 20; ++i) f[s.up].send(std::span(&sent[i], 1), {.tag = i});
    if (f.id() == 0) f[s.up].shutdown();
    const auto got = receive_all(f[s.down[static_cast<std::size_t>(f.id())]]);
    std::size_t expected = 0;
    expected += f.id() == 0 ? 10 : 0;
    expected += f.id() == last() ? 10 : 0;
    EXPECT_EQ(got.segments.size(), expected);
    for (const auto& one : got.segments)
      EXPECT_TRUE(p() == 1 || one.tag % 2 == (f.id() == 0 ? 0u : 1u)) << one.tag;
  });
}

TEST_P(dataflow_suite, reductions_of_every_shape_and_root) {
  if (gpus() > 0) GTEST_SKIP() << "merging is the CPU's";
  for (const auto shape :
       {reduction_shape::automatic, reduction_shape::many_to_one, reduction_shape::tree})
    for (int root = 0; root < p(); root += std::max(1, p() - 1)) {
      wiring w(m());
      const auto parents = reduction_parents(m(), root, shape);
      std::vector<endpoint> ends;
      for (int r = 0; r < p(); ++r) ends.push_back(w.device(r));
      const auto x = join_all(w, p(), reduction_policy(ends, parents), small);
      run(w, [&](flow& f) {
        const auto me = static_cast<std::size_t>(f.id());
        std::vector<std::int64_t> data(1000);
        for (std::size_t i = 0; i < data.size(); ++i)
          data[i] = static_cast<std::int64_t>(i * (me + 1));
        reduce_through(f, x.up[me], x.down[me], parents, std::span(data), reduction::sum);
        if (f.id() != root) return;
        const auto factor = static_cast<std::size_t>(p()) * (static_cast<std::size_t>(p()) + 1) / 2;
        for (std::size_t i = 0; i < data.size(); ++i)
          ASSERT_EQ(data[i], static_cast<std::int64_t>(i * factor));
      });
    }
}

// Endpoints of one rank are links apart, also from each other.
TEST_P(dataflow_suite, virtual_endpoints_share_a_rank) {
  wiring w(m());
  const auto a = w.add_endpoint(last(), "a"), b = w.add_endpoint(last(), "b"),
             c = w.add_endpoint(last(), "c");
  const auto ab = w.connect(a, b, small), bc = w.connect(b, c, small), ca = w.connect(c, a, small);
  for (int r = 0; r < last(); ++r)
    w.connect(w.device(r), w.add_endpoint(r, "idle " + std::to_string(r)));
  run(w, [&](flow& f) {
    if (f.id() != last()) return;
    std::uint32_t value = 1;
    for (const auto wire : {ab, bc, ca}) {
      f[wire].send(std::span(&value, 1));
      const auto got = f[wire].receive().get();
      EXPECT_EQ(held(got)[0], value);
      f[wire].release(got);
      ++value;
    }
  });
}

}  // namespace
}  // namespace gossamer::dataflow
