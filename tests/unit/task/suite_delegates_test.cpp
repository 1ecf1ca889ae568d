// Delegates and the aggregator: results, errors, order, back-pressure, and nothing lost.
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "gossamer/task/full_empty.hpp"
#include "gossamer/task/global_tasks.hpp"
#include "gossamer/task/task_group.hpp"
#include "unit/task/global_suite.hpp"

namespace gossamer {
namespace {

using counts = global_array<std::int64_t>;

/// `updates` increments of pseudo-random elements, every step a different one.
task<> add_ones(global_tasks& g, counts a, std::uint64_t seed, int updates) {
  for (std::uint64_t x = 2 * seed + 1; updates > 0; --updates) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const auto i = static_cast<std::int64_t>((x >> 33) % static_cast<std::uint64_t>(a.size()));
    co_await g.post(a[i], [](std::int64_t& n) { ++n; });
  }
}

task<> many(global_tasks& g, counts a, int tasks, int updates) {
  task_group group(g.local());
  for (int t = 0; t < tasks; ++t)
    group.spawn(add_ones(g, a, static_cast<std::uint64_t>(g.id() * 1000 + t), updates));
  co_await group.join();
}

TEST_P(global_suite, NoIncrementIsLostHoweverLittleRoomThereIs) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    const auto a = g.heap().allocate<std::int64_t>(1000, 3);
    constexpr int tasks = 10, updates = 2000;
    g.run(many(g, a, tasks, updates));
    const auto mine = a.local();
    EXPECT_EQ(sum_over(r, std::accumulate(mine.begin(), mine.end(), std::int64_t{0})),
              std::int64_t{r.size()} * tasks * updates);
    const auto& c = g.counters();
    EXPECT_EQ(std::accumulate(c.sizes.begin(), c.sizes.end(), std::int64_t{0}), c.parcels());
    EXPECT_EQ(c.bytes, 8 * c.messages + 8 * c.parcels())
        << "a place each, since the operation is empty, and one header a parcel";
    EXPECT_EQ(sum_over(r, c.messages + c.local), std::int64_t{r.size()} * tasks * updates);
    EXPECT_EQ(sum_over(r, c.messages), sum_over(r, static_cast<std::int64_t>(g.served())));
    if (r.size() > 1) {
      EXPECT_GT(c.full, 0);
      EXPECT_GE(c.sizes[10] + c.sizes[11], c.full) << "a full parcel is of 1 to 2 KiB";
    }
  });
}

/// Somebody else's manager: sees every parcel, and says twice of three times that it has no room.
class reluctant : public memory_manager {
 public:
  reluctant(std::unique_ptr<memory_manager> real, std::int64_t& parcels)
      : real_(std::move(real)), parcels_(parcels) {}
  void begin() override { real_->begin(); }
  void end() noexcept override { real_->end(); }
  [[nodiscard]] bool room(int to) const override {
    if (!real_->room(to)) return false;
    hidden_ = ++asked_ % 3 != 0;
    return !hidden_;
  }
  void send(int to, std::span<std::byte> framed) override {
    ++parcels_;
    real_->send(to, framed);
  }
  bool receive(parcel_server& server) override { return real_->receive(server); }
  void wait() override {
    if (!std::exchange(hidden_, false)) real_->wait();
  }
  round_state agree(const work_report& mine) override { return real_->agree(mine); }
  [[nodiscard]] const work_report& totals() const override { return real_->totals(); }
  void charge(std::size_t bytes, std::size_t messages) override { real_->charge(bytes, messages); }
  void worked() override { real_->worked(); }

 private:
  std::unique_ptr<memory_manager> real_;
  std::int64_t& parcels_;
  mutable int asked_ = 0;
  mutable bool hidden_ = false;  ///< there is room, and nothing to wait for
};

TEST_P(global_suite, AnyMemoryManagerWillDo) {
  m.run([](rank& r) {
    std::int64_t parcels = 0;
    auto o = narrow();
    o.manager = [&](rank& r, const std::string& name, const parcel_limits& limits) {
      return std::make_unique<reluctant>(plain().manager(r, name, limits), parcels);
    };
    global_tasks g(r, o);
    const auto a = g.heap().allocate<std::int64_t>(1000, 3);
    g.run(many(g, a, 5, 1000));
    const auto mine = a.local();
    EXPECT_EQ(sum_over(r, std::accumulate(mine.begin(), mine.end(), std::int64_t{0})),
              std::int64_t{r.size()} * 5 * 1000);
    EXPECT_EQ(parcels, g.counters().parcels());
    if (r.size() > 1) {
      EXPECT_GT(g.counters().refused, 0);
    }
  });
}

TEST_P(global_suite, CallsReturnWhatTheOwnerHas) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto a = g.heap().allocate<std::int64_t>(4 * r.size() + 1, 2);
    a.for_each_local([](std::int64_t i, std::int64_t& x) { x = 100 * i; });
    const auto main = [](global_tasks& g, counts a) -> task<> {
      for (std::int64_t i = 0; i < a.size(); ++i) {
        const auto x = co_await g.call(a[i], [k = i](std::int64_t& x) { return x + k; });
        EXPECT_EQ(x, 101 * i);
      }
      for (int to = 0; to < g.size(); ++to)
        EXPECT_EQ(co_await g.call_on(to, [](global_tasks& there) { return there.id(); }), to);
    };
    g.run(main(g, a));
  });
}

TEST_P(global_suite, OneCoreServesAWordSoThatTicketsAreUnique) {
  m.run([](rank& r) {
    global_tasks g(r, narrow());
    const auto ticket = g.heap().allocate<std::int64_t>(1);
    const auto drawn = g.heap().allocate<std::int64_t>(300 * r.size(), 5);
    const auto draw = [](global_tasks& g, counts ticket, counts drawn) -> task<> {
      for (int k = 0; k < 30; ++k) {
        const auto mine = co_await g.call(ticket[0], [](std::int64_t& n) { return n++; });
        co_await g.call(drawn[mine], [](std::int64_t& n) { ++n; });
      }
    };
    for (int t = 1; t < 10; ++t) g.local().spawn(draw(g, ticket, drawn));
    g.run(draw(g, ticket, drawn));
    for (const std::int64_t n : drawn.local()) EXPECT_EQ(n, 1);
  });
}

TEST_P(global_suite, ATaskThatWaitsLeavesTheCoreToOthersAndAgeSendsItsMessage) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    bool answered = false;
    const auto ask = [](global_tasks& g, bool& answered) -> task<> {
      co_await g.call_on((g.id() + 1) % g.size(), [](global_tasks&) {});
      answered = true;
    };
    // Never idle until then, so that nothing but its age sends the request.
    const auto spin = [](global_tasks& g, const bool& answered) -> task<std::int64_t> {
      std::int64_t turns = 0;
      for (; !answered; ++turns) {
        if (g.where().dev().model != nullptr) g.where().charge(1e-6);
        co_await yield_now();
      }
      co_return turns;
    };
    const auto main = [&](global_tasks& g) -> task<> {
      g.local().spawn(ask(g, answered));
      EXPECT_GT(co_await spin(g, answered), 0);
    };
    g.run(main(g));
    if (r.size() > 1) {
      EXPECT_GE(g.counters().aged, 1);
    }
  });
}

TEST_P(global_suite, WordsOfOtherRanksAreWaitedForAtTheirOwner) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    using word = full_empty<int>;
    const auto words = g.heap().allocate_owned<word>(1);
    const auto consume = [](global_tasks& g, global_address<word> from) -> task<> {
      for (int k = 0; k < 20; ++k) {
        const int got = co_await g.call_task(
            from, [](word& w) -> task<int> { co_return co_await w.read_fe(); });
        EXPECT_EQ(got, k);
      }
    };
    const auto produce = [](global_tasks& g, global_address<word> to) -> task<> {
      for (int k = 0; k < 20; ++k)
        co_await g.call_task(to, [k](word& w) -> task<> { co_await w.write_ef(k); });
    };
    // Each word is filled by its left neighbour and emptied by its right one.
    const int p = r.size();
    g.local().spawn(consume(g, words[(r.id() + p - 1) % p]));
    g.run(produce(g, words[(r.id() + 1) % p]));
    EXPECT_FALSE(words.local()[0].full());
  });
}

TEST_P(global_suite, WhatAnOperationThrowsReachesTheCaller) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto main = [](global_tasks& g) -> task<> {
      const int to = (g.id() + 1) % g.size();
      std::string text, from_task;
      try {
        co_await g.call_on(to, [](global_tasks&) -> int { throw usage_error("no such vertex"); });
      } catch (const error& e) {
        text = e.what();
      }
      try {
        co_await g.call_task_on(to, [](global_tasks&) -> task<int> {
          co_await yield_now();
          throw usage_error("no such edge");
        });
      } catch (const rank_error& e) {
        from_task = e.what();
        EXPECT_EQ(e.rank(), to);
      }
      const std::string where =
          "global tasks: an operation failed on rank " + std::to_string(to) + ": ";
      EXPECT_EQ(text, to == g.id() ? "no such vertex" : where + "no such vertex");
      EXPECT_EQ(from_task, where + "no such edge");
    };
    g.run(main(g));
  });
}

/// Says what it will touch.
struct foreseen {
  std::int64_t word;
  void prefetch(global_tasks& there) const {
    there.heap().element<std::int64_t>(1, word) += 1000;  // an effect that can be counted
  }
  void operator()(global_tasks& there) const { ++there.heap().element<std::int64_t>(1, word); }
};

TEST_P(global_suite, OperationsOnARankMayBePrefetchedByItsOwner) {
  m.run([](rank& r) {
    global_tasks g(r);
    const auto a = g.heap().allocate_owned<std::int64_t>(3);
    const auto main = [](global_tasks& g) -> task<> {
      for (int to = 0; to < g.size(); ++to)
        for (int i = 0; i < 100; ++i) co_await g.post_on(to, foreseen{i % 3});
    };
    g.run(main(g));
    // Each served once, and fetched once before: those that come from here, too.
    EXPECT_EQ(std::accumulate(a.local().begin(), a.local().end(), std::int64_t{0}),
              (1 + 1000) * 100 * g.size());
  });
}

TEST_P(global_suite, WhatAPostedOperationThrowsComesOutOfTheOwnersRun) {
  const auto text = thrown([](rank& r) {
    global_tasks g(r, plain());
    const auto main = [](global_tasks& g) -> task<> {
      if (g.id() == 0)
        co_await g.post_on(g.size() - 1, [](global_tasks&) { throw usage_error("posted"); });
    };
    g.run(main(g));
  });
  expect_contains(text, "posted");
}

TEST_P(global_suite, RefusesRanksAndAddressesThatThereAreNot) {
  m.run([](rank& r) {
    global_tasks g(r, plain());
    const auto a = g.heap().allocate<std::int64_t>(5);
    const auto main = [](global_tasks& g, counts a) -> task<> {
      std::string rank_text, address_text;
      try {
        co_await g.post_on(g.size(), [](global_tasks&) {});
      } catch (const usage_error& e) {
        rank_text = e.what();
      }
      try {
        co_await g.post(a.end(), [](std::int64_t&) {});
      } catch (const usage_error& e) {
        address_text = e.what();
      }
      const auto p = std::to_string(g.size());
      EXPECT_EQ(rank_text, "global tasks: there is no rank " + p + " (of " + p + ")");
      EXPECT_EQ(address_text, "global_heap: element 5 of allocation 1, which has 5");
    };
    g.run(main(g, a));
  });
}

TEST_P(global_suite, RefusesParcelsThatHoldNoMessage) {
  const auto text = thrown([](rank& r) {
    auto o = plain();
    o.messages.parcels.bytes = 1024;
    global_tasks g(r, o);
  });
  expect_contains(text, "aggregator: parcels need 2048 bytes at least");
  const auto age = thrown([](rank& r) {
    auto o = plain();
    o.messages.age = -1;
    global_tasks g(r, o);
  });
  expect_contains(age, "aggregator: an age cannot be negative");
}

}  // namespace
}  // namespace gossamer
