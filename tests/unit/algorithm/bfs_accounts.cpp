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

INSTANTIATE_TEST_SUITE_P(Bfs, BfsAccounts, ::testing::ValuesIn(machine_specs()),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
