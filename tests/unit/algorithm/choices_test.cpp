// What `auto` chooses, as a table: the engine of each algorithm by machine, and how many ranks
// work. Estimates may replace the rules behind it; they have to give this table.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/matrices.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

struct choice {
  const char* machine;
  const char* use;  ///< auto, or all ranks
  const char *bfs, *cg, *components, *pagerank, *sssp;
  int ranks;  ///< that work on a small graph, but of sssp
  int sssp_ranks;
};

#ifdef GOSSAMER_TEST_GPU
constexpr choice choices[] = {
    {"cuda:0", "auto", "single_kernel", "single_kernel", "sync", "sync", "sync", 1, 1},
    {"cuda:0", "all", "single_kernel", "single_kernel", "sync", "sync", "sync", 1, 1},
    {"cuda:0*3", "auto", "single_kernel", "single_kernel", "sync", "sync", "sync", 3, 1},
    {"cuda:0*3", "all", "single_kernel", "single_kernel", "sync", "sync", "async", 3, 3},
    {"cuda:0-1", "auto", "single_kernel", "single_kernel", "sync", "sync", "sync", 1, 1},
    {"cuda:0-1", "all", "single_kernel", "single_kernel", "sync", "sync", "async", 2, 2},
};
#else
constexpr choice choices[] = {
    {"cpu:1x1", "auto", "sync", "fused", "sync", "sync", "sync", 1, 1},
    {"cpu:1x2", "all", "sync", "fused", "sync", "sync", "sync", 1, 1},
    {"cpu:3x1", "auto", "sync", "fused", "sync", "sync", "sync", 3, 3},
    {"cpu:3x1", "all", "sync", "fused", "sync", "sync", "sync", 3, 3},
    {"sim:peach2,ranks=4", "auto", "sync", "fused", "sync", "sync", "sync", 4, 4},
    {"sim:peach2,ranks=4", "all", "sync", "fused", "sync", "sync", "sync", 4, 4},
};
#endif

class Choices : public ::testing::TestWithParam<choice> {
 protected:
  void SetUp() override {
    if (const std::string why = testing_machines::lacking(GetParam().machine); !why.empty())
      GTEST_SKIP() << why;
  }
  template <class Options>
  static Options asked() {
    Options o;
    if (std::string(GetParam().use) == "all") o.use = rank_use::all;
    return o;
  }
};

TEST_P(Choices, AreTheTables) {
  const choice& c = GetParam();
  machine m = machine::open(c.machine);
  generate_options weights;
  weights.weights = true;
  const graph g = generate(parse_generator("kron:8"), weights);

  const auto found = components(m, g, asked<components_options>());
  EXPECT_EQ(found.engine, c.components);
  EXPECT_EQ(found.ranks_used, c.ranks);
  const auto ranked = pagerank(m, g, asked<pagerank_options>());
  EXPECT_EQ(ranked.engine, c.pagerank);
  EXPECT_EQ(ranked.ranks_used, c.ranks);
  const auto paths = sssp(m, g, 1, asked<sssp_options>());
  EXPECT_EQ(paths.engine, c.sssp);
  EXPECT_EQ(paths.ranks_used, c.sssp_ranks);
  const auto searched = bfs(m, g, 1);
  EXPECT_EQ(searched.engine, c.bfs);
  EXPECT_EQ(searched.ranks_used, searched.graph_->on().size());
  const std::vector<double> b(16, 1);
  EXPECT_EQ(cg_solver(m, generate_matrix("poisson:4x4"), asked<cg_options>()).solve(b).engine,
            c.cg);
}

INSTANTIATE_TEST_SUITE_P(Machines, Choices, ::testing::ValuesIn(choices), [](const auto& given) {
  return testing_machines::spec_name(
             ::testing::TestParamInfo<std::string>(given.param.machine, given.index)) +
         "_" + given.param.use;
});

}  // namespace
}  // namespace gossamer
