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
/// Top-down as `sync` does, but that everybody knows the source and nobody posts it; bottom-up a
/// rank tells the source's bits too, and the bits of a level when it has found them, so also that
/// there are none. In narrow levels each block of a cluster, of 16 at most, sends for itself.
TEST_P(BfsAccounts, OneKernelSendsAsMuch) {
  if (GetParam().find("cpu") != std::string::npos) GTEST_SKIP() << "GPUs alone";
  const graph g = dense();
  const auto placed = std::make_shared<const placed_graph>(place(*machine_, g));
  const std::int64_t p = machine_->size();
  const reference want = serial_bfs(g, 0);
  for (const auto direction : {bfs_direction::top_down, bfs_direction::bottom_up}) {
    bfs_options options;
    options.engine = "single_kernel";
    options.direction = direction;
    const bfs_result found = bfs_search(placed, options).run(0);
    account out = top_down_account(*placed, want);
    out.bytes -= (p - 1) * (4 + placed->id_width());
    if (direction == bfs_direction::bottom_up)
      out = {(want.levels + 1) * p * (p - 1),
             (want.levels + 1) * (p - 1) * placed->owners().placed() / 8};
    EXPECT_GE(found.messages[1].messages, out.messages);
    EXPECT_LE(found.messages[1].messages,
              direction == bfs_direction::bottom_up ? out.messages : 16 * out.messages);
    EXPECT_EQ(found.messages[1].bytes, out.bytes);
    EXPECT_EQ(found.messages[1].rounds, p > 1 ? want.levels : 0);
    EXPECT_EQ(found.messages[0].bytes, 8 * found.messages[0].messages);
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(Bfs, BfsAccounts, ::testing::ValuesIn(machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
