// Pointer chasing: walks end where they must, by every way, on any number of ranks; and refusals.
#include "gossamer/algorithm/pointer_chase.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory_nodes.hpp"
#include "message_of.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

TEST(node_list, IsOneCycleThroughAllNodes) {
  for (const std::int64_t nodes : {2, 3, 1000, 4096}) {
    const node_list list(nodes, 5);
    std::set<const list_node*> seen;
    const list_node* at = list.at(0);
    for (std::int64_t i = 0; i < nodes; ++i) {
      EXPECT_EQ(at, list.at(static_cast<std::uint64_t>(i)));
      EXPECT_EQ(at->position, static_cast<std::uint64_t>(i));
      EXPECT_TRUE(seen.insert(at).second);
      at = at->next;
    }
    EXPECT_EQ(at, list.at(0));
  }
  EXPECT_THROW(node_list(1), usage_error);
  const testing::scoped_variable limit("GOSSAMER_MEMORY", "1M");
  node_list(1 << 14);
  EXPECT_EQ(message_of<capacity_error>([] { node_list(1 + (1 << 14)); }),
            "pointer chasing: a list of 16385 nodes of 64 bytes does not fit; the limit is 1.0 MiB "
            "(GOSSAMER_MEMORY)");
  EXPECT_THROW(node_list(std::numeric_limits<std::int64_t>::max()), capacity_error);
}

// Whatever the system grants: pages of 1 GiB are those that an administrator set aside.
TEST(node_list, SaysWhatPagesItGot) {
  const node_list list(1 << 16), ordinary(1 << 16, 1, false);
  EXPECT_LE(list.huge_bytes(), list.size() * 64);
  EXPECT_EQ(list.page_bytes(), list.huge_bytes() > 0 ? 2 << 20 : ordinary.page_bytes());
  EXPECT_EQ(ordinary.huge_bytes(), 0);
  EXPECT_LT(ordinary.page_bytes(), 2 << 20);
  EXPECT_FALSE(list.memory_node());
}

TEST(node_list, LiesOnTheMemoryNodeAskedFor) {
  const int last = memory_nodes().back();
  for (const std::int64_t nodes : {1 << 14, 1 << 24}) {
    try {
      const node_list list(nodes, 1, true, last);
      EXPECT_EQ(list.memory_node(), last);
      if (list.page_bytes() == std::int64_t{1} << 30) {
        EXPECT_EQ(list.huge_bytes(), nodes * 64);
      }
      if (memory_node_of(list.at(0)) < 0) GTEST_SKIP() << "the system does not say where";
      for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(memory_node_of(list.at(i)), last);
    } catch (const foreign_error& e) {
      GTEST_SKIP() << e.what();
    }
  }
}

TEST(node_list, RefusesAMemoryNodeThatTheHostHasNot) {
  const int none = memory_nodes().back() + 1;
  const auto said = message_of<usage_error>([&] { node_list(100, 1, true, none); });
  expect_contains(said, "memory_node " + std::to_string(none) + ": this host has node");
  EXPECT_EQ(said, message_of<usage_error>([&] { require_memory_node(none); }));
}

TEST(node_list, RefusesWhatAMemoryNodeHasNot) {
  const int node = memory_nodes().front();
  const std::int64_t left = memory_left_on(node);
  if (left > std::int64_t{1} << 60) GTEST_SKIP() << "the system does not say what is left";
  // As much again as others may give back meanwhile.
  const std::int64_t nodes = 2 * left / 64;
  const std::string said = message_of<capacity_error>([&] { node_list(nodes, 1, true, node); });
  expect_contains(said, "memory_node " + std::to_string(node) + ": wanted ");
  expect_contains(said, ", available ");
}

chase_options with(chase_way way, std::int64_t in_flight) {
  chase_options o;
  o.way = way;
  o.in_flight = in_flight;
  o.references = 10'000;
  return o;
}

TEST(pointer_chase, ArrivesByEveryWay) {
  const node_list list(1 << 12);
  for (const char* spec : {"cpu:1x1", "cpu:3x1"}) {
    machine m = machine::open(spec);
    for (const auto way : {chase_way::loop, chase_way::tasks, chase_way::fibers}) {
      for (const std::int64_t in_flight : {1, 7, 100}) {
        try {
          const chase_result r = chase_pointers(m, list, with(way, in_flight));
          EXPECT_GE(r.references, 10'000 * m.size());
          EXPECT_GT(r.rate, 0);
        } catch (const not_compiled& e) {
          EXPECT_EQ(way, chase_way::fibers);
          EXPECT_STREQ(e.what(),
                       "fibers not compiled in: configure with -DGOSSAMER_BOOST_CONTEXT=ON");
        }
      }
    }
    chase_options o = with(chase_way::tasks, 5);
    o.working_set = 256;
    o.updates = 9;
    EXPECT_GT(chase_pointers(m, list, o).rate, 0);
  }
}

TEST(pointer_chase, DelaysBoundTheRate) {
  const node_list list(1 << 12);
  machine m = machine::open("cpu:1x1");
  chase_options o = with(chase_way::tasks, 10);
  o.delay = std::chrono::milliseconds(1);
  o.references = 100;
  // 10 under way, each for 1 ms: 10,000 a second at most (Little).
  const chase_result r = chase_pointers(m, list, o);
  EXPECT_LE(r.rate, 10'000);
  EXPECT_GT(r.rate, 1'000);
}

// A list that another wrote into: the check is no formality.
TEST(pointer_chase, ANodeThatLeadsElsewhereIsFound) {
  const node_list list(100);
  list.at(50)->next = list.at(70);
  machine m = machine::open("cpu:1x1");
  try {
    chase_pointers(m, list, with(chase_way::tasks, 3));
    FAIL();
  } catch (const verification_error& e) {
    EXPECT_NE(std::string(e.what()).find("arrived at the wrong node"), std::string::npos);
  }
}

TEST(pointer_chase, RefusesWhatMakesNoSense) {
  const node_list list(100);
  const auto said = [&list](const char* spec, auto change) -> std::string {
    machine m = machine::open(spec);
    chase_options o;
    change(o);
    return message_of<usage_error>([&] { chase_pointers(m, list, o); });
  };
  using options = chase_options;
  EXPECT_EQ(said("cpu:1x1", [](options& o) { o.in_flight = 0; }),
            "pointer chasing: in_flight and references must be positive");
  EXPECT_EQ(said("cpu:1x1", [](options& o) { o.updates = 3; }),
            "pointer chasing: updates of no working set");
  EXPECT_EQ(said("cpu:1x1", [](options& o) { o.working_set = 8; }),
            "pointer chasing: a working set is 64 bytes at least, or 0");
  EXPECT_EQ(said("cpu:1x1", [](options& o) { o.updates = -1; }),
            "pointer chasing: a negative delay or update");
  EXPECT_EQ(said("cpu:1x1",
                 [](options& o) {
                   o.working_set = 64;
                   o.way = chase_way::loop;
                 }),
            "pointer chasing: delays and working sets are the tasks'");
  EXPECT_EQ(said("cpu:1x1",
                 [](options& o) {
                   o.working_set = 64;
                   o.delay = std::chrono::microseconds(1);
                 }),
            "pointer chasing: a delay or a working set, not both");
  EXPECT_EQ(said("cpu:1x1", [](options& o) { o.memory_node = 1; }),
            "pointer chasing: the list was not made on memory_node 1");
  EXPECT_EQ(said("sim:peach2,ranks=2", [](options&) {}),
            "pointer chasing: system peach2 does not say what its nodes' chips are");
  EXPECT_EQ(said("sim:grappa,ranks=13", [](options&) {}),
            "pointer chasing: a node of grappa has 12 cores, not 13");
  EXPECT_EQ(said("sim:grappa,ranks=1", [](options& o) { o.memory_node = 2; }),
            "pointer chasing: memory_node 2 of 2 chips");
  EXPECT_EQ(said("sim:grappa,ranks=1", [](options& o) { o.way = chase_way::fibers; }),
            "pointer chasing: fibers are not modelled; tasks are");
}

/// Millions of references a second on the modelled node of paper D.
double modelled(const std::string& ranks, chase_options o) {
  machine m = machine::open("sim:grappa,ranks=" + ranks);
  o.references = 20000;
  return 1e-6 * chase_pointers(m, node_list(2), o).rate;
}
chase_options following(chase_way way, std::int64_t lists) {
  chase_options o;
  o.way = way;
  o.in_flight = lists;
  return o;
}

// Paper D, 4.1. What it measured of one core, of memory and of the link is the model's; that 32
// queue entries reach some four fifths of the memory's rate is not.
TEST(modelled_chase, RatesOfPaperD) {
  EXPECT_NEAR(modelled("1", following(chase_way::loop, 16)), 107, 4);
  EXPECT_NEAR(modelled("12", following(chase_way::loop, 8)), 360, 0.1 * 360);
  auto remote = following(chase_way::loop, 8);
  remote.memory_node = 1;
  EXPECT_NEAR(modelled("6", remote), 175, 4);
  const double most = modelled("6", following(chase_way::loop, 6));
  EXPECT_NEAR(most, 277, 0.15 * 277);
  EXPECT_NEAR(modelled("6", following(chase_way::tasks, 8)), 275, 0.15 * 275);
  EXPECT_LT(modelled("6", following(chase_way::loop, 4)), 0.85 * most);
}

TEST(modelled_chase, FallsBeyondTenTasksACore) {
  double before = modelled("6", following(chase_way::tasks, 10));
  for (const std::int64_t n : {12, 16, 24, 32}) {
    const double now = modelled("6", following(chase_way::tasks, n));
    EXPECT_LT(now, 1.02 * before) << n;
    before = now;
  }
  EXPECT_LT(before, 0.95 * modelled("6", following(chase_way::tasks, 10)));
}

// 4.2: 100 M/s by about 53 tasks on each of six cores, and the link's rate by 564 on all.
TEST(modelled_chase, TasksHideADelay) {
  const auto late = [](std::int64_t n) {
    auto o = following(chase_way::tasks, n);
    o.delay = std::chrono::microseconds(3);
    o.memory_node = 1;
    return modelled("6", o);
  };
  EXPECT_NEAR(late(53), 100, 15);
  EXPECT_NEAR(late(94), 173, 0.15 * 173);
  EXPECT_NEAR(late(1), 6 / 3.1, 0.2);
}

// Fig. 5 (a): near the maximum for up to four updates of small sets. (b): 48 tasks a core keep the
// network's 100 M/s with 16 updates of small sets, or with two of sets up to 32 KB.
TEST(modelled_chase, UpdatesTakeTimeAndCaches) {
  const auto updating = [](std::int64_t n, std::int64_t times, std::int64_t bytes) {
    auto o = following(chase_way::tasks, n);
    o.working_set = bytes;
    o.updates = times;
    return modelled("6", o);
  };
  const double most = updating(8, 0, 64);
  for (const std::int64_t times : {1, 2, 4}) EXPECT_GT(updating(8, times, 64), 0.9 * most) << times;
  EXPECT_LT(updating(8, 8, 64), 0.8 * most);
  EXPECT_LT(updating(8, 4, 4 << 20), 0.2 * most);
  EXPECT_GT(updating(48, 16, 64), 100);
  EXPECT_LT(updating(48, 32, 64), 100);
  EXPECT_GT(updating(48, 2, 32 << 10), 100);
  EXPECT_LT(updating(48, 2, 128 << 10), 100);
}

TEST(modelled_chase, IsStopped) {
  machine m = machine::open("sim:grappa,ranks=6");
  std::stop_source stop;
  stop.request_stop();
  chase_options o;
  o.run.cancel = stop.get_token();
  EXPECT_THROW(chase_pointers(m, node_list(2), o), cancelled_error);
}

TEST(modelled_chase, IsTheSameEachTime) {
  auto o = following(chase_way::tasks, 7);
  o.draw = 3;
  EXPECT_EQ(modelled("5", o), modelled("5", o));
  // A reference alone, and the step behind it.
  EXPECT_NEAR(modelled("1", following(chase_way::tasks, 1)), 1e-6 / (10 / 107e6 + 5e-9), 0.3);
  EXPECT_NEAR(modelled("1,chips.misses=1,chips.core_rate=1e7", following(chase_way::loop, 3)), 10,
              0.5);
}

}  // namespace
}  // namespace gossamer
