// Pointer chasing: walks end where they must, by every way, on any number of ranks; and refusals.
#include "gossamer/algorithm/pointer_chase.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

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
  EXPECT_GE(node_list(1 << 16).huge_bytes(), 0);
  EXPECT_THROW(node_list(1), usage_error);
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
  EXPECT_EQ(said("sim:peach2,ranks=2", [](options&) {}),
            "pointer chasing runs on CPU ranks of one process, not on 'sim:peach2,ranks=2'");
}

}  // namespace
}  // namespace gossamer
