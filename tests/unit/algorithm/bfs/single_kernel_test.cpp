// BFS as one kernel a GPU, on one and on several ranks: the ways of working and the passages
// between them, which the small graphs of properties_test.cpp do not all reach, and the
// host-stepped engine beside it.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/device.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

class BfsSingleKernel : public testing_machines::OnMachine {
 protected:
  bfs_result search(const graph& g, std::int64_t source, const bfs_options& given = {},
                    const place_options& placing = {}) {
    bfs_options options = given;
    if (options.engine == "auto") options.engine = "single_kernel";
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    return bfs_search(placed, options).run(source);
  }
  void expect_serial(const graph& g, std::int64_t source, const bfs_options& options = {},
                     const place_options& placing = {}) {
    SCOPED_TRACE(g.name + " from " + std::to_string(source));
    const reference want = serial_bfs(g, source);
    const bfs_result found = search(g, source, options, placing);
    EXPECT_EQ(found.levels, want.levels);
    EXPECT_EQ(found.reached, want.reached);
    EXPECT_EQ(found.arcs_of_reached, want.arcs);
    const auto depths = found.depths();
    std::int64_t wrong = 0;
    for (std::size_t v = 0; v < depths.size(); ++v) wrong += depths[v] != want.depths[v] ? 1 : 0;
    EXPECT_EQ(wrong, 0);
    const verification verdict =
        verify_bfs(g, source, found.parents().span(), found.depths().span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
    ASSERT_EQ(found.per_level.size(), static_cast<std::size_t>(want.levels));
    for (std::size_t i = 0; i < found.per_level.size(); ++i) {
      ASSERT_EQ(found.per_level[i].frontier, want.frontiers[i]) << "level " << i;
      ASSERT_GE(found.per_level[i].milliseconds, 0) << "level " << i;
      ASSERT_LT(found.per_level[i].milliseconds, found.milliseconds) << "level " << i;
    }
  }
};

/// A path, a binary tree at its end, the same tree upside down, and a path again; ids are mixed.
graph path_and_trees(std::int64_t path, int height) {
  arc_list edges;
  std::int64_t last = 0;
  const auto walk = [&] {
    for (std::int64_t i = 0; i < path; ++i, ++last) edges.emplace_back(last, last + 1);
  };
  walk();
  std::vector<std::int64_t> row = {last};
  for (int h = 0; h < height; ++h) {
    std::vector<std::int64_t> below;
    for (std::int64_t u : row)
      for (int child = 0; child < 2; ++child) {
        below.push_back(++last);
        edges.emplace_back(u, last);
      }
    row = below;
  }
  while (row.size() > 1) {
    std::vector<std::int64_t> above;
    for (std::size_t i = 0; i < row.size(); i += 2) {
      above.push_back(++last);
      edges.emplace_back(row[i], last);
      edges.emplace_back(row[i + 1], last);
    }
    row = above;
  }
  walk();
  const std::int64_t n = last + 1;
  const std::int64_t step = 7919;  // a prime
  EXPECT_NE(n % step, 0);
  for (auto& [u, v] : edges) {
    u = u * step % n;
    v = v * step % n;
  }
  return undirected("path and trees", n, edges);
}

TEST_P(BfsSingleKernel, IsWhatAutoMeans) {
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, paper_example()));
  EXPECT_EQ(bfs_search(placed).run(0).engine, "single_kernel");
}

TEST_P(BfsSingleKernel, BothEnginesAgreeWithSerialSearch) {
  for (const graph& g : shapes())
    for (const char* engine : {"single_kernel", "sync"})
      for (const auto direction :
           {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
        bfs_options options;
        options.engine = engine;
        options.direction = direction;
        expect_serial(g, g.vertices() / 2, options);
      }
}

TEST_P(BfsSingleKernel, GrowsWideAndNarrowAgain) {
  // 2^17 leaves are more than a cluster holds.
  const graph g = path_and_trees(500, 17);
  expect_serial(g, 0);
  expect_serial(g, g.vertices() / 3);
}

TEST_P(BfsSingleKernel, GoesOnWhenTheLogIsFull) {
  // More levels than one launch logs, on either side of the trees.
  expect_serial(path_and_trees(70000, 3), 0);
}

/// Paths with stars of so many leaves between them.
graph beads(std::int64_t path, const std::vector<std::int64_t>& leaves) {
  arc_list edges;
  std::int64_t last = 0;
  for (const std::int64_t n : leaves) {
    for (std::int64_t i = 0; i < path; ++i, ++last) edges.emplace_back(last, last + 1);
    const std::int64_t centre = last;
    for (std::int64_t i = 0; i < n; ++i) edges.emplace_back(centre, ++last);
  }
  return undirected("beads", last + 1, edges);
}

TEST_P(BfsSingleKernel, ThinLevelsBetweenOthers) {
  // What one warp takes ends between 16 and 64; beyond 256 rows are cut, beyond 64 none are narrow.
  for (const auto& leaves : {std::vector<std::int64_t>{2, 20, 31, 33, 40, 60},
                             std::vector<std::int64_t>{20, 63, 64, 65, 200, 300, 5000, 3}}) {
    const graph g = beads(100, leaves);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2, g.vertices() - 1})
      expect_serial(g, source);
  }
  for (const char* spec : {"lollipop:300x3000", "cliques:80x30", "path:70000", "tree:12:2"}) {
    const graph g = generate(parse_generator(spec));
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() - 1}) expect_serial(g, source);
  }
}

TEST_P(BfsSingleKernel, LongRowsThatNobodyAnswers) {
  // Going up from a leaf, hubs that it does not have look at all their leaves in vain.
  bfs_options up;
  up.direction = bfs_direction::bottom_up;
  for (const char* spec :
       {"bipartite:64x30000:4", "bipartite:3x2000:1", "web:20000:20", "star:5000"}) {
    const graph g = generate(parse_generator(spec));
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2, g.vertices() - 1}) {
      expect_serial(g, source, up);
      expect_serial(g, source);
    }
  }
}

TEST_P(BfsSingleKernel, RowsOfAnyLengthInNarrowLevels) {
  // Rows beyond four arcs are not packed; beyond 64 no level is narrow.
  for (const std::int64_t leaves : {3, 5, 60, 70, 600}) {
    arc_list edges;
    std::int64_t last = 0;
    for (int i = 0; i < 200; ++i) {
      const std::int64_t centre = last;
      for (std::int64_t k = 0; k < leaves; ++k) edges.emplace_back(centre, ++last);
    }
    expect_serial(undirected("caterpillar of " + std::to_string(leaves), last + 1, edges), 0);
  }
}

TEST_P(BfsSingleKernel, NarrowLevelsOfRowsDealtByHash) {
  // Nearly every neighbour is another rank's; ids of a rank are no range.
  place_options scattered;
  scattered.partition = "hash";
  expect_serial(path_and_trees(300, 14), 0, {}, scattered);
  scattered.renumber = "degree";
  expect_serial(path_and_trees(40, 17), 20, {}, scattered);
}

TEST_P(BfsSingleKernel, TwoRanksFindTheSameVertexLast) {
  // Rings of even length: the last vertex is found from both sides, in one level, and then nothing.
  for (const std::int64_t n : {2, 4, 64, 1024, 5000}) {
    arc_list edges;
    for (std::int64_t v = 0; v < n; ++v) edges.emplace_back(v, (v + 1) % n);
    for (const std::int64_t source : {std::int64_t{0}, n / 2, n - 1})
      expect_serial(undirected("ring of " + std::to_string(n), n, edges), source);
  }
}

TEST_P(BfsSingleKernel, ASourceWithoutInArcs) {
  arc_list arcs;
  for (std::int64_t v = 1; v < 3000; ++v) arcs.emplace_back(0, v);
  for (std::int64_t v = 1; v < 2999; ++v) arcs.emplace_back(v, v + 1);
  const graph g = from_arcs("out of one", 3000, arcs, false);
  for (const auto direction :
       {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
    bfs_options options;
    options.direction = direction;
    expect_serial(g, 0, options);
    expect_serial(g, 1500, options);
  }
}

TEST_P(BfsSingleKernel, SmallestParents) {
  bfs_options options;
  options.deterministic = true;
  const graph g = path_and_trees(20, 9);
  const reference want = serial_bfs(g, 0);
  const auto parents = search(g, 0, options).parents();
  for (std::size_t v = 0; v < parents.size(); ++v)
    ASSERT_EQ(parents[v], want.smallest_parents[v]) << "vertex " << v;
}

TEST_P(BfsSingleKernel, WideIds) {
  const graph g = undirected<vertex64>("wide ids", 5000, random_arcs(5000, 20000, 3));
  expect_serial(g, 17);
  arc_list path;
  for (std::int64_t v = 0; v < 999; ++v) path.emplace_back(v, v + 1);
  expect_serial(undirected<vertex64>("path of wide ids", 1000, path), 500);
}

TEST_P(BfsSingleKernel, ManySearchesOfOneAndResultsThatStay) {
  const graph g = path_and_trees(50, 10);
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  bfs_search search(placed);
  std::vector<bfs_result> kept;
  for (std::int64_t source = 0; source < 8; ++source) kept.push_back(search.run(source * 100));
  for (const bfs_result& r : kept) {
    const verification verdict = verify_bfs(g, r.source, r.parents().span(), r.depths().span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
  }
}

TEST_P(BfsSingleKernel, PhasesOfTheKernelFillItsTime) {
  bfs_options options;
  options.run.trace = std::make_shared<timeline>();
  const graph g = path_and_trees(500, 17);
  search(g, 0);  // loads what there is to load
  const bfs_result found = search(g, 0, options);
  for (int r = 0; r < machine_->size(); ++r) {
    SCOPED_TRACE("rank " + std::to_string(r));
    auto phases = options.run.trace->events_of(r);
    std::erase_if(phases, [](const trace_event& e) {
      return e.on != trace_track::kernel || e.kind == trace_class::level;
    });
    ASSERT_GE(phases.size(), 8U);
    std::set<std::string> names;
    double searching = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) {
      names.insert(phases[i].name);
      if (i > 0) {
        EXPECT_NEAR(phases[i].begin, phases[i - 1].end, 1e-9) << i;
      }
      // Several ranks first wait for each other, which is no part of the search.
      if (machine_->size() == 1 || i >= 2) searching += phases[i].end - phases[i].begin;
    }
    for (const char* name : {"clear", "narrow levels", "expand", "close results", "agree"})
      EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_NEAR(searching * 1e3, found.milliseconds, 0.05 * found.milliseconds + 0.02);
  }
}

INSTANTIATE_TEST_SUITE_P(Bfs, BfsSingleKernel,
                         ::testing::Values("cuda:0", "cuda:0*2", "cuda:0*3", "cuda:0-1",
                                           "cuda:0-3"),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
