// Real graphs, against published facts about them. Skipped when the data folder is not there.
#include <set>

#include "real_data.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

struct fact {
  const char* file;
  file_format format;
  std::int64_t vertices, arcs, loops, parallel, simple_edges, zeros;
  bool symmetric;
  std::int64_t base;
};

class real_data : public testing::TestWithParam<fact> {};

TEST_P(real_data, reads_with_the_known_counts) {
  const fact f = GetParam();
  const auto file = gossamer::data_file(f.file);
  if (!file.missing.empty()) GTEST_SKIP() << file.missing;
  const std::string path = file.path;
  EXPECT_EQ(sniff_format(path), f.format);
  const graph g = read_graph(path);
  g.validate();
  EXPECT_EQ(g.vertices(), f.vertices);
  EXPECT_EQ(g.arcs(), f.arcs);
  EXPECT_EQ(g.symmetric, f.symmetric);
  EXPECT_EQ(g.names.base, f.base);
  EXPECT_TRUE(g.names.map.empty());

  std::int64_t loops = 0, parallel = 0, zeros = 0;
  std::vector<std::pair<vertex32, vertex32>> pairs;
  const auto rows = g.view<vertex32>();
  for (std::int64_t v = 0; v < rows.vertices(); ++v) {
    const auto row = rows.row(v);
    for (std::size_t i = 0; i < row.size(); ++i) {
      loops += row[i] == v;
      parallel += i > 0 && row[i] == row[i - 1];
      if (row[i] != v)
        pairs.emplace_back(std::min<vertex32>(row[i], static_cast<vertex32>(v)),
                           std::max<vertex32>(row[i], static_cast<vertex32>(v)));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  if (const auto* w = std::get_if<shared_array<double>>(&g.weights))
    zeros = std::count(w->begin(), w->end(), 0.0);
  EXPECT_EQ(parallel, f.parallel);
  if (f.loops >= 0) {
    EXPECT_EQ(loops, f.loops);
  }
  if (f.simple_edges >= 0) {
    EXPECT_EQ(static_cast<std::int64_t>(pairs.size()), f.simple_edges);
  }
  EXPECT_EQ(zeros, f.zeros);

  if (f.simple_edges >= 0) {
    read_options options;
    options.build = {.symmetrize = true, .deduplicate = true, .remove_self_loops = true};
    EXPECT_EQ(read_graph(path, options).arcs(), 2 * f.simple_edges);
  }
}

// -1: the fact is not published for this graph.
INSTANTIATE_TEST_SUITE_P(
    facts, real_data,
    testing::Values(
        fact{"USA-road-d.NY.gr.xz", file_format::dimacs, 264346, 733846, -1, 3746, -1, 0, true, 1},
        fact{"USA-road-d.BAY.gr.xz", file_format::dimacs, 321270, 800172, -1, 5342, -1, 0, true, 1},
        fact{"soc-Slashdot0902.txt.xz", file_format::edge_list, 82168, 948464, 78303, 0, 504230, 0,
             false, 0},
        fact{"email-Enron.txt.xz", file_format::edge_list, 36692, 367662, 0, 0, 183831, 0, true, 0},
        fact{"cnr-2000.graph-txt.xz", file_format::webgraph, 325557, 3216152, 87442, 0, 2738969, 0,
             false, 0},
        // The published count of non-zeros leaves out 18,700 zeros that the file stores.
        fact{"s1rmq4m1.mtx.xz", file_format::matrix_market, 5489, 281111, 5489, 0, -1, 18700, true,
             1},
        fact{"bcsstk17.mtx.xz", file_format::matrix_market, 10974, 428650, 10974, 0, -1, 0, true,
             1},
        fact{"crystm01.mtx.xz", file_format::matrix_market, 4875, 105339, 4875, 0, -1, 0, true, 1},
        fact{"nasa2910-pattern.mtx.xz", file_format::matrix_market, 2910, 174296, 2910, 0, -1, 0,
             true, 1}),
    [](const auto& instance) {
      std::string name = instance.param.file;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace gossamer
