// What engine vector_queue has to have sent, from a serial search alone: every rank receives every
// other's queue, 8 bytes a vertex, once.
#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/bfs.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::testing_graphs {

inline void expect_vector_queue_account(const bfs_result& found, std::int64_t p,
                                        const reference& want) {
  ASSERT_EQ(found.messages.size(), 3u);
  const auto& flag = found.messages[0];
  const auto& out = found.messages[1];
  const auto& tree = found.messages[2];
  // Sizes of queues before each level and at the end, 8 bytes from each to each.
  EXPECT_EQ(flag.rounds, p > 1 ? want.levels + 1 : 0);
  EXPECT_EQ(flag.messages, flag.rounds * p * (p - 1));
  EXPECT_EQ(flag.bytes, 8 * flag.messages);
  EXPECT_EQ(out.rounds, p > 1 ? want.levels : 0);
  EXPECT_EQ(out.bytes, 8 * (p - 1) * want.reached);
  EXPECT_LE(out.messages, out.rounds * p * (p - 1));
  EXPECT_EQ(out.messages > 0, p > 1);
  EXPECT_EQ(tree.messages, 0);

  if (p == 1) {
    EXPECT_TRUE(found.overlap.empty());
    return;
  }
  ASSERT_EQ(found.overlap.size(), want.frontiers.size());
  for (std::size_t l = 0; l < found.overlap.size(); ++l) {
    const auto& level = found.overlap[l];
    // In every stage every queue goes to one rank.
    EXPECT_EQ(level.bytes_per_stage,
              std::vector<std::int64_t>(static_cast<std::size_t>(p - 1), 8 * want.frontiers[l]));
    EXPECT_GE(level.copy_seconds, 0);
    EXPECT_GE(level.idle_seconds, 0);
    EXPECT_EQ(level.throughput > 0, level.copy_seconds > 0);
    if (level.copy_seconds > 0) {
      EXPECT_GE(level.hidden(), 0);
      EXPECT_LE(level.hidden(), 1);
    }
  }
}

}  // namespace gossamer::testing_graphs
