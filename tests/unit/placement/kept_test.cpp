// kept: found by graph, machine and options; gone with either, for room, and never while in use.
#include "gossamer/placement/kept.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/base/memory_use.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

graph path_of(std::int64_t n) {
  testing_graphs::arc_list edges;
  for (std::int64_t v = 0; v + 1 < n; ++v) edges.emplace_back(v, v + 1);
  return testing_graphs::undirected("path", n, edges);
}

graph star_of(std::int64_t n) {
  testing_graphs::arc_list edges;
  for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(0, v);
  return testing_graphs::undirected("star", n, edges);
}

/// Something with so many bytes of host memory.
struct block {
  buffer<std::byte> memory;
  int number;
};

class kept_test : public ::testing::Test {
 protected:
  void SetUp() override { kept::forget_all(); }
  void TearDown() override { kept::forget_all(); }

  std::shared_ptr<block> alone(const graph& g, std::size_t bytes = 1000) {
    return kept::alone<block>(on, g, kept::text("block", static_cast<std::int64_t>(bytes)),
                              [&](const graph&) { return make(bytes); });
  }
  std::shared_ptr<const block> shared(const graph& g) {
    return kept::shared<block>(on, g, "shared", [&](const graph&) { return make(100); });
  }
  std::shared_ptr<block> make(std::size_t bytes) {
    return std::make_shared<block>(block{buffer<std::byte>(memory_kind::host, -1, bytes), made++});
  }

  machine on = machine::open("cpu:1");
  graph path = path_of(10), star = star_of(10);
  int made = 0;
};

TEST_F(kept_test, IsFoundAgain) {
  alone(path).reset();
  EXPECT_EQ(alone(path)->number, 0);
  EXPECT_EQ(alone(star)->number, 1);
  EXPECT_EQ(alone(path, 2000)->number, 2);
  const auto items = kept::items();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].what, "block|1000|");
  EXPECT_EQ(items[0].uses, 1);
  EXPECT_EQ(items[0].bytes.at(host_account), 1000);
  EXPECT_FALSE(items[0].in_use);
  EXPECT_EQ(kept::bytes_in(host_account), 4000);
}

TEST_F(kept_test, CopiesAreTheSameGraph) {
  graph copy = path;
  alone(path).reset();
  EXPECT_EQ(alone(copy)->number, 0);
  // Other arrays are another graph, whoever it was copied from.
  copy.offsets = star.offsets;
  copy.indices = star.indices;
  EXPECT_EQ(alone(copy)->number, 1);
  // So are fewer rows of the same array.
  copy = path;
  copy.offsets = path.offsets.first(5);
  EXPECT_EQ(alone(copy)->number, 2);
}

TEST_F(kept_test, HoldsTheArraysThatTellItApart) {
  // Else others may come to lie where they were, and find what is none of theirs.
  bool gone = false;
  graph copy = path;
  copy.offsets = shared_array<edge_offset>(
      path.offsets.data(), path.offsets.size(),
      std::shared_ptr<void>(path.offsets.data(), [&](void*) { gone = true; }));
  kept::of_graph<int>(copy, "fact", [](const graph&) { return std::make_shared<int>(1); });
  copy = path;
  EXPECT_FALSE(gone);
  kept::forget(path);
  EXPECT_TRUE(gone);
}

TEST_F(kept_test, CountsNothingThatGoesMeanwhile) {
  alone(path, 4000).reset();
  kept::alone<block>(on, star, "x", [&](const graph&) {
    kept::make_room(host_account, 1, 0);
    return make(3000);
  }).reset();
  ASSERT_EQ(kept::items().size(), 1u);
  EXPECT_EQ(kept::bytes_in(host_account), 3000);
}

TEST_F(kept_test, OneUserOrAny) {
  const auto first = alone(path), second = alone(path);
  EXPECT_NE(first, second);
  EXPECT_EQ(shared(path), shared(path));
  EXPECT_TRUE(kept::holds(first.get()));
  EXPECT_TRUE(kept::items()[0].in_use);
}

TEST_F(kept_test, GoesWithTheLastCopyOfTheGraph) {
  auto once = std::make_unique<graph>(path_of(5));
  auto copy = std::make_unique<graph>(*once);
  const std::int64_t before = memory_in_use(host_account).now;
  alone(*once, 5000).reset();
  once.reset();
  EXPECT_EQ(kept::items().size(), 1u);
  copy.reset();
  EXPECT_TRUE(kept::items().empty());
  EXPECT_LE(memory_in_use(host_account).now, before);
}

TEST_F(kept_test, WhatMakesItDoesNotKeepTheGraph) {
  auto once = std::make_unique<graph>(path_of(5));
  const auto held = kept::shared<graph>(
      on, *once, "graph", [](const graph& bare) { return std::make_shared<graph>(bare); });
  EXPECT_EQ(held->life.id(), once->life.id());
  EXPECT_EQ(held->offsets.data(), once->offsets.data());
  once.reset();
  EXPECT_TRUE(kept::items().empty());
  EXPECT_EQ(held->life.id(), nullptr);
  // Of a graph that has ended nothing is kept.
  alone(*held).reset();
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_test, GoesWithTheMachine) {
  {
    machine other = machine::open("cpu:2");
    kept::alone<block>(other, path, "x", [&](const graph&) { return make(10); }).reset();
    EXPECT_EQ(kept::items().size(), 1u);
    machine moved = std::move(other);
    EXPECT_EQ(kept::items().size(), 1u);
    // It was made for an address where no machine is now.
    EXPECT_EQ(kept::alone<block>(moved, path, "x", [&](const graph&) { return make(10); })->number,
              1);
    moved = machine::open("cpu:1");
    EXPECT_TRUE(kept::items().empty());
  }
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_test, MakesRoomByAge) {
  alone(path, 1000).reset();
  const auto used = alone(path, 2000);
  alone(path, 3000).reset();
  alone(path, 1000).reset();  // now the youngest
  kept::make_room(host_account, 500, 5000);
  EXPECT_EQ(kept::items().size(), 3u) << "what is in use is nobody's room";
  kept::make_room(host_account, 2000, 5000);
  ASSERT_EQ(kept::items().size(), 2u);
  EXPECT_EQ(kept::items()[0].bytes.at(host_account), 2000);
  EXPECT_EQ(kept::items()[1].bytes.at(host_account), 1000);
  kept::make_room(host_account, 1, 0);
  ASSERT_EQ(kept::items().size(), 1u);
  EXPECT_TRUE(kept::items()[0].in_use);
}

TEST_F(kept_test, PlansMakeRoom) {
  alone(path, 4000).reset();
  memory_plan plan;
  plan.limit_to(on, 5000);
  EXPECT_EQ(plan.kept().at(host_account), 4000);
  EXPECT_NE(plan.text().find("kept from earlier calls"), std::string::npos);
  plan.add(0, memory_kind::host, "work", 1000);
  plan.check();
  EXPECT_EQ(kept::items().size(), 1u);
  plan.add(0, memory_kind::host, "more work", 5000);
  EXPECT_THROW(plan.check(), capacity_error);
  EXPECT_EQ(kept::items().size(), 1u) << "what is refused drops nothing";
  plan.entries.back().bytes = 1;
  plan.check();
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_test, ForgetsGraphsAndObjects) {
  alone(path).reset();
  alone(star).reset();
  kept::forget(path);
  ASSERT_EQ(kept::items().size(), 1u);
  const auto object = alone(star);
  kept::forget_object(object.get());
  EXPECT_TRUE(kept::items().empty());
  EXPECT_EQ(object->number, 1);
}

TEST_F(kept_test, WhatCannotBeMadeIsNotKept) {
  EXPECT_THROW(kept::shared<block>(
                   on, path, "no",
                   [](const graph&) -> std::shared_ptr<block> { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_test, IsBoundedInNumber) {
  for (std::int64_t i = 0; i < 100; ++i)
    kept::alone<block>(on, path, kept::text(i), [&](const graph&) { return make(1); }).reset();
  EXPECT_EQ(kept::items().size(), 64u);
  EXPECT_EQ(kept::items().back().what, "99|");
}

TEST_F(kept_test, Threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const graph mine = path_of(4 + t);
        auto one = kept::alone<int>(on, t % 2 == 0 ? mine : path, "int",
                                    [&](const graph&) { return std::make_shared<int>(t); });
        if (i % 10 == 0) kept::forget(path);
        if (i % 17 == 0) kept::make_room(host_account, 1, 0);
        *one = i;
      }
    });
  for (auto& t : threads) t.join();
  kept::forget(path);
  EXPECT_TRUE(kept::items().empty());
}

TEST_F(kept_test, GraphsEndWhileTheyAreAskedFor) {
  for (int i = 0; i < 300; ++i) {
    auto once = std::make_unique<graph>(path);
    once->life = {};
    graph bare = *once;
    bare.life = once->life.observer();
    std::atomic<int> times = 0;
    std::thread other([&] {
      do {
        kept::alone<int>(on, bare, "int", [&](const graph&) { return std::make_shared<int>(i); });
        ++times;
      } while (bare.life.id() != nullptr);
    });
    while (times < 3) std::this_thread::yield();
    once.reset();
    other.join();
    EXPECT_TRUE(kept::items().empty());
  }
}

TEST_F(kept_test, Placements) {
  const auto first = kept::place(on, path);
  EXPECT_EQ(kept::place(on, path), first);
  place_options hash;
  hash.renumber = "degree";
  EXPECT_NE(kept::place(on, path, hash), first);
  EXPECT_EQ(first->source().offsets.data(), path.offsets.data());
}

}  // namespace
}  // namespace gossamer
