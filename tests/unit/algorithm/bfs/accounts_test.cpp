// What engine `sync` says it sent, against what follows from graph and placement: the same on every
// kind of machine, whichever engine runs on a rank.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs.
#include <gtest/gtest.h>

#include "on_machine.hpp"
#include "unit/algorithm/message_accounts.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

using testing_machines::machine_specs;

class BfsAccounts : public testing_machines::OnMachine {
 protected:
  void check(const graph& g, bfs_direction direction, const place_options& placing = {}) {
    const auto placed = std::make_shared<const placed_graph>(place(*machine_, g, placing));
    bfs_options options;
    options.engine = "sync";
    options.direction = direction;
    bfs_search search(placed, options);
    for (const std::int64_t source : {std::int64_t{0}, g.vertices() / 2}) {
      const auto want = serial_bfs(g, source);
      expect_account(search.run(source), *machine_, want,
                     direction == bfs_direction::top_down ? top_down_account(*placed, want)
                                                          : bottom_up_account(*placed, want));
    }
  }
};

TEST_P(BfsAccounts, TopDownSendsEachVertexOnce) {
  check(dense(), bfs_direction::top_down);
  check(undirected("sparse", 1500, random_arcs(1500, 1600, 9)), bfs_direction::top_down);
  place_options scattered;
  scattered.partition = "hash";
  scattered.renumber = "degree";
  check(dense(), bfs_direction::top_down, scattered);
}

TEST_P(BfsAccounts, BottomUpSendsABitAVertex) {
  check(dense(), bfs_direction::bottom_up);
}

#ifdef GOSSAMER_TEST_GPU
/// Rows of more than 64 arcs, which no level of engine `single_kernel` takes the narrow way.
graph denser() {
  constexpr std::int64_t n = 4608;
  return undirected("denser", n, random_arcs(n, 80 * n, 3));
}

/// What engine `sync` sends top-down, but for the source, which everybody knows.
account without_source(account out, const placed_graph& placed) {
  out.bytes -= (placed.owners().ranks() - 1) * (4 + placed.id_width());
  return out;
}

bfs_result by_one_kernel(std::shared_ptr<const placed_graph> placed, bfs_direction direction) {
  bfs_options options;
  options.engine = "single_kernel";
  options.direction = direction;
  return bfs_search(std::move(placed), options).run(0);
}

/// Bottom-up a rank tells the source's bits too, and the bits of a level when it has found them, so
/// also that there are none; once more where rows were put off.
TEST_P(BfsAccounts, OneKernelSendsAsMuch) {
  if (GetParam().find("cpu") != std::string::npos) GTEST_SKIP() << "GPUs alone";
  const graph g = denser();
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  const std::int64_t p = machine_->size();
  const reference want = serial_bfs(g, 0);
  for (const auto direction : {bfs_direction::top_down, bfs_direction::bottom_up}) {
    const bfs_result found = by_one_kernel(placed, direction);
    account out = without_source(top_down_account(*placed, want), *placed);
    if (direction == bfs_direction::bottom_up) {
      const std::int64_t least = want.levels + 1, told = found.messages[1].messages,
                         all = std::max<std::int64_t>(1, p * (p - 1));
      EXPECT_TRUE(told % all == 0 && told / all <= 2 * least) << told;
      const std::int64_t times = std::max(least, told / all);
      out = {times * p * (p - 1), times * (p - 1) * placed->owners().placed() / 8};
    }
    EXPECT_EQ(found.messages[1].messages, out.messages);
    EXPECT_EQ(found.messages[1].bytes, out.bytes);
    EXPECT_EQ(found.messages[1].rounds, p > 1 ? want.levels : 0);
    EXPECT_EQ(found.messages[0].bytes, 8 * found.messages[0].messages);
  }
}

/// Where blocks send for themselves, and nobody tells a vertex of the one it was found from.
TEST_P(BfsAccounts, NarrowLevelsSendNoMoreBytes) {
  if (GetParam().find("cpu") != std::string::npos) GTEST_SKIP() << "GPUs alone";
  const graph g = dense();
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  const std::int64_t p = machine_->size();
  const reference want = serial_bfs(g, 0);
  const bfs_result found = by_one_kernel(placed, bfs_direction::top_down);
  const account out = without_source(top_down_account(*placed, want), *placed);
  EXPECT_LE(found.messages[1].bytes, out.bytes);
  EXPECT_EQ(found.messages[1].bytes > 0, p > 1);
  EXPECT_EQ(found.messages[1].rounds, p > 1 ? want.levels : 0);
  EXPECT_EQ(found.messages[0].bytes, 8 * found.messages[0].messages);
}
#endif

INSTANTIATE_TEST_SUITE_P(Bfs, BfsAccounts, ::testing::ValuesIn(machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
