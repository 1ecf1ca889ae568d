// The five callbacks: items that are kept, sent, copied, dropped and passed on, here around a ring
// of ranks; lists that are full; options that make no sense.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "gossamer/dataflow/distributed_worklist.hpp"
#include "gossamer/fabric/rank.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

/// A letter that visits its target; each rank only ever sends to the next one. A letter for nobody
/// (-1) is for all: every rank keeps a copy and passes it on until it is back.
struct letter {
  int from, to;
  int generation;
};

struct ring_walk {
  using item = letter;
  using message = letter;
  static constexpr bool passes_on = true;
  int self, ranks, generations;
  std::vector<letter> read;  ///< items worked on here

  [[nodiscard]] int next() const { return (self + 1) % ranks; }
  message pack(const item& x) { return x; }
  item unpack(const message& m) { return m; }
  route on_send(const item& x) {
    if (x.generation > generations) return route::drop();
    return x.to == self ? route::keep() : route::send(next());
  }
  route on_receive(const message& m) {
    if (m.to == self) return route::keep();
    if (m.to >= 0) return route::send(next());
    return m.from == next() ? route::keep() : route::copy(next());
  }
  double priority(const item& x) { return x.generation; }
  bool enter(const item&, bool) { return true; }
  bool revive(const item&) { return true; }
  template <class Emit>
  void work(rank&, std::span<const item> batch, Emit&& emit, worklist_counters&) {
    for (const letter& x : batch) {
      read.push_back(x);
      if (x.from == self && x.to == self && x.generation == 0) {
        for (int to = ranks > 1 ? -1 : 0; to < ranks; ++to)
          if (to != self) emit(letter{self, to, 1});
      } else if (x.to >= 0) {
        emit(letter{self, x.from, x.generation + 1});  // an answer
      }
    }
  }
};

class Callbacks : public testing_machines::OnMachine {};

TEST_P(Callbacks, EveryLetterIsReadWhereItBelongs) {
  const int p = machine_->size(), generations = 5;
  worklist_options options;
  options.parcels = {192, 2};  // 16 letters
  std::vector<ring_walk> ranks;
  for (int r = 0; r < p; ++r) ranks.push_back({r, p, generations, {}});
  std::vector<worklist_counters> counted(static_cast<std::size_t>(p));
  const std::vector<std::int64_t> capacity(static_cast<std::size_t>(p), 2 * p * p + 16);
  machine_->run([&](rank& r) {
    auto& mine = ranks[static_cast<std::size_t>(r.id())];
    distributed_worklist<ring_walk> work(mine, r.id(), capacity, options);
    work.begin(r);
    work.push({r.id(), r.id(), 0});
    work.run();
    counted[static_cast<std::size_t>(r.id())] = work.counters();
  });
  // Each pair exchanges letters of all generations, begun by both sides; letters for all are read
  // by all but their sender.
  for (int r = 0; r < p; ++r) {
    std::multiset<std::pair<int, int>> got;
    int for_all = 0;
    for (const letter& x : ranks[static_cast<std::size_t>(r)].read) {
      if (x.to < 0) {
        ++for_all;
      } else if (x.generation > 0) {
        EXPECT_EQ(x.to, r);
        got.insert({x.from, x.generation});
      }
    }
    EXPECT_EQ(for_all, p - 1);
    for (int from = 0; from < p; ++from)
      for (int g = 1; g <= generations; ++g)
        EXPECT_EQ(got.count({from, g}), from == r ? 0u : 1u) << from << " " << g;
    const auto& c = counted[static_cast<std::size_t>(r)];
    EXPECT_EQ(c.rounds, counted[0].rounds);
    EXPECT_EQ(c.windows, counted[0].windows);
    EXPECT_GE(c.rounds, 2);
    EXPECT_EQ(c.bytes, c.sent * static_cast<std::int64_t>(sizeof(letter)));
    EXPECT_EQ(c.sent > 0, p > 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Callbacks,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:6x1",
                                           "sim:peach2,ranks=4"),
                         testing_machines::spec_name<std::string>);

template <class Error>
std::string refusal(std::vector<std::int64_t> capacity, worklist_options options) {
  auto m = machine::open(capacity.size() == 1 ? "cpu:1x1" : "cpu:2x1");
  return message_of<Error>([&] {
    m.run([&](rank& r) {
      ring_walk mine{r.id(), r.size(), 1000, {}};
      distributed_worklist<ring_walk> work(mine, r.id(), capacity, options);
      work.begin(r);
      for (int i = 0; i < 40; ++i) work.push({r.id(), r.id(), 1 + i % 2});
      work.run();
    });
  });
}

TEST(FullLists, AreErrorsAndNoLosses) {
  worklist_options options;
  options.name = "letters";
  options.batch = 1;
  options.soft_priority = false;
  EXPECT_EQ(refusal<capacity_error>({7}, options),
            "letters: the worklist of rank 0 is full (8 items): plan a larger one");
  options.soft_priority = true;
  EXPECT_EQ(refusal<capacity_error>({7}, options),
            "letters: the list of deferred items of rank 0 is full (7 items): plan a larger one");
}

/// More for the other rank than its list holds.
struct flood : ring_walk {
  route on_send(const item&) { return route::send(1 - self); }
  route on_receive(const message&) { return route::drop(); }
  template <class Emit>
  void work(rank&, std::span<const item>, Emit&& emit, worklist_counters&) {
    for (int i = 0; i < 33; ++i) emit(letter{0, 1, 1});
  }
};

TEST(FullLists, ListsForOthersToo) {
  auto m = machine::open("cpu:2x1");
  worklist_options options;
  options.name = "letters";
  options.parcels = {192, 1};
  const std::vector<std::int64_t> capacity = {32, 32};
  EXPECT_EQ(message_of<capacity_error>([&] {
              m.run([&](rank& r) {
                flood mine;
                mine.self = r.id();
                mine.ranks = 2;
                distributed_worklist<flood> work(mine, r.id(), capacity, options);
                work.begin(r);
                if (r.id() == 0) work.push({0, 0, 0});
                work.run();
              });
            }),
            "letters: the list for rank 1 of rank 0 is full (32 items): plan a larger one");
}

TEST(WorklistOptions, HaveToMakeSense) {
  worklist_options options;
  options.name = "letters";
  const auto refused = [&](auto&& change) {
    worklist_options changed = options;
    change(changed);
    return refusal<usage_error>({64, 64}, changed);
  };
  EXPECT_EQ(refused([](auto& o) { o.batch = -1; }), "letters: a batch needs an item");
  EXPECT_EQ(refused([](auto& o) { o.delta = 0; }), "letters: delta must be positive");
  EXPECT_EQ(refused([](auto& o) { o.steal = true; }),
            "letters: stealing needs callbacks that give away parts of rows");
  EXPECT_EQ(refused([](auto& o) { o.parcels.bytes = 8; }), "letters: a parcel must hold a message");
  EXPECT_EQ(refused([](auto& o) { o.parcels.bytes = 16384; }),
            "letters: lists that pass messages on must hold a parcel");
  EXPECT_EQ(refused([](auto& o) {
              o.parcels = {48, 1};
            }),
            "letters: parcels need 64 bytes and one place at least");
  EXPECT_EQ(refused([](auto& o) {
              o.parcels = {192, 0};
            }),
            "letters: parcels need 64 bytes and one place at least");
}

}  // namespace
}  // namespace gossamer
