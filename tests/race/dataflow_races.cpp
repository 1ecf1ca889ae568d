// Links and routers under ThreadSanitizer: every rank sends to every other by two routers at once,
// messages of random sizes, readers that dawdle, buffers given back out of order, run after run.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <thread>

#include "gossamer/dataflow/flow.hpp"

namespace gossamer::dataflow {
namespace {

std::uint64_t value_of(std::uint64_t from, std::uint64_t to, std::uint64_t index) {
  return (from * 1009 + to) * 0x9e3779b97f4a7c15u + index;
}

struct tangle {
  explicit tangle(machine& m) : w(m) {
    const int p = m.size();
    const auto named = w.add_router(p, p, peer_to_peer(), "named");
    const auto all = w.add_router(p, p, broadcast(), "all");
    for (int r = 0; r < p; ++r) {
      ends.push_back(w.device(r));
      up.push_back(w.connect(ends.back(), named));
      down.push_back(w.connect(named, ends.back(), {512, 1 + r % 3}));
      const auto loud = w.add_endpoint(r, "loud " + std::to_string(r));
      out.push_back(w.connect(loud, all));
      in.push_back(w.connect(all, loud, {256, 2}));
    }
  }
  wiring w;
  std::vector<endpoint> ends;
  std::vector<link_id> up, down, out, in;
};

/// Takes segments, holds up to three, and gives back a random one of them.
class dawdler {
 public:
  dawdler(link in, std::uint64_t seed) : in_(in), random_(seed) {}
  /// The sum of all that came, checked against who sent it.
  std::size_t read_all(const std::vector<endpoint>& ends, std::size_t me) {
    std::size_t elements = 0;
    for (auto s = in_.receive().get(); s; s = in_.receive().get()) {
      if (random_() % 4 == 0) std::this_thread::yield();
      const auto part = s.as<std::uint64_t>();
      const auto from =
          static_cast<std::size_t>(std::find(ends.begin(), ends.end(), s.source()) - ends.begin());
      for (std::size_t i = 0; i < part.size(); ++i)
        EXPECT_EQ(part[i], value_of(from, me, s.what().offset / 8 + i));
      elements += part.size();
      held_.push_back(s);
      // Whoever waits for more while it holds the oldest may hold up its sender for ever.
      if (me % 3 != 2 || held_.size() == 2 || random_() % 2 == 0) let_go();
      while (!held_.empty() && !in_.receive().ready()) let_go();
    }
    while (!held_.empty()) let_go();
    return elements;
  }

 private:
  void let_go() {
    const auto which = random_() % held_.size();
    in_.release(held_[which]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
    // What is behind one that is held comes back with it.
    while (!held_.empty() && random_() % 2 == 0) {
      in_.release(held_.front());
      held_.pop_front();
    }
  }
  link in_;
  std::mt19937_64 random_;
  std::deque<pending_segment> held_;
};

class dataflow_races : public ::testing::TestWithParam<int> {};

TEST_P(dataflow_races, all_to_all_through_two_routers) {
  auto m = machine::open("cpu:" + std::to_string(GetParam()) + "x1");
  const tangle t(m);
  for (std::uint64_t round = 0; round < 4; ++round)
    run(m, t.w, [&](flow& f) {
      const auto me = static_cast<std::size_t>(f.id());
      std::size_t heard = 0;
      f[t.in[me]].on_receive([&](const pending_segment& s) { heard += s.bytes().size(); });
      std::vector<std::vector<std::uint64_t>> sent(t.ends.size());
      for (std::size_t to = 0; to < t.ends.size(); ++to) {
        std::mt19937_64 random(round * 100 + me * 10 + to);
        sent[to].resize(random() % 700);
        for (std::size_t i = 0; i < sent[to].size(); ++i) sent[to][i] = value_of(me, to, i);
        f[t.up[me]].send(std::span(sent[to]), {.to = t.ends[to]});
      }
      f[t.up[me]].shutdown();
      const std::vector<std::byte> shout(1000 + me);
      if (t.ends.size() > 1) f[t.out[me]].send(std::span(shout));
      std::size_t expected = 0, loud = 0;
      for (std::size_t from = 0; from < t.ends.size(); ++from) {
        std::mt19937_64 random(round * 100 + from * 10 + me);
        expected += random() % 700;
        loud += from == me ? 0 : 1000 + from;
      }
      EXPECT_EQ(dawdler(f[t.down[me]], me).read_all(t.ends, me), expected);
      f.finish();
      EXPECT_EQ(heard, loud);
    });
}

INSTANTIATE_TEST_SUITE_P(ranks, dataflow_races, ::testing::Values(1, 2, 3, 6));

}  // namespace
}  // namespace gossamer::dataflow
