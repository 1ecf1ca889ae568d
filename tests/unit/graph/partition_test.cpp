// Partitioners and their quality against naive counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/partition.hpp"
#include "message_of.hpp"
#include "unit/graph/sample_graphs.hpp"

#ifdef GOSSAMER_TEST_METIS
#include <metis.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "graph/metis/child.hpp"
#endif

namespace gossamer {
namespace {

void check_quality(const graph& g, const partition& p) {
  const partition_quality q = evaluate(g, p);
  std::int64_t cut = 0;
  std::vector<std::set<std::int64_t>> halo(p.parts);
  std::vector<std::int64_t> vertices(p.parts, 0), arcs(p.parts, 0);
  for (const auto part : p.part_of) {
    ASSERT_GE(part, 0);
    ASSERT_LT(part, p.parts);
    ++vertices[part];
  }
  for (const auto& [u, v, w] : test::stored_arcs(g)) {
    ++arcs[p.part_of[u]];
    if (p.part_of[u] == p.part_of[v]) continue;
    ++cut;
    halo[p.part_of[u]].insert(v);
  }
  EXPECT_EQ(q.cut_arcs, cut);
  EXPECT_EQ(q.vertices, vertices);
  EXPECT_EQ(q.arcs, arcs);
  for (int i = 0; i < p.parts; ++i)
    EXPECT_EQ(q.halo[i], static_cast<std::int64_t>(halo[i].size())) << i;
}

TEST(Partition, QualityAgreesWithNaive) {
  for (const auto& s : test::samples()) {
    const graph g = test::build_sample(s);
    for (const int parts : {1, 2, 3, 8}) {
      for (const char* method : {"ranges", "edges", "hash"}) {
        SCOPED_TRACE(s.name + " " + method);
        check_quality(g, make_partition(g, method, parts));
      }
    }
  }
}

TEST(Partition, RangesAreBalanced) {
  const graph g = generate(parse_generator("kron:12"), {});
  const partition r = partition_ranges(g, 5), e = partition_edge_ranges(g, 5);
  EXPECT_LT(evaluate(g, r).vertex_balance, 1.01);
  // A range ends within one row of its goal.
  const auto q = evaluate(g, e);
  const auto total = (g.arcs() + g.vertices()) / 5;
  std::int64_t longest = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v) longest = std::max(longest, g.degree(v));
  for (int i = 0; i < 5; ++i) EXPECT_LE(std::abs(q.arcs[i] + q.vertices[i] - total), longest + 2);
  EXPECT_TRUE(std::is_sorted(e.bounds.begin(), e.bounds.end()));
}

TEST(Partition, HashDealsBlocks) {
  const graph g = generate(parse_generator("grid:100x100"), {});
  const partition p = partition_hash(g, 3, 4);
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    ASSERT_EQ(p.part_of[v], p.part_of[v & ~std::int64_t{15}]);
  EXPECT_LT(evaluate(g, p).vertex_balance, 1.02);
}

TEST(Partition, HashIsEvenAndKeepsBlocksWhole) {
  const graph g = generate(parse_generator("grid:100x100"), {});
  for (const int parts : {1, 2, 3, 7, 16}) {
    const partition p = partition_hash(g, parts);
    // Ownership is by blocks of 64 vertices wherever each part gets at least 8 of them.
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      ASSERT_EQ(p.part_of[v], p.part_of[v & ~std::int64_t{63}]);
    const auto q = evaluate(g, p);
    const auto [least, most] = std::minmax_element(q.vertices.begin(), q.vertices.end());
    EXPECT_LE(*most - *least, 2 * 64) << parts;  // one block, and the last one is not full
  }
  const graph tiny = generate(parse_generator("grid:10x10"), {});
  const auto q = evaluate(tiny, partition_hash(tiny, 5));
  for (const auto vertices : q.vertices) EXPECT_LE(std::abs(vertices - 20), 2);
  EXPECT_NE(partition_hash(g, 4, 6, 1).part_of, partition_hash(g, 4, 6, 2).part_of);
}

TEST(Partition, NamesAreThoseOfTheCommandLine) {
  const graph g = generate(parse_generator("grid:9x9"), {});
  EXPECT_EQ(message_of<usage_error>([&] { make_partition(g, "edge-ranges", 2); }),
            "partition 'edge-ranges' is not known (there are auto, ranges, edges, hash, metis)");
  for (const char* name : {"ranges", "edges", "hash"})
    EXPECT_EQ(make_partition(g, name, 2).method, name);
  EXPECT_EQ(make_partition(g, "auto", 2).method, "ranges");
}

TEST(Partition, StopsWhenAsked) {
  const graph g = generate(parse_generator("grid:600x600"), {});
  std::stop_source source;
  source.request_stop();
  for (const char* name : {"ranges", "edges", "hash", "metis"})
    EXPECT_EQ(message_of<cancelled_error>([&] { make_partition(g, name, 2, source.get_token()); }),
              "partition: stopped");
  EXPECT_EQ(
      message_of<cancelled_error>([&] { evaluate(g, partition_ranges(g, 2), source.get_token()); }),
      "partition: stopped");
}

TEST(Partition, GivenIsChecked) {
  const graph g = test::build_sample({"", 3, {{0, 1, 0}}});
  const std::vector<std::int32_t> good = {0, 2, 1}, negative = {0, -1, 1}, brief = {0};
  EXPECT_EQ(partition_given(g, good).parts, 3);
  const auto message = [&](const auto& parts, int count) {
    try {
      partition_given(g, parts, count);
    } catch (const usage_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(good, 2), "partition: vertex 1 is in part 2, outside 0..1");
  EXPECT_EQ(message(negative, 0), "partition: vertex 1 is in part -1, below 0");
  EXPECT_EQ(message(brief, 0), "partition: 1 entries for 3 vertices");
  EXPECT_THROW(partition_ranges(g, 0), usage_error);
  EXPECT_THROW(make_partition(g, "magic", 2), usage_error);
}

TEST(Partition, Metis) {
  const graph g = generate(parse_generator("grid:60x60"), {});
#ifdef GOSSAMER_TEST_METIS
  const partition p = partition_metis(g, 4);
  check_quality(g, p);
  const auto q = evaluate(g, p);
  EXPECT_LT(q.vertex_balance, 1.05);
  EXPECT_LT(q.cut_arcs, evaluate(g, partition_hash(g, 4)).cut_arcs / 10);
  EXPECT_EQ(partition_metis(g, 4).part_of, p.part_of);
  // In a process of its own, since a stop might come: the same partition.
  const std::stop_source source;
  EXPECT_EQ(partition_metis(g, 4, 1, source.get_token()).part_of, p.part_of);
  // METIS itself leaves vertices together then, and warns on stdout, which may be a report.
  for (const int parts : {3, 4, 48}) {
    const graph few = generate(parse_generator("grid:3x1"), {});
    const partition each = partition_metis(few, parts, 1, source.get_token());
    EXPECT_EQ(each.part_of, (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(each.parts, parts);
  }
  testing::internal::CaptureStdout();
  detail::run_in_child(
      source.get_token(), "test", 8,
      [](void*) {
        std::puts("a warning");
        std::fflush(stdout);
        return 3;
      },
      [](int code, const void*) { EXPECT_EQ(code, 3); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
#else
  try {
    partition_metis(g, 4);
    FAIL();
  } catch (const not_compiled& e) {
    EXPECT_NE(std::string(e.what()).find("-DGOSSAMER_METIS=ON"), std::string::npos);
  }
#endif
}

#ifdef GOSSAMER_TEST_METIS
TEST(Partition, MetisRefusesWhatExceedsItsIntegers) {
  if (sizeof(idx_t) > 4) GTEST_SKIP() << "METIS has 64-bit integers here";
  // Sizes are looked at before any row is: arcs that are promised, but not there.
  graph g;
  g.offsets = shared_array<edge_offset>(3);
  g.offsets[0] = 0;
  g.offsets[1] = g.offsets[2] = std::int64_t{1} << 31;
  EXPECT_EQ(
      message_of<capacity_error>([&] { partition_metis(g, 2); }),
      "METIS has 32-bit integers here; 2 vertices with 2147483648 arcs do not fit (use edges, "
      "or a METIS with 64-bit idx_t)");
}

std::stop_source timed_stop(std::thread& timer, std::chrono::milliseconds after) {
  std::stop_source source;
  timer = std::thread([source, after]() mutable {
    std::this_thread::sleep_for(after);
    source.request_stop();
  });
  return source;
}

TEST(Partition, AStopEndsForeignWorkAndItsProcess) {
  std::thread timer;
  const std::stop_source source = timed_stop(timer, std::chrono::milliseconds(50));
  bool taken = false;
  EXPECT_EQ(message_of<cancelled_error>([&] {
              detail::run_in_child(
                  source.get_token(), "forever", 8,
                  [](void*) -> int {
                    for (;;) ::pause();
                  },
                  [&](int, const void*) { taken = true; });
            }),
            "forever: stopped");
  timer.join();
  EXPECT_FALSE(taken);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

TEST(Partition, ForeignWorkHandsBackItsAnswer) {
  for (const bool apart : {false, true}) {
    const std::stop_source source;
    int code = 0;
    std::int64_t answer = 0;
    detail::run_in_child(
        apart ? source.get_token() : std::stop_token(), "work", 8,
        [](void* result) {
          *static_cast<std::int64_t*>(result) = 42;
          return 7;
        },
        [&](int c, const void* result) {
          code = c;
          answer = *static_cast<const std::int64_t*>(result);
        });
    EXPECT_EQ(code, 7);
    EXPECT_EQ(answer, 42);
  }
  const std::stop_source source;
  EXPECT_EQ(message_of<capacity_error>([&] {
              detail::run_in_child(
                  source.get_token(), "work", 8, [](void*) { return ::raise(SIGKILL); },
                  [](int, const void*) {});
            }),
            "work: its process was killed; it probably ran out of memory");
}
#endif

}  // namespace
}  // namespace gossamer
