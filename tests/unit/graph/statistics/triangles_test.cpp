// Triangles of small random graphs against a matrix; errors.
#include <gtest/gtest.h>

#include "gossamer/graph/statistics.hpp"
#include "message_of.hpp"
#include "unit/graph/sample_graphs.hpp"

namespace gossamer {
namespace {

std::int64_t naive(const test::sample& s) {
  const std::int64_t n = s.vertices;
  std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
  for (const auto& [u, v, w] : s.arcs)
    if (u != v) joined[u][v] = joined[v][u] = true;
  std::int64_t found = 0;
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t v = u + 1; v < n; ++v)
      for (std::int64_t w = v + 1; joined[u][v] && w < n; ++w)
        found += joined[u][w] && joined[v][w];
  return found;
}

TEST(triangles, agree_with_naive_counts) {
  build_options both;
  both.symmetrize = true;
  std::uint64_t seed = 7;
  for (const std::int64_t n : {1, 2, 3, 8, 40, 90})
    for (const std::int64_t degree : {0, 1, 3, 15}) {
      const auto s =
          test::random_sample(n, std::max<std::int64_t>(1, n * 4 / 5), n * degree, ++seed);
      const std::int64_t expected = naive(s);
      EXPECT_EQ(count_triangles(test::build_sample(s), 1), expected) << s.name;
      EXPECT_EQ(count_triangles(test::build_sample(s, both), 2), expected) << s.name;
      EXPECT_EQ(count_triangles(test::build_sample<vertex64>(s), 3), expected) << s.name;
    }
  EXPECT_EQ(count_triangles(graph{}), 0);
}

TEST(triangles, do_not_depend_on_the_number_of_threads) {
  const graph g = test::build_sample(test::random_sample(20000, 2000, 120000, 5));
  const std::int64_t one = count_triangles(g, 1);
  EXPECT_GT(one, 0);
  for (const int threads : {0, 2, 3, 8}) EXPECT_EQ(count_triangles(g, threads), one);
}

TEST(triangles, refuse_what_they_cannot_count) {
  graph g = test::build_sample({"", 2, {{0, 1, 1}}});
  EXPECT_EQ(message_of<usage_error>([&] { count_triangles(g, -1); }),
            "triangles: negative number of threads");
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(message_of<cancelled_error>([&] { count_triangles(g, 1, source.get_token()); }),
            "statistics: stopped");
  g.sorted = false;
  EXPECT_EQ(message_of<usage_error>([&] { count_triangles(g); }),
            "triangles: the rows are not sorted; rebuild the graph first");
}

}  // namespace
}  // namespace gossamer
