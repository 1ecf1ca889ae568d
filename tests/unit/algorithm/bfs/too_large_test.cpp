// Networks that one GPU has no room for: refused there with nothing taken, planned and placed on
// two, and searched on two by default. The GPUs are those of tests/fake_gpu, with 1 GiB each: no
// search runs.
#include <gtest/gtest.h>

#include "fake_gpu/memory.hpp"
#include "gossamer/algorithm/bfs_ranks.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/memory.hpp"
#include "message_of.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer {
namespace {

class TooLarge : public ::testing::Test {
 protected:
  const testing::scoped_variable peers_{"GOSSAMER_TEST_PEERS", "on"};

  static graph_shape network(std::int64_t vertices, certainty arcs_are = certainty::exact) {
    graph_shape g;
    g.vertices = vertices;
    g.arcs = 5 * vertices / 2;
    g.arcs_are = arcs_are;
    g.longest_row = 4;
    g.symmetric = true;
    return g;
  }
};

place_options all_there() {
  place_options how;
  how.spill = spilling::none;
  return how;
}

TEST_F(TooLarge, OneRefusesWhatTwoTake) {
  const machine one = machine::open("cuda:0"), two = machine::open("cuda:0-1");
  const graph_shape g = network(30'000'000);
  const auto text =
      message_of<capacity_error>([&] { bfs_search::plan(one, g, all_there(), {}).check(); });
  expect_contains(text, "memory plan");
  expect_contains(text, "columns");
  EXPECT_NO_THROW(bfs_search::plan(two, g, {}, {}).check());
}

TEST_F(TooLarge, TwoSearchItUnasked) {
  const machine one = machine::open("cuda:0"), two = machine::open("cuda:0-1");
  const graph_shape g = network(30'000'000);
  const auto chosen = choose_bfs_ranks(two, g);
  EXPECT_EQ(chosen.spec, "cuda:0-1");
  const auto plan = bfs_search::plan(one, g, all_there(), {});
  EXPECT_EQ(chosen.reason, "all 2 ranks: cuda:0 alone would need " +
                               configuration::format_bytes(plan.of(0)) + " of its " +
                               configuration::format_bytes(plan.limit[0]));
  EXPECT_EQ(chosen.provided, "");
  EXPECT_EQ(choose_bfs_ranks(two, network(30'000'000, certainty::at_most)).provided,
            "it has as many arcs as are planned for");
}

TEST_F(TooLarge, RowsSpillWhereTheirVerticesHaveRoom) {
  const machine one = machine::open("cuda:0");
  graph_shape g = network(15'000'000);
  g.arcs = 20 * g.vertices;
  EXPECT_THROW(bfs_search::plan(one, g, all_there(), {}).check(), capacity_error);
  const memory_plan plan = bfs_search::plan(one, g, {}, {});
  EXPECT_NO_THROW(plan.check());
  EXPECT_GT(plan.spilled(), std::int64_t{4} * g.arcs / 2);
  expect_contains(plan.text(), "columns in host memory (pinned)");
  place_options limited;
  limited.memory = one[0].memory;
  EXPECT_THROW(bfs_search::plan(one, g, limited, {}).check(), capacity_error) << "as it was asked";
}

TEST_F(TooLarge, OneSearchesWhatItHasRoomFor) {
  const machine two = machine::open("cuda:0-1");
  const auto chosen = choose_bfs_ranks(two, network(1'000'000));
  EXPECT_EQ(chosen.spec, "cuda:0");
  EXPECT_EQ(chosen.reason,
            "1 of 2 ranks: to agree takes several longer than one takes to search 2500000 arcs");
}

TEST_F(TooLarge, ALimitThatIsAskedForCounts) {
  const machine one = machine::open("cuda:0"), two = machine::open("cuda:0-1");
  const graph g = generate(parse_generator("road:300"));
  place_options placing;
  EXPECT_EQ(choose_bfs_ranks(two, g, placing).spec, "cuda:0");
  placing.memory = bfs_search::plan(one, g, placing, {}).of(0) - 1;
  EXPECT_EQ(choose_bfs_ranks(two, g, placing).spec, "cuda:0-1");
  // What a search takes beside the graph counts as well: exactly enough for all is enough.
  ++placing.memory;
  EXPECT_EQ(choose_bfs_ranks(two, g, placing).spec, "cuda:0");
  bfs_options options;
  options.deterministic = true;
  placing.memory = plan_placement(one, g, placing).of(0) + 1;
  EXPECT_EQ(choose_bfs_ranks(two, g, placing, options).spec, "cuda:0-1");
}

TEST_F(TooLarge, PlacedOnTwoAndRefusedByOneWhichThenHoldsNothing) {
  machine one = machine::open("cuda:0"), two = machine::open("cuda:0-1");
  const graph g = generate(parse_generator("road:300"));
  place_options placing;
  placing.memory = plan_placement(one, g, placing).of(0) - 1;
  const std::size_t before = fake_gpu::held();
  const auto text = message_of<capacity_error>([&] { place(one, g, placing); });
  expect_contains(text, "memory plan");
  EXPECT_EQ(fake_gpu::held(), before);
  {
    const auto halves = place(two, g, placing);
    EXPECT_EQ(halves.arcs(), g.arcs());
    EXPECT_GT(fake_gpu::held(), before + static_cast<std::size_t>(4 * g.arcs()));
  }
  EXPECT_EQ(fake_gpu::held(), before);
}

TEST_F(TooLarge, ColumnsAreOnGpusWhatTheyAreOnTheHost) {
  machine gpus = machine::open("cuda:0-1"), cpus = machine::open("cpu:2x1");
  for (const char* spec : {"kron:10", "uniform:10"}) {
    const graph g = generate(parse_generator(spec));
    for (const char* partition : {"ranges", "hash"}) {
      SCOPED_TRACE(g.name + ", " + partition);
      place_options placing;
      placing.partition = partition;
      placing.by_columns = true;
      const std::size_t before = fake_gpu::held();
      const auto there = place(gpus, g, placing), here = place(cpus, g, placing);
      std::int64_t planned = 0;
      for (int r = 0; r < 2; ++r) {
        planned += there.plan().of(r);
        const auto &copy = there.column_slice<vertex32>(r), &own = here.column_slice<vertex32>(r);
        ASSERT_EQ(copy.arcs, own.arcs);
        const auto n = static_cast<std::size_t>(there.owners().placed()) + 1;
        std::vector<edge_offset> offsets(n);
        std::vector<vertex32> ends(static_cast<std::size_t>(copy.arcs));
        copy_bytes(offsets.data(), copy.offsets, n * sizeof(edge_offset));
        copy_bytes(ends.data(), copy.ends, ends.size() * sizeof(vertex32));
        EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), own.offsets));
        EXPECT_TRUE(std::equal(ends.begin(), ends.end(), own.ends));
      }
      EXPECT_EQ(fake_gpu::held() - before, static_cast<std::size_t>(planned));
      placing.by_columns = false;
      const memory_plan rows = plan_placement(gpus, g, placing);
      EXPECT_LE(planned - rows.of(0) - rows.of(1), 8 * there.owners().placed() + 8);
    }
  }
}

}  // namespace
}  // namespace gossamer
