// The verifier rejects every way a tree can be wrong, and says which.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class Verifier : public ::testing::Test {
 protected:
  // Depths of the example: 0 1 1 2 1 3 2 4.
  graph g = paper_example();
  reference right = serial_bfs(g, 0);
  std::vector<std::int64_t> parents = right.smallest_parents;
  std::vector<std::int32_t> depths = right.depths;

  void expect_rejected(const std::string& part, std::int64_t source = 0) {
    const verification v = verify_bfs(g, source, parents, depths, 2);
    EXPECT_FALSE(v.ok);
    EXPECT_NE(v.reason.find(part), std::string::npos) << v.reason;
  }
};

TEST_F(Verifier, AcceptsEveryRightTree) {
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths).ok);
  parents[3] = 4;  // also one level above
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths).ok);
  for (const graph& shape : shapes()) {
    const reference r = serial_bfs(shape, 0);
    const verification v = verify_bfs(shape, 0, r.smallest_parents, r.depths);
    EXPECT_TRUE(v.ok) << shape.name << ": " << v.reason;
  }
}

TEST_F(Verifier, ParentIsNotTheSmallest) {
  const auto found = [&] {
    return verify_bfs(g, 0, parents, depths, 2, {}, parent_rule::smallest).reason;
  };
  EXPECT_EQ(found(), "");
  parents[3] = 4;  // 2 is one level above, too
  EXPECT_EQ(found(), "the parent of vertex 3 is 4, 2 is the smallest that is possible");
}
TEST_F(Verifier, SourceDoesNotExist) {
  expect_rejected("the source does not exist", 8);
}
TEST_F(Verifier, WrongLength) {
  depths.pop_back();
  expect_rejected("one entry for each of the 8 vertices");
}
TEST_F(Verifier, SourceIsNotItsOwnParent) {
  parents[0] = 1;
  expect_rejected("source 0 is not its own parent");
}
TEST_F(Verifier, SourceIsNotAtDepthZero) {
  depths[0] = 1;
  expect_rejected("source 0 has depth 1");
}
TEST_F(Verifier, ParentDoesNotExist) {
  parents[5] = 8;
  expect_rejected("vertex 5 has a parent that does not exist");
}
TEST_F(Verifier, ParentWithoutDepth) {
  depths[7] = -1;
  expect_rejected("vertex 7 has a parent but no depth");
}
TEST_F(Verifier, DepthWithoutParent) {
  parents[7] = -1;
  expect_rejected("vertex 7 has a depth but no parent");
}
TEST_F(Verifier, SecondRoot) {
  parents[7] = 7;
  depths[7] = 0;
  expect_rejected("vertex 7 has depth 0 but is not the source");
}
TEST_F(Verifier, CycleOfParents) {
  // 5 and 7 are each other's parent: no depths can make both edges span one level.
  parents[5] = 7;
  expect_rejected("the tree edge 7 -> 5 does not span one level: depths 4 and 3");
}
TEST_F(Verifier, TreeEdgeSpansTwoLevels) {
  parents[5] = 6;  // right: depth 2 above 3
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths).ok);
  parents[7] = 3;  // depth 2 above 4
  expect_rejected("does not span one level: depths 2 and 4");
}
TEST_F(Verifier, ArcSpansTwoLevels) {
  // 6 hangs below 3 at depth 3, consistently, but the arc 1 - 6 is a shorter way.
  parents[6] = 3;
  depths[6] = 3;
  expect_rejected("the arc 1 -> 6 spans more than one level: depths 1 and 3");
}
TEST_F(Verifier, UnreachedVertexInTheComponent) {
  parents[7] = -1;
  depths[7] = -1;
  expect_rejected("vertex 7 is not reached, but the arc 5 -> 7 begins at a reached vertex");
}
TEST_F(Verifier, TreeEdgeIsNotAnArc) {
  parents[3] = 1;  // depth 1 above 2, but there is no arc 1 - 3
  expect_rejected("the tree edge 1 -> 3 is not an arc of the graph");
}
TEST_F(Verifier, TreeEdgeIsNotAnArcOfADirectedGraph) {
  g = from_arcs("directed", 4, {{0, 1}, {0, 2}, {1, 3}}, false);
  right = serial_bfs(g, 0);
  parents = right.smallest_parents;
  depths = right.depths;
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths).ok);
  parents[3] = 2;
  expect_rejected("the tree edge 2 -> 3 is not an arc");
}
TEST_F(Verifier, ReachedOutsideTheComponent) {
  g = undirected("two-parts", 5, {{0, 1}, {2, 3}});
  parents = {0, 0, 1, 2, -1};
  depths = {0, 1, 2, 3, -1};
  expect_rejected("the tree edge 1 -> 2 is not an arc");
}
TEST_F(Verifier, NamesAreTheFilesOwn) {
  g.names.base = 1;
  parents[3] = 1;
  expect_rejected("the tree edge 2 -> 4 is not an arc");
  g.names.map = shared_array<std::int64_t>(8);
  for (int v = 0; v < 8; ++v) g.names.map[v] = 100 + 10 * v;
  expect_rejected("the tree edge 110 -> 130 is not an arc");
}
TEST_F(Verifier, LooksAtAStopBeforeEachPiece) {
  std::stop_source stop;
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths, 2, stop.get_token()).ok);
  stop.request_stop();
  for (const int threads : {1, 2}) {
    try {
      verify_bfs(g, 0, parents, depths, threads, stop.get_token());
      ADD_FAILURE() << "it went on";
    } catch (const cancelled_error& e) {
      EXPECT_STREQ(e.what(), "verify_bfs: stopped");
    }
  }
}
TEST_F(Verifier, DeepGraphs) {
  // Depths beyond a byte take another path through the verifier.
  arc_list path;
  for (std::int64_t v = 1; v < 1000; ++v) path.emplace_back(v - 1, v);
  g = undirected("path", 1000, path);
  right = serial_bfs(g, 0);
  parents = right.smallest_parents;
  depths = right.depths;
  EXPECT_TRUE(verify_bfs(g, 0, parents, depths).ok);
  parents[999] = -1;
  depths[999] = -1;
  expect_rejected("vertex 999 is not reached");
}

}  // namespace
}  // namespace gossamer
