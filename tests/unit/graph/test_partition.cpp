// Partitioners and their quality against naive counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/partition.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

void check_quality(const graph& g, const partition& p) {
  const partition_quality q = evaluate(g, p);
  std::int64_t cut = 0;
  std::vector<std::set<std::int64_t>> halo(p.parts);
  std::vector<std::int64_t> vertices(p.parts, 0), arcs(p.parts, 0);
  for (const auto part : p.part_of) {
    ASSERT_GE(part, 0);
    ASSERT_LT(part, p.parts);
    ++vertices[part];
  }
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    ++arcs[p.part_of[u]];
    if (p.part_of[u] == p.part_of[v]) continue;
    ++cut;
    halo[p.part_of[u]].insert(v);
  }
  EXPECT_EQ(q.cut_arcs, cut);
  EXPECT_EQ(q.vertices, vertices);
  EXPECT_EQ(q.arcs, arcs);
  for (int i = 0; i < p.parts; ++i)
    EXPECT_EQ(q.halo[i], static_cast<std::int64_t>(halo[i].size())) << i;
}

TEST(Partition, QualityAgreesWithNaive) {
  for (const auto& s : test::samples()) {
    const graph g = test::build_sample(s);
    for (const int parts : {1, 2, 3, 8}) {
      for (const char* method : {"ranges", "edge-ranges", "hash"}) {
        SCOPED_TRACE(s.name + " " + method);
        check_quality(g, make_partition(g, method, parts));
      }
    }
  }
}

TEST(Partition, RangesAreBalanced) {
  const graph g = generate(parse_generator("kron:12"), {});
  const partition r = partition_ranges(g, 5), e = partition_edge_ranges(g, 5);
  EXPECT_LT(evaluate(g, r).vertex_balance, 1.01);
  // A range ends within one row of its goal.
  const auto q = evaluate(g, e);
  const auto total = (g.arcs() + g.vertices()) / 5;
  std::int64_t longest = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) longest = std::max(longest, g.degree(v));
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(q.arcs[i] + q.vertices[i], total, longest + 2);
  EXPECT_TRUE(std::is_sorted(e.bounds.begin(), e.bounds.end()));
}

TEST(Partition, HashDealsBlocks) {
  const graph g = generate(parse_generator("grid:100x100"), {});
  const partition p = partition_hash(g, 3, 4);
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    ASSERT_EQ(p.part_of[v], p.part_of[v & ~std::int64_t{15}]);
  EXPECT_LT(evaluate(g, p).vertex_balance, 1.2);
}

TEST(Partition, GivenIsChecked) {
  const graph g = test::build_sample({"", 3, {{0, 1, 0}}});
  const std::vector<std::int32_t> good = {0, 2, 1}, negative = {0, -1, 1}, brief = {0};
  EXPECT_EQ(partition_given(g, good).parts, 3);
  const auto message = [&](const auto& parts, int count) {
    try {
      partition_given(g, parts, count);
    } catch (const usage_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(good, 2), "partition: vertex 1 is in part 2, outside 0..1");
  EXPECT_EQ(message(negative, 0), "partition: vertex 1 is in part -1, below 0");
  EXPECT_EQ(message(brief, 0), "partition: 1 entries for 3 vertices");
  EXPECT_THROW(partition_ranges(g, 0), usage_error);
  EXPECT_THROW(make_partition(g, "magic", 2), usage_error);
}

TEST(Partition, Metis) {
  const graph g = generate(parse_generator("grid:60x60"), {});
#ifdef GOSSAMER_TEST_METIS
  const partition p = partition_metis(g, 4);
  check_quality(g, p);
  const auto q = evaluate(g, p);
  EXPECT_LT(q.vertex_balance, 1.05);
  EXPECT_LT(q.cut_arcs, evaluate(g, partition_hash(g, 4)).cut_arcs / 10);
  EXPECT_EQ(partition_metis(g, 4).part_of, p.part_of);
#else
  try {
    partition_metis(g, 4);
    FAIL();
  } catch (const not_compiled& e) {
    EXPECT_NE(std::string(e.what()).find("-DGOSSAMER_METIS=ON"), std::string::npos);
  }
#endif
}

}  // namespace
}  // namespace gossamer
