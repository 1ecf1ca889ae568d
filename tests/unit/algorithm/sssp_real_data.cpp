// Facts about real road networks that shortest paths can check. Skipped without the data.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/io.hpp"
#include "unit/algorithm/real_data.hpp"

namespace gossamer {
namespace {

void expect_sums(const char* file, std::uint64_t sum, std::uint32_t largest) {
  const auto path = data_file(file);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const graph g = read_graph(path.string());
  const std::int64_t source = g.names.index(1, g.vertices());
  for (const char* spec : {"cpu:1x1", "cpu:1x2", "cpu:2x1"}) {
    SCOPED_TRACE(spec);
    auto m = machine::open(spec);
    sssp_options options;
    options.parents = true;
    const auto result = sssp(m, g, source, options);
    const auto& d = std::get<shared_array<std::uint32_t>>(result.distances);
    EXPECT_EQ(std::accumulate(d.begin(), d.end(), std::uint64_t{0}), sum);
    EXPECT_EQ(*std::max_element(d.begin(), d.end()), largest);
    EXPECT_EQ(result.reached, g.vertices());
    const auto verdict = verify_sssp(g, source, result.distances, result.parents.span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
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
