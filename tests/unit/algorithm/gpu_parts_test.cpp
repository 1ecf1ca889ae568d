// Partitions of shortest paths, components and PageRank on GPUs, by their plans: how many ranks
// they take, what of their memory each part takes, and what is refused. The GPUs are those of
// tests/fake_gpu, and no algorithm runs.
#include <gtest/gtest.h>

#include "algorithm/components/planning.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "algorithm/sssp/planning.hpp"
#include "message_of.hpp"
#include "unit/algorithm/many_graphs.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class GpuParts : public ::testing::Test {
 protected:
  const testing::scoped_variable peers_{"GOSSAMER_TEST_PEERS", "on"};
  const machine two_ = machine::open("cuda:0-1");

  /// Into the even vertices 40 arcs each, out of them one. Too few for two GPUs by themselves.
  static graph skewed() {
    arc_list arcs;
    for (std::int64_t v = 0; v < 100; ++v) arcs.emplace_back(v, (v + 1) % 100);
    for (std::int64_t v = 1; v < 100; v += 2)
      for (std::int64_t k = 0; k < 40; ++k) arcs.emplace_back(v, 2 * k);
    graph g = from_arcs("skewed", 100, arcs, false);
    set_weights<float>(g, 9);
    return g;
  }
  /// Part 0: the even vertices.
  template <class Options>
  static Options by_parity(const std::string& engine) {
    Options options;
    options.engine = engine;
    options.partition = "file";
    for (int v = 0; v < 100; ++v) options.part_of.push_back(v % 2);
    return options;
  }
  /// Of a rank, by purpose.
  static std::int64_t bytes(const memory_plan& plan, int rank, const std::string& purpose) {
    std::int64_t sum = 0;
    for (const auto& e : plan.entries)
      if (e.rank == rank && e.purpose == purpose) sum += e.bytes;
    return sum;
  }
  static certainty sure(const memory_plan& plan, int rank, const std::string& purpose) {
    for (const auto& e : plan.entries)
      if (e.rank == rank && e.purpose == purpose) return e.sure;
    ADD_FAILURE() << purpose << " is in no plan";
    return certainty::exact;
  }
  /// Those that the plan has bytes for.
  static int ranks(const memory_plan& plan) {
    int last = 0;
    for (const auto& e : plan.entries) last = std::max(last, e.rank);
    return last + 1;
  }
};

TEST_F(GpuParts, AreForAllRanks) {
  const graph g = skewed();
  for (const char* engine : {"async", "host"}) {
    sssp_options options = by_parity<sssp_options>(engine);
    EXPECT_EQ(ranks(sssp_search::plan(two_, g, options)), 2) << engine;
    options.partition = "auto";
    EXPECT_EQ(ranks(sssp_search::plan(two_, g, options)), 1) << engine;
  }
  for (const char* engine : {"auto", "sync", "async"}) {
    EXPECT_EQ(ranks(components_search::plan(two_, g, by_parity<components_options>(engine))), 2);
    EXPECT_EQ(ranks(pagerank_solver::plan(two_, g, by_parity<pagerank_options>(engine))), 2);
  }
  EXPECT_EQ(ranks(components_search::plan(two_, g, {})), 1);
  EXPECT_EQ(ranks(pagerank_solver::plan(two_, g, {})), 1);
  // Engine sync of shortest paths searches on one GPU, so with a partition auto is another one.
  EXPECT_NO_THROW(sssp_search::plan(two_, g, by_parity<sssp_options>("auto")).check());
}

TEST_F(GpuParts, ArcsAreCountedByPart) {
  const graph g = skewed();
  const std::vector<std::int64_t> out = {50, 50 + 50 * 40}, in = {50 + 50 * 40, 50};
  EXPECT_EQ(sssp_detail::problem_of(two_, g, by_parity<sssp_options>("async")).rows.arcs, out);
  const auto labels = by_parity<components_options>("sync");
  EXPECT_EQ(components_detail::problem_of(two_, g, labels).rows.arcs, out);
  const auto ranks = by_parity<pagerank_options>("sync");
  const auto pushed = by_parity<pagerank_options>("async");
  EXPECT_EQ(pagerank_detail::problem_of(two_, g, pushed).rows.arcs, out);
  const auto pulled = pagerank_detail::problem_of(two_, g, ranks).ranges;
  EXPECT_EQ(pulled.in_arcs, in);
  EXPECT_EQ(pulled.first, (std::vector<std::int64_t>{0, 50, 100}));
  const auto plan = pagerank_solver::plan(two_, g, ranks);
  EXPECT_GT(bytes(plan, 0, "columns of in-arcs"), bytes(plan, 1, "columns of in-arcs") + 4 * 1900);
}

TEST_F(GpuParts, PlansCountTheRenumberedGraph) {
  const graph g = skewed();
  const auto check = [&](const memory_plan& parted, const memory_plan& ranges) {
    EXPECT_GE(bytes(parted, 0, "renumbered graph"), g.arcs() * g.id_width());
    EXPECT_GT(bytes(parted, 0, "order of vertices"), 0);
    EXPECT_EQ(bytes(ranges, 0, "renumbered graph"), 0);
  };
  const auto ranges = [](auto options) {
    options.partition = "ranges";
    options.part_of.clear();
    return options;
  };
  const auto steps = by_parity<pagerank_options>("sync");
  check(pagerank_solver::plan(two_, g, steps), pagerank_solver::plan(two_, g, ranges(steps)));
}

TEST_F(GpuParts, WhatIsNotKnownIsAbout) {
  graph_shape g;
  g.vertices = 1000;
  g.arcs = 9000;
  g.symmetric = true;
  const auto plan = [&](const char* partition) {
    pagerank_options options;
    options.partition = partition;
    return pagerank_solver::plan(two_, g, options);
  };
  EXPECT_EQ(sure(plan("hash"), 1, "rows"), certainty::about);
  EXPECT_GT(bytes(plan("metis"), 0, "partitioning by METIS"), 0);
  const auto lists = [&](const char* partition) {
    sssp_options options;
    options.engine = "host";
    options.use = rank_use::all;
    options.partition = partition;
    return sure(sssp_search::plan(two_, g, 4, options), 1, "messages");
  };
  EXPECT_EQ(lists("ranges"), certainty::exact);
  EXPECT_EQ(lists("auto"), certainty::about);
  EXPECT_EQ(lists("hash"), certainty::about);
}

TEST_F(GpuParts, OneGpuTakesEveryName) {
  const machine one = machine::open("cuda:0");
  const graph g = skewed();
  for (const char* name : {"ranges", "edges", "hash", "metis"}) {
    sssp_options paths;
    paths.partition = name;
    EXPECT_EQ(sssp_search::plan(one, g, paths).total(), sssp_search::plan(one, g, {}).total());
    pagerank_options steps;
    steps.partition = name;
    EXPECT_EQ(pagerank_solver::plan(one, g, steps).total(),
              pagerank_solver::plan(one, g, {}).total());
  }
}

TEST_F(GpuParts, Refusals) {
  const graph g = skewed();
  sssp_options paths = by_parity<sssp_options>("sync");
  EXPECT_EQ(message_of<usage_error>([&] { sssp_search::plan(two_, g, paths).check(); }),
            "sssp: partition 'file' is one for all ranks, and engine sync of sssp searches on one "
            "GPU; engines async and host search on all");
  paths.partition = "best";
  EXPECT_EQ(message_of<usage_error>([&] { sssp_search::plan(two_, g, paths).check(); }),
            "sssp: unknown partition 'best' (there are auto, ranges, edges, hash, metis, file)");
  auto labels = by_parity<components_options>("sync");
  labels.part_of[3] = 2;
  EXPECT_EQ(message_of<usage_error>([&] { components_search::plan(two_, g, labels).check(); }),
            "vertex 3 is in part 2, the machine has 2 ranks");
  auto steps = by_parity<pagerank_options>("async");
  steps.part_of.pop_back();
  EXPECT_EQ(message_of<usage_error>([&] { pagerank_solver::plan(two_, g, steps).check(); }),
            "the partition has 99 entries, the graph has 100 vertices");
}

}  // namespace
}  // namespace gossamer
