// Facts about real road networks that shortest paths can check. Skipped without the data.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/io.hpp"
#include "real_data.hpp"

namespace gossamer {
namespace {

void expect_sums(const char* name, std::uint64_t sum, std::uint32_t largest) {
  const auto file = data_file(name);
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const graph g = read_graph(file.path);
  const std::int64_t source = g.names.index(1, g.vertices());
  const std::pair<const char*, const char*> ways[] = {{"cpu:1x1", "sync"},  {"cpu:1x2", "sync"},
                                                      {"cpu:2x1", "sync"},  {"cpu:1x1", "async"},
                                                      {"cpu:2x1", "async"}, {"cpu:3x1", "async"}};
  for (const auto& [spec, engine] : ways) {
    SCOPED_TRACE(std::string(engine) + " on " + spec);
    auto m = machine::open(spec);
    sssp_options options;
    options.parents = true;
    options.engine = engine;
    const auto result = sssp(m, g, source, options);
    const auto& d = std::get<shared_array<std::uint32_t>>(result.distances.get());
    EXPECT_EQ(std::accumulate(d.begin(), d.end(), std::uint64_t{0}), sum);
    EXPECT_EQ(*std::max_element(d.begin(), d.end()), largest);
    EXPECT_EQ(result.reached, g.vertices());
    const auto verdict = verify_sssp(g, source, result.distances, result.parents.span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
    // What soft priorities are for: first in, first out works on a hundred times the vertices.
    if (result.work) {
      EXPECT_LE(result.work->items, g.vertices() * 5 / 2);
    }
  }
}

TEST(SsspRealData, NewYork) {
  expect_sums("USA-road-d.NY.gr.xz", 186686642878U, 1440081U);
}
TEST(SsspRealData, Bay) {
  expect_sums("USA-road-d.BAY.gr.xz", 295629435062U, 2165941U);
}

}  // namespace
}  // namespace gossamer
