// How many ranks a search should use, by what is known of the graph: the rule alone, which needs no
// GPU.
#include <gtest/gtest.h>

#include "algorithm/bfs/choose_ranks.hpp"
#include "gossamer/algorithm/bfs_ranks.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

constexpr std::int64_t limit = std::int64_t{1} << 28;

bfs_detail::ranks_choice choice(std::int64_t vertices, std::int64_t arcs, certainty arcs_are,
                                std::int64_t longest_row = 0) {
  graph_shape shape;
  shape.vertices = vertices;
  shape.arcs = arcs;
  shape.arcs_are = arcs_are;
  shape.longest_row = longest_row;
  return bfs_detail::one_or_all(shape);
}

TEST(BfsRanks, ABoundThatIsSmallDecides) {
  for (const certainty sure : {certainty::exact, certainty::at_most}) {
    const auto small = choice(1 << 22, limit - 1, sure);
    EXPECT_TRUE(small.one);
    EXPECT_EQ(small.why, "to agree takes several longer than one takes to search 268435455 arcs");
    EXPECT_EQ(small.provided, "");
  }
  EXPECT_EQ(choice(1 << 22, limit - 1, certainty::about).provided,
            "it has fewer than 268435456 arcs");
}

TEST(BfsRanks, ABoundThatIsLargeIsTakenForGranted) {
  const auto sure = choice(1 << 24, 2 * limit, certainty::exact);
  EXPECT_FALSE(sure.one);
  EXPECT_EQ(sure.provided, "");
  EXPECT_EQ(choice(1 << 24, 2 * limit, certainty::at_most).provided,
            "it has 268435456 arcs or more and a row of more than 64 arcs, or more than 6 in the "
            "mean");
  // So many arcs that only rows are in doubt.
  EXPECT_EQ(choice(limit, 2 * limit, certainty::exact).provided,
            "a row of more than 64 arcs, or more than 6 in the mean");
}

TEST(BfsRanks, NetworksThatAreKnownGetOne) {
  const auto road = choice(limit, 2 * limit, certainty::at_most, 4);
  EXPECT_TRUE(road.one);
  EXPECT_EQ(road.why, "a network has too little to do at a time for several");
  EXPECT_EQ(road.provided, "");
  EXPECT_FALSE(choice(limit / 8, limit, certainty::exact, 4).one) << "more than 6 in the mean";
}

TEST(BfsRanks, AGraphThatIsThereIsNoDoubt) {
  const auto small = bfs_detail::one_or_all(testing_graphs::paper_example());
  EXPECT_TRUE(small.one);
  EXPECT_EQ(small.provided, "");
}

TEST(BfsRanks, MachinesWithoutSeveralGpusKeepAllRanks) {
  for (const char* spec : {"cpu:1x1", "cpu:3x1", "sim:gaming,ranks=4"}) {
    const machine m = machine::open(spec);
    EXPECT_EQ(choose_bfs_ranks(m, testing_graphs::paper_example()).spec, m.spec());
    EXPECT_EQ(choose_bfs_ranks(m, graph_shape{8, 26}).reason, "");
  }
}

}  // namespace
}  // namespace gossamer
