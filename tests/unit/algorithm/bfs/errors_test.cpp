// What BFS refuses, and in which words.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "message_of.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

TEST(BfsErrors, SourceOutOfRange) {
  auto m = machine::open("cpu:1x1");
  const graph g = paper_example();
  for (std::int64_t source : {-1, 8}) {
    const auto text = message_of<usage_error>([&] { bfs(m, g, source); });
    expect_contains(text, "no vertex with index " + std::to_string(source));
    expect_contains(text, "8 vertices");
  }
}

TEST(BfsErrors, Engines) {
  auto m = machine::open("cpu:1x1");
  bfs_options options;
  options.engine = "quick";
  const auto text = message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); });
  expect_contains(text, "unknown engine 'quick'");
  expect_contains(text, "auto, sync, single_kernel, async, host, tasks, published, vector_queue");
  options.engine = "sync";
  auto result = bfs(m, paper_example(), 0, options);
  EXPECT_EQ(result.levels, 5);
  EXPECT_EQ(result.engine_reason, "asked for");
  options.engine = "auto";
  result = bfs(m, paper_example(), 0, options);
  EXPECT_EQ(result.engine, "sync");
  EXPECT_EQ(result.engine_reason,
            "chosen, single_kernel needs a GPU for every rank; rank 0 is " + m[0].name);
}

TEST(BfsErrors, TheAsyncEngineHasNoDirections) {
  auto m = machine::open("cpu:2x1");
  bfs_options options;
  options.engine = "async";
  options.direction = bfs_direction::bottom_up;
  EXPECT_EQ(message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); }),
            "bfs: engine 'async' goes top-down only");
}

TEST(BfsErrors, OneKernelNeedsAGpu) {
  auto m = machine::open("cpu:2x1");
  bfs_options options;
  options.engine = "single_kernel";
  // usage_error, or not_compiled in builds without CUDA.
  expect_contains(message_of<error>([&] { bfs(m, paper_example(), 0, options); }),
                  "'single_kernel'");
}

TEST(BfsErrors, ThePublishedEngineIsTopDown) {
  auto m = machine::open("cpu:2x1");
  const auto refused = [&](const bfs_options& options) {
    return message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); });
  };
  bfs_options options;
  options.engine = "published";
  options.direction = bfs_direction::bottom_up;
  expect_contains(refused(options), "engine 'published' goes top-down only");
  options = {};
  options.engine = "published";
  options.deterministic = true;
  expect_contains(refused(options), "keeps the parents that come first");
}

TEST(BfsErrors, TransportsAreTheVectorQueueEngines) {
  auto m = machine::open("cpu:2x1");
  bfs_options options;
  const auto refused = [&] {
    return message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); });
  };
  options.transport = "copy";
  EXPECT_EQ(refused(), "bfs: transport 'copy' is of engine 'vector_queue', and this is 'sync'");
  options.engine = "vector_queue";
  options.transport = "pigeon";
  EXPECT_EQ(refused(), "bfs: unknown transport 'pigeon' (there are auto, copy, direct)");
  options.transport = "auto";
  options.label_bytes = 6;
  EXPECT_EQ(refused(), "bfs: label_bytes 6 is none of 0, 4, 8");
  options.label_bytes = 0;
  options.direction = bfs_direction::bottom_up;
  EXPECT_EQ(refused(), "bfs: engine 'vector_queue' goes top-down only");
}

TEST(BfsErrors, WhatNeedsInArcsSaysSo) {
  auto m = machine::open("cpu:1x1");
  place_options placing;
  placing.both_directions = false;
  const graph g = from_arcs("one way", 3, {{0, 1}, {1, 2}}, false);
  const auto placed = std::make_shared<const placed_graph>(place(m, g, placing));
  const auto refused = [&](const bfs_options& options) {
    return message_of<usage_error>([&] { bfs_search search(placed, options); });
  };
  bfs_options options;
  options.direction = bfs_direction::bottom_up;
  EXPECT_EQ(refused(options),
            "bfs: bottom-up needs in-arcs, which this placement of a directed graph does not keep");
  options = {};
  options.deterministic = true;
  EXPECT_EQ(refused(options),
            "bfs: the smallest parents need in-arcs, which this placement of a directed graph does "
            "not keep");
  options = {};
  EXPECT_EQ(bfs_search(placed, options).run(0).reached, 3);
  // One rank alone has all neighbours of a vertex in its row.
  options.engine = "vector_queue";
  EXPECT_EQ(bfs_search(placed, options).run(0).reached, 3);
  auto two = machine::open("cpu:2x1");
  const auto halves = std::make_shared<const placed_graph>(place(two, g, placing));
  EXPECT_EQ(message_of<usage_error>([&] { bfs_search search(halves, options); }),
            "bfs: engine 'vector_queue' on several ranks needs in-arcs, which this placement of a "
            "directed graph does not keep");
}

TEST(BfsErrors, ColumnsAreForOneEngine) {
  auto m = machine::open("cpu:2x1");
  place_options placing;
  placing.by_columns = true;
  const graph g = undirected("dense", 1024, random_arcs(1024, 8192, 3));
  const auto placed = std::make_shared<const placed_graph>(place(m, g, placing));
  const std::string refused =
      g.name + " is placed by columns, for engine vector_queue of bfs: others need its rows";
  bfs_options options;
  for (const engine_info& e : algorithms().front().engines) {
    if (!e.cpus || e.name == "vector_queue") continue;
    options.engine = e.name;
    EXPECT_EQ(message_of<usage_error>([&] { bfs_search search(placed, options); }), refused)
        << e.name;
  }
  options.engine = "vector_queue";
  const auto result = bfs_search(placed, options).run(1);
  EXPECT_EQ(message_of<usage_error>([&] { verify_parts(result); }),
            g.name + ": trees are checked in parts by rows, not by columns");
  const auto rows = std::make_shared<const placed_graph>(place(m, g));
  EXPECT_EQ(message_of<usage_error>([&] { static_cast<void>(rows->column_slice<vertex32>(0)); }),
            g.name + " is placed by rows");
}

TEST(BfsErrors, SwitchingPointsArePositive) {
  auto m = machine::open("cpu:1x1");
  for (auto [alpha, beta] : {std::pair{0.0, 1.0}, {1.0, 0.0}, {-1.0, 1.0}}) {
    bfs_options options;
    options.alpha = alpha;
    options.beta = beta;
    EXPECT_EQ(message_of<usage_error>([&] { bfs(m, paper_example(), 0, options); }),
              "bfs: alpha and beta must be positive");
  }
}

TEST(BfsErrors, NoVertices) {
  auto m = machine::open("cpu:1x1");
  graph g;
  const auto text = message_of<usage_error>([&] { bfs(m, g, 0); });
  expect_contains(text, "no vertices");
}

TEST(BfsErrors, PlanIsRefusedBeforeAnythingIsTaken) {
  auto m = machine::open("cpu:2x1");
  const graph g = undirected("dense", 100000, random_arcs(100000, 100000, 1));
  place_options placing;
  placing.memory = 1 << 20;
  placing.renumber = "degree";
  auto text = message_of<capacity_error>([&] { place(m, g, placing); });
  expect_contains(text, "memory plan");
  expect_contains(text, "columns");
  expect_contains(text, "rank 0");
  // A placement that fits, a search that does not: its entries are added to the placement's.
  placing.memory = 2 * (plan_placement(m, g, placing).of(0) + 20000);
  const auto placed = std::make_shared<const placed_graph>(place(m, g, placing));
  text = message_of<capacity_error>([&] { bfs_search search(placed); });
  expect_contains(text, "parents and depths");
  expect_contains(text, "inbox");
  expect_contains(text, "columns");
}

TEST(BfsErrors, PlanBeforePlacementEqualsPlanAfter) {
  auto m = machine::open("cpu:3x1");
  const graph g = undirected("dense", 5000, random_arcs(5000, 40000, 1));
  for (const char* partition : {"ranges", "edges"}) {
    place_options placing;
    placing.partition = partition;
    bfs_options options;
    options.deterministic = true;
    const auto placed = place(m, g, placing);
    EXPECT_EQ(bfs_search::plan(m, g, placing, options).total(),
              placed.plan().total() + bfs_search::plan(placed, options).total());
  }
}

TEST(BfsErrors, Cancelled) {
  auto m = machine::open("cpu:2x1");
  bfs_options options;
  std::stop_source stop;
  stop.request_stop();
  options.run.cancel = stop.get_token();
  EXPECT_THROW(bfs(m, paper_example(), 0, options), cancelled_error);
}

TEST(DrawSources, DistinctWithArcsAndRepeatable) {
  arc_list edges;
  for (std::int64_t v = 0; v < 50; ++v) edges.emplace_back(v, v + 50);
  const graph g = undirected("half-isolated", 200, edges);
  const auto drawn = draw_sources(g, 64, 5);
  EXPECT_EQ(drawn.size(), 64u);
  EXPECT_EQ(draw_sources(g, 64, 5), drawn);
  EXPECT_NE(draw_sources(g, 64, 6), drawn);
  auto sorted = drawn;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::int64_t v : drawn) EXPECT_GT(g.degree(v), 0);
  EXPECT_EQ(draw_sources(g, 1000, 5).size(), 100u) << "no more than there are";
}

}  // namespace
}  // namespace gossamer
