// The host thread's loop of a worklist on GPUs, with a CPU's stand-in for the kernels that answers
// late and in any order that streams allow: distances equal Dijkstra's on many graphs, by either
// route, with segments of one message, and sums are neither lost nor doubled; which list a message
// is put into; what plans hold.
#include <gtest/gtest.h>

#include "message_of.hpp"
#include "unit/algorithm/host_driven/slow_lists.hpp"

namespace gossamer::testing_host_loop {
namespace {

using namespace testing_graphs;

class HostLoop : public on_machine_and_route {};

TEST_P(HostLoop, AgreesWithDijkstra) {
  agree_with_dijkstra<slow_distances>(40, 20);
}

TEST_P(HostLoop, SumsAreNeitherLostNorDoubled) {
  keep_sums<slow_sums>(40);
}

/// Grants of any number of items, in segments of one and of many.
TEST_P(HostLoop, WhatIsStolenCountsOnce) {
  options_.steal = true;
  stolen_ = 0;
  agree_with_dijkstra<slow_distances>(40, 20);
  keep_sums<slow_sums>(40);
  if (machine_.size() > 1) {
    EXPECT_GT(stolen_, 0);
  }
}

/// Many messages, one a segment: queues of links are full most of the time.
TEST_P(HostLoop, BackPressureHoldsMessagesBack) {
  graph g = undirected("random", 2000, random_arcs(2000, 8000, 3));
  set_weights<std::int32_t>(g, 90);
  options_.packet = 8;
  options_.delta = 1000;
  const auto found = search(machine_, g, 5, options_);
  ASSERT_EQ(found.distances(), serial_distances<std::uint32_t>(g, 5));
  EXPECT_EQ(found.work.parcels, found.work.sent);
  if (machine_.size() > 1) {
    EXPECT_GT(found.work.sent, 1000);
  }
  options_.packet = 16;
  options_.delta = 1;
  ASSERT_NO_FATAL_FAILURE(expect_balanced(g, search<slow_sums>(machine_, g, 0, options_)));
}

TEST_P(HostLoop, AFullListIsAnError) {
  if (machine_.size() == 1) GTEST_SKIP() << "sends nothing";
  graph g = undirected("random", 500, random_arcs(500, 4000, 3));
  set_weights<std::int32_t>(g, 3);
  const auto said = message_of<capacity_error>([&] { search(machine_, g, 5, options_, 1); });
  EXPECT_NE(said.find("is full (1 items)"), std::string::npos) << said;
}

/// Its kernels never begin.
class dead_lists final : public slow_distances {
 public:
  using slow_distances::slow_distances;
  bool shown(list_snapshot& into) override { return !own(source()) && slow_distances::shown(into); }
};

TEST_P(HostLoop, WhatNeverEndsIsNamed) {
  const graph g = with_weights(0);
  const auto said = message_of<rank_error>(
      [&] { search<dead_lists>(machine_, g, 0, options_, 0, std::chrono::milliseconds(300)); });
  EXPECT_NE(said.find("rank 0 is stuck: its kernels have not ended"), std::string::npos) << said;
}

std::string name_of(const ::testing::TestParamInfo<HostLoop::ParamType>& info) {
  std::string name = std::get<0>(info.param);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name + (std::get<1>(info.param) == message_route::ring ? "_ring" : "_direct");
}

INSTANTIATE_TEST_SUITE_P(
    Machines, HostLoop,
    ::testing::Combine(::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1"),
                       ::testing::Values(message_route::direct, message_route::ring)),
    name_of);

TEST(HostRoute, DirectGoesToTheOwnerAndRingToTheNext) {
  for (int ranks = 1; ranks <= 5; ++ranks)
    for (int self = 0; self < ranks; ++self)
      for (int owner = 0; owner < ranks; ++owner) {
        EXPECT_EQ(next_on_the_way(message_route::direct, self, owner, ranks), owner);
        int at = self, hops = 0;
        for (; at != owner; ++hops) {
          const int next = next_on_the_way(message_route::ring, at, owner, ranks);
          EXPECT_EQ(next, only_neighbour(message_route::ring, at, ranks));
          at = next;
        }
        EXPECT_EQ(hops, (owner - self + ranks) % ranks);
      }
  EXPECT_EQ(only_neighbour(message_route::direct, 0, 4), -1);
  EXPECT_EQ(only_neighbour(message_route::ring, 0, 1), -1);
}

TEST(HostRoute, Names) {
  EXPECT_EQ(route_by_name("sssp", "ring"), message_route::ring);
  EXPECT_EQ(message_of<usage_error>([] { route_by_name("sssp", "star"); }),
            "sssp: unknown route 'star' (there are direct, ring)");
}

TEST(HostRoute, PacketsHoldWholeMessagesAndNoMoreThanThereAre) {
  const auto m = machine::open("cpu:2x1");
  const auto packet = [&](std::size_t asked, std::size_t message, std::int64_t most,
                          message_route route = message_route::direct) {
    return host_list_graph(m, {"test", route, 1, asked}, message, {0, most, most + 10}).packet;
  };
  EXPECT_EQ(packet(0, 8, 100), 1024U);
  EXPECT_EQ(packet(0, 8, 123, message_route::ring), 2048U);
  EXPECT_EQ(packet(0, 16, std::int64_t{1} << 30), std::size_t{1} << 20);
  EXPECT_EQ(packet(100, 16, 5), 96U);
  EXPECT_EQ(packet(1, 16, 5), 16U);
}

}  // namespace
}  // namespace gossamer::testing_host_loop
