// Statistics against naive computations on small graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "gossamer/graph/statistics.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

/// Reachability by repeated squaring of sets is too slow; small graphs only (n <= 100).
std::vector<std::vector<bool>> reachable(const test::sample& s) {
  std::vector<std::vector<bool>> r(s.vertices, std::vector<bool>(s.vertices, false));
  for (std::int64_t v = 0; v < s.vertices; ++v) r[v][v] = true;
  for (const auto& [u, v, w] : s.arcs) r[u][v] = true;
  for (std::int64_t k = 0; k < s.vertices; ++k)
    for (std::int64_t i = 0; i < s.vertices; ++i)
      if (r[i][k])
        for (std::int64_t j = 0; j < s.vertices; ++j)
          if (r[k][j]) r[i][j] = true;
  return r;
}

/// Classes of the equivalence `same`: count and largest.
template <class F>
std::pair<std::int64_t, std::int64_t> classes(std::int64_t n, F&& same) {
  std::int64_t count = 0, largest = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    std::int64_t size = 0, first = n;
    for (std::int64_t u = 0; u < n; ++u)
      if (same(u, v)) {
        ++size;
        first = std::min(first, u);
      }
    count += first == v;
    largest = std::max(largest, size);
  }
  return {count, largest};
}

TEST(Statistics, AgreeWithNaiveCounts) {
  for (const auto& s : test::samples()) {
    const graph_statistics t = statistics(test::build_sample(s));
    std::map<std::pair<std::int64_t, std::int64_t>, int> arcs;
    std::set<std::pair<std::int64_t, std::int64_t>> simple;
    std::vector<std::int64_t> degree(s.vertices, 0);
    std::set<std::int64_t> touched;
    std::int64_t loops = 0;
    for (const auto& [u, v, w] : s.arcs) {
      ++arcs[{u, v}];
      ++degree[u];
      touched.insert({u, v});
      loops += u == v;
      if (u != v) simple.insert({std::min(u, v), std::max(u, v)});
    }
    std::sort(degree.begin(), degree.end());
    EXPECT_EQ(t.vertices, s.vertices) << s.name;
    EXPECT_EQ(t.arcs, static_cast<std::int64_t>(s.arcs.size()));
    EXPECT_EQ(t.self_loops, loops);
    EXPECT_EQ(t.parallel_arcs, static_cast<std::int64_t>(s.arcs.size() - arcs.size()));
    std::set<std::int64_t> joined;
    for (const auto& [u, v, w] : s.arcs)
      if (u != v) joined.insert({u, v});
    EXPECT_EQ(t.loop_vertices, static_cast<std::int64_t>(touched.size() - joined.size()));
    EXPECT_EQ(t.isolated_vertices, s.vertices - static_cast<std::int64_t>(touched.size()));
    EXPECT_EQ(t.undirected_simple_edges, static_cast<std::int64_t>(simple.size())) << s.name;
    EXPECT_EQ(t.minimum_degree, degree.front());
    EXPECT_EQ(t.maximum_degree, degree.back());
    for (std::size_t i = 0; i < t.per_mille.size(); ++i) {
      // Smallest d with at least this share of the vertices at or below it.
      std::size_t at = 0;
      while ((at + 1) * 1000 < degree.size() * t.per_mille[i]) ++at;
      EXPECT_EQ(t.degree_percentiles[i], degree[at]) << s.name << " " << t.per_mille[i];
    }
    EXPECT_EQ(t.degree_percentiles.front(), degree.front());
    EXPECT_EQ(t.degree_percentiles.back(), degree.back());
    for (std::size_t b = 0; b < t.degree_histogram.size(); ++b) {
      const std::int64_t low = b == 0 ? 0 : std::int64_t{1} << (b - 1);
      const std::int64_t high = b == 0 ? 1 : std::int64_t{1} << b;
      EXPECT_EQ(t.degree_histogram[b], std::count_if(degree.begin(), degree.end(),
                                                     [&](auto d) { return d >= low && d < high; }));
    }
  }
}

TEST(Statistics, ComponentsAgreeWithReachability) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto s = test::random_sample(60, 55, 20 + 5 * static_cast<std::int64_t>(seed), seed);
    const graph_statistics t = statistics(test::build_sample(s));
    const auto forward = reachable(s);
    EXPECT_EQ(std::pair(t.strong_components, t.largest_strong_component),
              classes(60, [&](auto u, auto v) { return forward[u][v] && forward[v][u]; }));
    auto both = s;
    for (const auto& [u, v, w] : s.arcs) both.arcs.emplace_back(v, u, w);
    const auto undirected = reachable(both);
    EXPECT_EQ(std::pair(t.components, t.largest_component),
              classes(60, [&](auto u, auto v) { return bool(undirected[u][v]); }));
  }
}

/// Every number of the statistics as text.
std::string all_of(const graph_statistics& t) {
  std::string out;
  const auto add = [&out](auto value) { out += std::to_string(value) + ' '; };
  for (const auto v : {t.vertices, t.arcs, t.self_loops, t.parallel_arcs, t.isolated_vertices,
                       t.loop_vertices, t.minimum_degree, t.maximum_degree, t.components,
                       t.maximum_degree_vertex, t.largest_component, t.strong_components,
                       t.largest_strong_component, t.undirected_simple_edges, t.triangles})
    add(v);
  for (const auto v : t.degree_histogram) add(v);
  for (const auto v : t.degree_percentiles) add(v);
  add(t.symmetric);
  add(t.weights.minimum);
  add(t.weights.maximum);
  add(t.weights.zeros);
  return out;
}

TEST(Statistics, DoNotDependOnThreadsOrTheOrderOfRows) {
  // Large enough for parallel sweeps; a hub of more than 2^12 arcs leaves the counted degrees.
  auto s = test::random_sample(60000, 50000, 120000, 11);
  for (std::int64_t v = 0; v < 9000; ++v) s.arcs.emplace_back(7, v * 5, v % 3);
  for (const bool both : {false, true}) {
    build_options build;
    build.symmetrize = both;
    graph g = test::build_sample<vertex32, std::int32_t>(s, build);
    statistics_options options;
    options.triangles = true;
    options.threads = 1;
    const std::string expected = all_of(statistics(g, options));
    for (const int threads : {0, 2, 5}) {
      options.threads = threads;
      EXPECT_EQ(all_of(statistics(g, options)), expected) << both << threads;
    }
    auto& ids = std::get<shared_array<vertex32>>(g.indices);
    std::reverse(ids.data() + g.offsets[7], ids.data() + g.offsets[8]);
    g.sorted = false;
    g.weights = std::monostate{};
    graph bare = test::build_sample<vertex32>(s, build);
    EXPECT_EQ(all_of(statistics(g, options)), all_of(statistics(bare, options)));
  }
}

TEST(Statistics, LoopsAreNoIsolation) {
  // 0 has a loop and a neighbour, 2 a loop alone, 3 nothing.
  const auto t = statistics(test::build_sample({"", 4, {{0, 0, 1}, {0, 1, 1}, {2, 2, 1}}}));
  EXPECT_EQ(t.loop_vertices, 1);
  EXPECT_EQ(t.isolated_vertices, 1);
}

TEST(Statistics, LongPathsNeedNoCallStack) {
  test::sample path{"path", 1000000, {}};
  for (std::int64_t v = 0; v < path.vertices; ++v)
    path.arcs.emplace_back(v, (v + 1) % path.vertices, 0);
  const graph_statistics t = statistics(test::build_sample(path));
  EXPECT_EQ(t.strong_components, 1);
  EXPECT_EQ(t.components, 1);
}

TEST(Statistics, WeightsAndSymmetry) {
  graph g = test::build_sample<vertex32, float>({"", 3, {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}}});
  auto t = statistics(g);
  EXPECT_EQ(t.symmetric, 0);
  EXPECT_EQ(t.weights.type, "float");
  EXPECT_EQ(t.weights.zeros, 1);
  EXPECT_EQ(t.weights.maximum, 2);
  auto& w = std::get<shared_array<float>>(g.weights);
  w[0] = -4;
  w[2] = std::numeric_limits<float>::quiet_NaN();
  t = statistics(g);
  EXPECT_EQ(t.weights.nans, 1);
  EXPECT_EQ(t.weights.negatives, 1);
  EXPECT_EQ(t.weights.minimum, -4);
  EXPECT_EQ(statistics(test::build_sample({"", 2, {{0, 1, 0}, {1, 0, 0}}})).symmetric, 1);
}

}  // namespace
}  // namespace gossamer
