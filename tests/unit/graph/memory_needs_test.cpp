// Work on graphs against its memory limit: refused before it starts, in words; not refused when it
// fits.
#include "gossamer/graph/memory_needs.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/partition.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

graph grid() {
  return generate(parse_generator("grid:100x100"), {});
}

TEST(MemoryNeeds, AreRefusedInWordsThatNameGraphWorkAndLimit) {
  graph g = grid();
  // 10001 offsets and 39600 columns are there; then 8 bytes an arc while sorting, and a copy.
  EXPECT_EQ(held_bytes(g), 10001 * 8 + 39600 * 4);
  build_options o;
  o.memory = 1 << 10;
  EXPECT_EQ(message_of<capacity_error>([&] { rebuild(g, o); }),
            "grid:100x100 does not fit: 10000 vertices, 39600 arcs; rebuilding takes up to "
            "542.2 KiB beside the graph's 232.8 KiB; the limit is 1.0 KiB (--memory)");
  g.mapped = true;  // as a mapped file: its pages can be dropped
  EXPECT_EQ(held_bytes(g), 0);
  EXPECT_NE(message_of<capacity_error>([&] { rebuild(g, o); }).find("beside the graph's 0 B"),
            std::string::npos);
}

TEST(MemoryNeeds, TheLimitIsThatOfGraphAndWorkTogether) {
  const graph g = grid();
  const graph_sizes sizes = graph_sizes::of(g);
  const std::int64_t held = held_bytes(g);
  statistics_options counted, all;
  all.triangles = true;
  const std::pair<std::int64_t, std::function<void(std::int64_t)>> works[] = {
      {rebuild_bytes(sizes, {}),
       [&](std::int64_t limit) {
         build_options o;
         o.memory = limit;
         rebuild(g, o);
       }},
      {16 * g.vertices(), [&](std::int64_t limit) { largest_component(g, 1, {}, limit); }},
      {statistics_bytes(sizes, counted),
       [&](std::int64_t limit) {
         counted.memory = limit;
         statistics(g, counted);
       }},
      {statistics_bytes(sizes, all),
       [&](std::int64_t limit) {
         all.memory = limit;
         statistics(g, all);
       }},
      {partition_bytes(sizes, "hash"),
       [&](std::int64_t limit) { make_partition(g, "hash", 4, {}, limit); }},
      {quality_bytes(sizes),
       [&](std::int64_t limit) { evaluate(g, partition_ranges(g, 4), {}, limit); }},
#ifdef GOSSAMER_TEST_METIS
      {partition_bytes(sizes, "metis"),
       [&](std::int64_t limit) { make_partition(g, "metis", 4, {}, limit); }},
#endif
  };
  int i = 0;
  for (const auto& [bytes, work] : works) {
    SCOPED_TRACE(i++);
    EXPECT_EQ(message_of<capacity_error>([&] { work(held + bytes); }), "nothing was thrown");
    EXPECT_NE(message_of<capacity_error>([&] {
                work(held + bytes - 1);
              }).find("grid:100x100 does not fit"),
              std::string::npos);
  }
}

TEST(MemoryNeeds, CopiesOfComponentsAreCountedOnlyWhenThereIsMoreThanOne) {
  const graph g = generate(parse_generator("road:60"), {});
  const std::int64_t held = held_bytes(g), need = component_bytes(graph_sizes::of(g));
  EXPECT_EQ(message_of<capacity_error>([&] { largest_component(g, 1, {}, held + need); }),
            "nothing was thrown");
  EXPECT_NE(message_of<capacity_error>([&] {
              largest_component(g, 1, {}, held + need - 1);
            }).find("keeping the largest component takes up to"),
            std::string::npos);
}

TEST(MemoryNeeds, MirroredArcsAndWeightsCount) {
  graph_sizes g{100, 1000, 4, 4};
  build_options o;
  EXPECT_EQ(rebuild_bytes(g, o), 12 * 1000 + 101 * 8 + 8 * 1000);
  o.symmetrize = true;
  EXPECT_EQ(rebuild_bytes(g, o), 12 * 2000 + 101 * 8 + 8 * 2000);
  g.symmetric = true;
  EXPECT_EQ(rebuild_bytes(g, o), 12 * 1000 + 101 * 8 + 8 * 1000);
  // Keys of 16 bytes take more than columns and doubles of 12.
  g.weight_bytes = 8;
  EXPECT_EQ(rebuild_bytes(g, o), 20 * 1000 + 101 * 8 + 16 * 1000);
  g = {std::int64_t{1} << 62, std::int64_t{1} << 62, 8, 8};
  EXPECT_EQ(rebuild_bytes(g, o), std::numeric_limits<std::int64_t>::max()) << "saturates";
}

TEST(MemoryNeeds, BuildingTakesTheMostOfItsSteps) {
  const graph_sizes g{100, 1000, 4, 0};
  EXPECT_EQ(build_bytes(g, 8 * 1000, {}), 8 * 1000 + 8 * 1000) << "the list and its partition";
  EXPECT_EQ(build_bytes(g, 0, {}), rebuild_bytes(g, {})) << "the partition and the graph";
  const graph_sizes wide{1000000, 1, 4, 0};
  EXPECT_EQ(build_bytes(wide, 8, {}), 1000001 * 8 + 4 + 1000000 * 8) << "cursors of symmetry";
}

}  // namespace
}  // namespace gossamer
