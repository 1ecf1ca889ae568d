// The builder against naive sorting, on graphs with every awkward feature.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

using test::arc;

/// Arcs and their mirrors are the same, weights included.
bool both_ways(std::vector<arc> arcs) {
  auto mirrors = arcs;
  for (auto& [u, v, w] : mirrors) std::swap(u, v);
  std::sort(arcs.begin(), arcs.end());
  std::sort(mirrors.begin(), mirrors.end());
  return arcs == mirrors;
}

std::vector<arc> naive(const test::sample& s, const build_options& o, bool weighted) {
  std::vector<arc> all = s.arcs, out;
  if (!weighted)
    for (auto& [u, v, w] : all) w = 0;
  const bool mirror = o.symmetrize && !both_ways(all);
  for (auto [u, v, w] : all) {
    if (u == v && o.remove_self_loops) continue;
    out.emplace_back(u, v, w);
    if (mirror && u != v) out.emplace_back(v, u, w);
  }
  std::sort(out.begin(), out.end());
  if (o.deduplicate)
    out.erase(std::unique(out.begin(), out.end(),
                          [](const arc& a, const arc& b) {
                            return std::get<0>(a) == std::get<0>(b) &&
                                   std::get<1>(a) == std::get<1>(b);
                          }),
              out.end());
  return out;
}

template <class Id, class Weight>
void compare() {
  for (const auto& s : test::samples())
    for (int bits = 0; bits < 8; ++bits) {
      build_options o;
      o.symmetrize = bits & 1;
      o.deduplicate = bits & 2;
      o.remove_self_loops = bits & 4;
      std::string first;
      for (const int threads : {1, 2, 3}) {
        o.threads = threads;
        const graph g = test::build_sample<Id, Weight>(s, o);
        ASSERT_NO_THROW(g.validate()) << s.name;
        if (threads == 1) {
          ASSERT_EQ(test::stored_arcs(g), naive(s, o, g.weighted())) << s.name << " " << bits;
          first = test::bytes_of(g);
        }
        ASSERT_EQ(test::bytes_of(g), first) << s.name << " with " << threads << " threads";
      }
    }
}

TEST(Builder, MatchesSortingUnweighted) {
  compare<vertex32, char>();
}
TEST(Builder, MatchesSortingIntegerWeights) {
  compare<vertex32, std::int32_t>();
}
TEST(Builder, MatchesSortingFloatWeights) {
  compare<vertex32, float>();
}
TEST(Builder, MatchesSortingDoubleWeights) {
  compare<vertex64, double>();
}
TEST(Builder, MatchesSortingWideInput) {
  compare<vertex64, char>();
}

TEST(Builder, NarrowsIdsWhenTheyFit) {
  EXPECT_EQ(test::build_sample<vertex64>({"", 3, {{0, 2, 0}}}).id_width(), 4);
}

TEST(Builder, SaysWhatItDropped) {
  build_options o;
  o.symmetrize = o.deduplicate = o.remove_self_loops = true;
  const graph g = test::build_sample({"", 3, {{0, 1, 0}, {1, 0, 0}, {2, 2, 0}, {1, 2, 0}}}, o);
  EXPECT_EQ(g.steps, (std::vector<std::string>{"symmetrized", "removed 1 self-loop",
                                               "removed 2 duplicate arcs"}));
  EXPECT_TRUE(g.symmetric);
}

TEST(Builder, LeavesWhatIsSymmetricAsItIs) {
  const std::vector<std::string> nothing{"already symmetric: nothing to do"};
  const test::sample both{"", 3, {{1, 0, 4}, {2, 2, 7}, {1, 2, 5}, {0, 1, 4}, {2, 1, 5}}};
  build_options o;
  o.symmetrize = true;
  const graph g = test::build_sample<vertex32, double>(both, o);
  EXPECT_EQ(test::stored_arcs(g), test::stored_arcs(test::build_sample<vertex32, double>(both)));
  EXPECT_EQ(g.steps, nothing);
  EXPECT_TRUE(g.symmetric);
  g.validate();
  // The same of rows, which may know it or not; and of parallel arcs.
  graph unknown = g;
  unknown.steps.clear();
  for (const bool known : {false, true}) {
    unknown.symmetric = known;
    const graph again = rebuild(unknown, o);
    EXPECT_EQ(test::bytes_of(again), test::bytes_of(g));
    EXPECT_EQ(again.steps, nothing);
    EXPECT_TRUE(again.symmetric);
  }
  const test::sample twice{"", 2, {{0, 1, 1}, {0, 1, 2}, {1, 0, 2}, {1, 0, 1}}};
  EXPECT_EQ((test::build_sample<vertex32, float>(twice, o).arcs()), 4);
}

TEST(Builder, MirrorsWhatIsListedBothWaysInPart) {
  build_options o;
  o.symmetrize = true;
  // The weights differ; an arc has no mirror; an arc stands there more often than its mirror.
  const graph g = test::build_sample<vertex32, float>({"", 2, {{0, 1, 3}, {1, 0, 4}}}, o);
  EXPECT_EQ(g.arcs(), 4);
  EXPECT_EQ(g.steps, (std::vector<std::string>{"symmetrized: 1 pair of vertices has parallel arcs "
                                               "(to deduplicate leaves one each way)"}));
  const graph part = test::build_sample(
      {"", 4, {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 3, 0}, {2, 3, 0}, {3, 2, 0}}}, o);
  EXPECT_EQ(part.arcs(), 12);
  EXPECT_EQ(part.steps[0],
            "symmetrized: 2 pairs of vertices have parallel arcs (to deduplicate leaves one each "
            "way)");
  o.listed_once = true;
  const graph edges = test::build_sample({"", 2, {{0, 1, 0}, {1, 0, 0}}}, o);
  EXPECT_EQ(edges.arcs(), 4);
  EXPECT_EQ(edges.steps, (std::vector<std::string>{"symmetrized"}));
}

TEST(Builder, RefusesIdsOutOfRange) {
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{3}}) {
    try {
      test::build_sample({"", 3, {{0, 1, 0}, {1, bad, 0}}});
      FAIL() << "accepted " << bad;
    } catch (const input_error& e) {
      EXPECT_EQ(std::string(e.what()),
                "edge 1: (1, " + std::to_string(bad) + ") has a vertex outside 0..2");
    }
  }
}

TEST(Builder, RefusesWeightsThatDoNotMatch) {
  auto input = test::chunks_of<vertex32, float>({"", 3, {{0, 1, 0}, {1, 2, 0}}});
  std::get<2>(input.weights)[0] = shared_array<float>(1);
  EXPECT_THROW(build_csr(std::move(input), {}), usage_error);
}

TEST(Builder, OrdersNanAndNegativeWeights) {
  edge_chunks<vertex32> input;
  input.vertices = 1;
  const float values[] = {std::numeric_limits<float>::quiet_NaN(), 2.0f, -3.0f, -1.0f, 0.0f};
  shared_array<edge<vertex32>> edges(5);
  shared_array<float> weights(5);
  for (int i = 0; i < 5; ++i) {
    edges[i] = {0, 0};
    weights[i] = values[i];
  }
  input.edges = {edges};
  input.weights = std::vector<shared_array<float>>{weights};
  const graph g = build_csr(std::move(input), {});
  const auto& w = std::get<shared_array<float>>(g.weights);
  EXPECT_EQ(std::vector<float>(w.begin(), w.begin() + 4), (std::vector<float>{-3, -1, 0, 2}));
  EXPECT_NE(w[4], w[4]);
}

TEST(Builder, ChecksKnownSymmetric) {
  build_options o;
  o.known_symmetric = true;
  EXPECT_TRUE(test::build_sample({"", 2, {{0, 1, 0}, {1, 0, 0}}}, o).symmetric);
  EXPECT_THROW(test::build_sample({"", 2, {{0, 1, 0}}}, o), input_error);
}

TEST(Rebuild, EqualsBuildingWithTheOptions) {
  for (const auto& s : test::samples()) {
    build_options o;
    o.symmetrize = o.deduplicate = o.remove_self_loops = true;
    const graph g = test::build_sample<vertex32, std::int32_t>(s);
    EXPECT_EQ(test::bytes_of(rebuild(g, o)),
              test::bytes_of(test::build_sample<vertex32, std::int32_t>(s, o)))
        << s.name;
  }
}

TEST(Symmetry, AgreesWithNaive) {
  for (const auto& s : test::samples()) {
    const graph g = test::build_sample<vertex32, std::int32_t>(s);
    auto forward = test::stored_arcs(g), backward = forward;
    for (auto& [u, v, w] : backward) std::swap(u, v);
    std::sort(forward.begin(), forward.end());
    std::sort(backward.begin(), backward.end());
    EXPECT_EQ(is_symmetric(g), forward == backward) << s.name;
  }
  EXPECT_FALSE(
      is_symmetric(test::build_sample<vertex32, std::int32_t>({"", 2, {{0, 1, 3}, {1, 0, 4}}})));
}

TEST(Transposed, ReversesEveryArc) {
  for (const auto& s : test::samples()) {
    const graph g = test::build_sample<vertex32, double>(s);
    auto arcs = test::stored_arcs(g.transposed());
    for (auto& [u, v, w] : arcs) std::swap(u, v);
    std::sort(arcs.begin(), arcs.end());
    EXPECT_EQ(arcs, test::stored_arcs(g)) << s.name;
    EXPECT_EQ(test::bytes_of(g.transposed().transposed()), test::bytes_of(g));
  }
}

/// As the builder makes it of reversed edges, byte by byte: one bucket and several, ids and weights
/// of each type, parallel arcs, loops.
template <class Id, class Weight>
void reverses_as_the_builder_does() {
  for (const auto& [vertices, edges] :
       {std::pair<std::int64_t, std::int64_t>{1, 3}, {50, 400}, {300, 40'000}, {70'000, 700'000}}) {
    test::sample s = test::random_sample(vertices, vertices, edges, 11);
    const graph g = test::build_sample<Id, Weight>(s);
    for (auto& [u, v, w] : s.arcs) std::swap(u, v);
    EXPECT_EQ(test::bytes_of(g.transposed()), test::bytes_of(test::build_sample<Id, Weight>(s)))
        << vertices;
  }
}
TEST(Transposed, IsWhatTheBuilderMakesOfReversedEdges) {
  for (const char* wide : {"off", "on"}) {
    ASSERT_EQ(setenv("GOSSAMER_WIDE_IDS", wide, 1), 0);
    reverses_as_the_builder_does<vertex64, char>();
    reverses_as_the_builder_does<vertex64, std::int32_t>();
    reverses_as_the_builder_does<vertex64, float>();
    reverses_as_the_builder_does<vertex64, double>();
  }
  unsetenv("GOSSAMER_WIDE_IDS");
}

/// Rows that were given may have parallel arcs in any order; the result has them by weight.
TEST(Transposed, OrdersParallelArcsByWeight) {
  graph g = test::build_sample<vertex32, std::int32_t>({"", 2, {{0, 1, 1}, {0, 1, 4}, {1, 1, 9}}});
  auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
  std::swap(weights[0], weights[1]);
  const graph reversed = g.transposed();
  const auto& found = std::get<shared_array<std::int32_t>>(reversed.weights);
  EXPECT_EQ(std::vector<std::int32_t>(found.data(), found.data() + found.size()),
            (std::vector<std::int32_t>{1, 4, 9}));
}

TEST(LargestComponent, KeepsNamesAndWeights) {
  // Components {0,3}, {1,2,4} and {5}.
  const graph g =
      test::build_sample<vertex32, std::int32_t>({"", 6, {{0, 3, 9}, {2, 1, 5}, {4, 2, 6}}});
  graph named = g;
  named.names.base = 1;
  const graph c = largest_component(named);
  EXPECT_EQ(test::stored_arcs(c), (std::vector<arc>{{1, 0, 5}, {2, 1, 6}}));
  EXPECT_EQ(c.names.name(2), 5);
  EXPECT_EQ(c.names.index(3, 3), 1);
  EXPECT_EQ(c.names.index(1, 3), -1);
  EXPECT_EQ(c.steps.back(), "kept the largest of 3 components (3 of 6 vertices)");
  // Kept whole, which is said as well.
  const graph all = largest_component(c);
  EXPECT_EQ(test::stored_arcs(all), test::stored_arcs(c));
  EXPECT_EQ(all.steps.back(), "kept the largest of 1 components (3 of 3 vertices)");
}

TEST(Symmetric, ParallelArcsMayStandInAnyOrderOfTheirWeights) {
  // 0 -> 1 with weights 1 and 2, 1 -> 0 with 2 and 1: symmetric, whatever the order.
  graph g = test::build_sample<vertex32, std::int32_t>(
      {"", 2, {{0, 1, 1}, {0, 1, 2}, {1, 0, 1}, {1, 0, 2}}});
  EXPECT_TRUE(is_symmetric(g));
  auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
  std::swap(weights[2], weights[3]);
  EXPECT_TRUE(is_symmetric(g));
  weights[2] = 3;
  EXPECT_FALSE(is_symmetric(g));
}

TEST(Names, FindIndicesWithoutOverflow) {
  vertex_names names;
  names.base = 1;
  EXPECT_EQ(names.index(1, 4), 0);
  EXPECT_EQ(names.index(4, 4), 3);
  EXPECT_EQ(names.index(0, 4), -1);
  EXPECT_EQ(names.index(5, 4), -1);
  EXPECT_EQ(names.index(std::numeric_limits<std::int64_t>::min(), 4), -1);
  EXPECT_EQ(names.index(std::numeric_limits<std::int64_t>::max(), 4), -1);
}

TEST(Validate, NamesTheFirstViolation) {
  const auto message = [](graph g) {
    try {
      g.name = "g";
      g.validate();
    } catch (const input_error& e) {
      return std::string(e.what());
    }
    return std::string("valid");
  };
  const auto fresh = [] { return test::build_sample({"", 3, {{0, 1, 0}, {0, 2, 0}, {1, 0, 0}}}); };
  EXPECT_EQ(message(fresh()), "valid");
  graph g = fresh();
  std::get<0>(g.indices)[1] = 7;
  EXPECT_EQ(message(g), "g: vertex 0 has neighbour index 7 outside 0..2");
  g = fresh();
  std::swap(std::get<0>(g.indices)[0], std::get<0>(g.indices)[1]);
  EXPECT_EQ(message(g), "g: the row of vertex 0 is not in ascending order");
  g = fresh();
  g.offsets[1] = 9;
  EXPECT_EQ(message(g), "g: offsets fall after vertex index 1");
  g = fresh();
  g.offsets[0] = 1;
  EXPECT_EQ(message(g), "g: offsets begin at 1, not 0");
  g = fresh();
  g.offsets[3] = 5;
  EXPECT_EQ(message(g), "g: offsets promise 5 arcs, but there are 3 indices");
  g = fresh();
  g.names.map = shared_array<std::int64_t>(2);
  EXPECT_EQ(message(g), "g: 3 vertices, but 2 names");
  g = fresh();
  g.symmetric = true;
  EXPECT_EQ(message(g), "g: said to be symmetric, but some arc has no mirror");
  g = fresh();
  g.weights = shared_array<float>(2);
  EXPECT_EQ(message(g), "g: 3 arcs, but 2 weights");
  EXPECT_EQ(message(graph{}), "g: no offsets (a graph of n vertices has n + 1)");
}

}  // namespace
}  // namespace gossamer
