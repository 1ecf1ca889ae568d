// Engine vector_queue, paper A's search, on small graphs and every kind of machine: depths, counts,
// deterministic parents, what it says it sent, and what it takes.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/fabric/rank.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/bfs/checks.hpp"
#include "unit/algorithm/bfs/vector_queue_account.hpp"
#include "unit/algorithm/message_accounts.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using testing_bfs::expect_right;

std::vector<std::string> specs() {
  auto all = testing_machines::machine_specs();
#ifndef GOSSAMER_TEST_GPU
  for (const char* more : {"cpu:4x1", "cpu:6x1", "sim:expether,ranks=2", "sim:gaming,ranks=3"})
    all.push_back(more);
#endif
  return all;
}

class VectorQueue : public testing_machines::OnMachine {
 protected:
  /// copy, and direct where all ranks address each other or are modelled.
  std::vector<std::string> transports() const {
    if (machine_->all_direct() || (*machine_)[0].model != nullptr) return {"copy", "direct"};
    return {"copy"};
  }
  bfs_result search(const graph& g, std::int64_t source, const std::string& transport,
                    bool deterministic = false, const place_options& placing = {},
                    const std::string& results = "stay", const std::string& duplicates = "vector") {
    bfs_options options;
    options.engine = "vector_queue";
    options.transport = transport;
    options.results = results;
    options.duplicates = duplicates;
    options.deterministic = deterministic;
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    return bfs_search(placed, options).run(source);
  }
};

TEST_P(VectorQueue, FindsWhatTheSerialSearchFinds) {
  testing_bfs::on_shapes([&](const graph& g, std::int64_t source, const reference& want,
                             const place_options& placing, bool deterministic) {
    for (const std::string& transport : transports()) {
      SCOPED_TRACE(transport);
      const auto found = search(g, source, transport, deterministic, placing);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, deterministic));
      expect_vector_queue_account(found, machine_->size(), want);
    }
  });
}

TEST_P(VectorQueue, FindsTheSameWhereColumnsArePlaced) {
  testing_bfs::on_shapes([&](const graph& g, std::int64_t source, const reference& want,
                             place_options placing, bool deterministic) {
    placing.by_columns = true;
    const auto found = search(g, source, transports().back(), deterministic, placing, "stay",
                              deterministic || g.symmetric ? "vector" : "sort-unique");
    ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, deterministic));
    expect_vector_queue_account(found, machine_->size(), want);
  });
}

// Each shape one way, another one on other machines: a machine of many threads takes its time.
TEST_P(VectorQueue, SortingFindsTheSame) {
  const auto all = shapes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const graph& g = all[i];
    const std::int64_t source = g.vertices() / 2;
    const auto want = serial_bfs(g, source);
    place_options placing;
    if ((i + static_cast<std::size_t>(machine_->size())) % 2 == 0) placing.partition = "hash";
    SCOPED_TRACE(g.name + ", " + placing.partition);
    const auto found = search(g, source, "copy", false, placing, "stay", "sort-unique");
    ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, false));
    expect_vector_queue_account(found, machine_->size(), want);
  }
}

TEST_P(VectorQueue, OneRankNeedsNoInArcs) {
  if (machine_->size() > 1) GTEST_SKIP() << "several ranks refuse such a placement";
  const graph g = from_arcs("directed", 2000, random_arcs(2000, 30000, 9), false);
  place_options placing;
  placing.both_directions = false;
  for (const char* duplicates : {"vector", "sort-unique"}) {
    SCOPED_TRACE(duplicates);
    const auto found = search(g, 3, "copy", false, placing, "stay", duplicates);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, found, serial_bfs(g, 3), false));
  }
  // Planned alike before and after the graph is placed.
  bfs_options options;
  options.engine = "vector_queue";
  options.duplicates = "sort-unique";
  const auto placed = place(*machine_, g, placing);
  EXPECT_EQ(bfs_search::plan(*machine_, g, placing, options).total(),
            placed.plan().total() + bfs_search::plan(placed, options).total());
}

/// What `tree` says of results that went to the host.
void expect_delivered(const bfs_result& found, const std::string& results, std::int64_t p,
                      const reference& want) {
  const auto& tree = found.messages[2];
  EXPECT_EQ(tree.rounds, p > 1 ? 1 : 0);
  std::int64_t rows = 0;
  for (const auto& part : found.parts()) {
    EXPECT_EQ(part.ordinal, -1);
    rows += part.rows;
  }
  if (results == "serial") {
    // 8 bytes for each place that a rank has, holes among them.
    EXPECT_EQ(tree.bytes, 8 * rows);
    return;
  }
  if (results == "slices") {
    EXPECT_EQ(tree.bytes, (found.parts().front().id_width + 4) * rows);
    return;
  }
  // A label a vertex but the source's, and no more than 4 bytes (8 with wide ids, for their
  // alignment) to say whose it is.
  const std::int64_t id = found.parts().front().id_width;
  EXPECT_GE(tree.bytes, id * (want.reached - 1));
  EXPECT_LE(tree.bytes, (id + (id == 4 ? 4 : 8)) * (want.reached - 1));
}

TEST_P(VectorQueue, ResultsOnTheHostAreTheSame) {
  const std::pair<const char*, const char*> ways[] = {{"serial", "vector"},
                                                      {"slices", "vector"},
                                                      {"overlapped", "vector"},
                                                      {"slices", "sort-unique"},
                                                      {"overlapped", "sort-unique"}};
  const auto all = shapes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const graph& g = all[i];
    const auto [results, duplicates] = ways[(i + static_cast<std::size_t>(machine_->size())) % 5];
    SCOPED_TRACE(g.name + ", " + results + ", " + duplicates);
    const std::int64_t source = g.vertices() / 2;
    const auto want = serial_bfs(g, source);
    const auto found = search(g, source, "copy", false, {}, results, duplicates);
    ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, false));
    expect_delivered(found, results, machine_->size(), want);
  }
}

TEST_P(VectorQueue, LabelsGoToTheHostInEitherWidth) {
  const graph narrow = undirected("dense", 900, random_arcs(900, 5000, 3));
  const graph wide = undirected<vertex64>("wide", 900, random_arcs(900, 5000, 3));
  for (const graph* g : {&narrow, &wide}) {
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, *g));
    const auto want = serial_bfs(*g, 450);
    for (const char* results : {"serial", "slices", "overlapped"})
      for (const char* duplicates : {"vector", "sort-unique"}) {
        std::vector<std::int64_t> bytes;
        std::int64_t labels = results == std::string("overlapped") ? want.reached - 1 : 0;
        for (const int width : {4, 8}) {
          bfs_options options;
          options.engine = "vector_queue";
          options.results = results;
          options.duplicates = duplicates;
          options.label_bytes = width;
          SCOPED_TRACE(g->name + ", " + results + ", " + duplicates + ", " + std::to_string(width));
          const auto found = bfs_search(placed, options).run(450);
          ASSERT_NO_FATAL_FAILURE(expect_right(*g, found, want, false));
          bytes.push_back(found.messages[2].bytes);
          if (width == 4 && labels == 0)  // of all rows; else all finds but the source
            for (const auto& part : found.parts()) labels += part.rows;
        }
        if (placed->id_width() == 8) {
          EXPECT_EQ(bytes[0], bytes[1]);  // as wide as ids
        } else if (results == std::string("overlapped")) {
          EXPECT_GE(bytes[1] - bytes[0], 4 * labels);  // and what aligns them
        } else {
          EXPECT_EQ(bytes[1] - bytes[0], 4 * labels);
        }
      }
  }
}

TEST_P(VectorQueue, ResultsOnTheHostOutliveTheSearch) {
  const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  for (const char* results : {"serial", "slices", "overlapped"}) {
    bfs_options options;
    options.engine = "vector_queue";
    options.results = results;
    std::vector<bfs_result> kept;
    {
      bfs_search search(placed, options);
      for (const std::int64_t source : {0, 450, 899}) kept.push_back(search.run(source));
    }
    for (const auto& found : kept)
      ASSERT_NO_FATAL_FAILURE(expect_right(g, found, serial_bfs(g, found.source), false));
  }
}

/// Every rank's arena, full of what is no vertex.
void spoil(machine& m) {
  constexpr std::size_t words = 1 << 20;
  run_options options;
  options.arenas = {{.native = words * sizeof(std::int64_t), .host = 0}};
  m.run(
      [](rank& r) {
        const auto all = r.scratch<std::int64_t>(words, home::native);
        r.fill(all.data(), 0x5a, all.size_bytes());
        r.synchronize();
      },
      options);
}

// A GPU's stream runs on after a wait that failed, over an inbox that nothing has come to.
TEST_P(VectorQueue, StopsOverWhateverMemoryHolds) {
  const graph g = undirected("dense", 900, random_arcs(900, 1500, 3));
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  const auto want = serial_bfs(g, 450);
  for (const char* duplicates : {"vector", "sort-unique"}) {
    bfs_options options;
    options.engine = "vector_queue";
    options.duplicates = duplicates;
    for (double nanoseconds = 200; nanoseconds < 1e6; nanoseconds *= 1.3) {
      spoil(*machine_);
      options.run.deadline = std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
      try {
        bfs_search(placed, options).run(450);
      } catch (const rank_error& e) {
        EXPECT_TRUE(e.timed_out()) << e.what();
      }
    }
    options.run.deadline.reset();
    ASSERT_NO_FATAL_FAILURE(expect_right(g, bfs_search(placed, options).run(450), want, false));
  }
}

TEST_P(VectorQueue, RunsFromManySourcesWithRanksThatOwnNothing) {
  // Everything belongs to the first rank: the others' queues are empty in every level.
  const graph g = undirected("dense", 900, random_arcs(900, 5000, 3));
  place_options placing;
  placing.partition = "file";
  placing.part_of.assign(900, 0);
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
  for (const std::string& transport : transports()) {
    bfs_options options;
    options.engine = "vector_queue";
    options.transport = transport;
    bfs_search search(placed, options);
    for (std::int64_t source : {0, 17, 899, 0}) {
      const auto want = serial_bfs(g, source);
      const auto found = search.run(source);
      ASSERT_NO_FATAL_FAILURE(expect_right(g, found, want, false));
      expect_vector_queue_account(found, machine_->size(), want);
    }
  }
}

TEST_P(VectorQueue, RowsOfManyArcsAreShared) {
  // A hub whose row is cut over blocks or teams, beside rows for warps and for the scan.
  const std::int64_t n = 70000;
  arc_list edges;
  for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(0, v);
  for (std::int64_t v = 2; v < 900; ++v) edges.emplace_back(1, v);
  for (auto e : random_arcs(n, n, 8)) edges.push_back(e);
  const graph g = undirected("hub", n, edges);
  for (const std::string& transport : transports())
    for (const std::int64_t source : {std::int64_t{0}, n - 1})
      ASSERT_NO_FATAL_FAILURE(
          expect_right(g, search(g, source, transport), serial_bfs(g, source), false));
}

TEST_P(VectorQueue, TableOneOfPaperA) {
  for (const std::string& transport : transports()) {
    const auto found = search(paper_example(), 0, transport, true);
    const auto depths = found.depths();
    const auto parents = found.parents();
    EXPECT_EQ(std::vector(depths.begin(), depths.end()),
              (std::vector<std::int32_t>{0, 1, 1, 2, 1, 3, 2, 4}));
    EXPECT_EQ(std::vector(parents.begin(), parents.end()),
              (std::vector<std::int64_t>{0, 0, 0, 2, 0, 3, 1, 5}));
    std::vector<std::int64_t> frontiers;
    for (const auto& level : found.per_level) frontiers.push_back(level.frontier);
    EXPECT_EQ(frontiers, (std::vector<std::int64_t>{1, 3, 2, 1, 1}));
  }
}

TEST_P(VectorQueue, WorkMemoryDoesNotDependOnTheNumberOfArcs) {
  const auto bytes = [&](std::int64_t arcs, const std::string& purpose,
                         const std::string& duplicates = "vector") {
    bfs_options options;
    options.engine = "vector_queue";
    options.transport = transports().back();
    options.results = "overlapped";
    options.duplicates = duplicates;
    const graph g = undirected("dense", 6400, random_arcs(6400, arcs, 3));
    const auto placed = place(*machine_, g);
    const auto plan = bfs_search::plan(placed, options);
    std::int64_t sum = 0;
    for (const auto& e : plan.entries)
      if ((e.purpose == "slice by columns") == (purpose == "slice by columns")) sum += e.bytes;
    const auto before = bfs_search::plan(*machine_, g, {}, options);
    EXPECT_EQ(before.total(), placed.plan().total() + plan.total());
    return sum;
  };
  EXPECT_EQ(bytes(6400, "work"), bytes(64000, "work"));
  EXPECT_LT(bytes(6400, "work", "sort-unique") + 32 * 50000, bytes(64000, "work", "sort-unique"));
  // On several ranks the slice is there a second time, by columns.
  const std::int64_t p = machine_->size();
  EXPECT_EQ(bytes(64000, "slice by columns") > bytes(6400, "slice by columns"), p > 1);
}

TEST_P(VectorQueue, OneCopyOfTheAdjacencyIsEnough) {
  bfs_options options;
  options.engine = "vector_queue";
  options.deterministic = true;
  for (const bool symmetric : {true, false}) {
    const graph g = symmetric ? undirected("dense", 6400, random_arcs(6400, 64000, 3))
                              : from_arcs("directed", 6400, random_arcs(6400, 64000, 3), false);
    for (const char* partition : {"ranges", "hash"}) {
      SCOPED_TRACE(g.name + ", " + partition);
      place_options placing;
      placing.partition = partition;
      const std::int64_t rows = bfs_search::plan(*machine_, g, placing, options).total();
      placing.by_columns = true;
      const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
      EXPECT_EQ(placed->by_columns(), machine_->size() > 1);
      const auto plan = bfs_search::plan(*machine_, g, placing, options);
      EXPECT_EQ(plan.total(), placed->plan().total() + bfs_search::plan(*placed, options).total());
      std::int64_t columns = 0;
      for (const auto& e : plan.entries) {
        EXPECT_NE(e.purpose, "slice by columns");
        EXPECT_NE(e.purpose, "reversed graph");
        if (e.purpose == "columns") columns += e.bytes;
      }
      if (machine_->size() == 1) continue;
      // One entry an arc, on all ranks together.
      EXPECT_EQ(columns, g.arcs() * g.id_width());
      // Rows in the caller's order are the caller's on CPU ranks, and were no copy.
      const bool copied = !symmetric || (*machine_)[0].is_cuda() || placing.partition == "hash";
      EXPECT_LE(plan.total() + (copied ? columns : 0), rows);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bfs, VectorQueue, ::testing::ValuesIn(specs()),
                         testing_machines::spec_name<std::string>);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(VectorQueue);

}  // namespace
}  // namespace gossamer
