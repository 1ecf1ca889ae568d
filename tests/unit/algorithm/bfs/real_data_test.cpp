// Facts about real graphs that a BFS can check. Skipped without the data (GOSSAMER_DATA, else
// ../shared/data beside the project).
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/io.hpp"
#include "real_data.hpp"

namespace gossamer {
namespace {

TEST(BfsRealData, NewYorkIsConnectedAndItsDepthIsKnown) {
  const auto file = data_file("USA-road-d.NY.gr.xz");
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const graph g = read_graph(file.path);
  const std::int64_t source = g.names.index(140961, g.vertices());
  ASSERT_EQ(source, 140960) << "DIMACS files count from 1";
  for (const char* spec : {"cpu:1x2", "cpu:2x1"}) {
    auto m = machine::open(spec);
    const bfs_result result = bfs(m, g, source);
    EXPECT_EQ(result.levels - 1, 415) << spec;
    EXPECT_EQ(result.reached, 264346) << spec;
    const auto verdict = verify_bfs(g, source, result.parents().span(), result.depths().span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
  }
}

}  // namespace
}  // namespace gossamer
