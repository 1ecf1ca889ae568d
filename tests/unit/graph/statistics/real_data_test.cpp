// Statistics of real graphs against what is published about them.
#include <gtest/gtest.h>

#include "gossamer/graph/io.hpp"
#include "gossamer/graph/statistics.hpp"
#include "real_data.hpp"

namespace gossamer {
namespace {

constexpr std::int64_t unknown = -1;

struct fact {
  const char* file;
  std::int64_t vertices, arcs, self_loops, parallel_arcs, undirected_edges, triangles;
  std::int64_t weak_count, weak_largest, strong_count, strong_largest;
  bool symmetric;
};

class real_statistics : public testing::TestWithParam<fact> {};

TEST_P(real_statistics, agree_with_what_is_published) {
  const fact f = GetParam();
  const auto file = data_file(f.file);
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const graph g = read_graph(file.path);
  const auto s = statistics(g);
  const auto expect = [](std::int64_t found, std::int64_t published, const char* what) {
    if (published != unknown) {
      EXPECT_EQ(found, published) << what;
    }
  };
  expect(s.vertices, f.vertices, "vertices");
  expect(s.arcs, f.arcs, "arcs");
  expect(s.self_loops, f.self_loops, "self-loops");
  expect(s.parallel_arcs, f.parallel_arcs, "parallel arcs");
  expect(s.undirected_simple_edges, f.undirected_edges, "undirected edges");
  if (f.triangles != unknown) {
    EXPECT_EQ(count_triangles(g), f.triangles);
  }
  expect(s.components, f.weak_count, "components");
  expect(s.largest_component, f.weak_largest, "largest component");
  expect(s.strong_components, f.strong_count, "strong components");
  expect(s.largest_strong_component, f.strong_largest, "largest strong component");
  EXPECT_EQ(s.symmetric, f.symmetric ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(data, real_statistics,
                         testing::Values(fact{"soc-Slashdot0902.txt.xz", 82168, 948464, 78303, 0,
                                              504230, 602592, 1, 82168, unknown, 71307, false},
                                         fact{"email-Enron.txt.xz", 36692, 367662, 0, 0, 183831,
                                              727044, 1065, 33696, 1065, 33696, true},
                                         fact{"cnr-2000.graph-txt.xz", 325557, 3216152, 87442, 0,
                                              2738969, unknown, 1, 325557, 100977, 112023, false},
                                         fact{"USA-road-d.NY.gr.xz", 264346, 733846, unknown, 3746,
                                              unknown, unknown, 1, 264346, 1, 264346, true},
                                         fact{"USA-road-d.BAY.gr.xz", 321270, 800172, unknown, 5342,
                                              unknown, unknown, 1, 321270, 1, 321270, true}),
                         [](const auto& of) {
                           std::string name;
                           for (const char* c = of.param.file;
                                *c != '.' || c[1] == 'N' || c[1] == 'B'; ++c)
                             if (std::isalnum(static_cast<unsigned char>(*c))) name += *c;
                           return name;
                         });

}  // namespace
}  // namespace gossamer
