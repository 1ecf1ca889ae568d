// What a search has to have sent, worked out from the graph, the placement and a serial search's
// depths alone, and compared with what it says. For ranks of every kind.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <tuple>

#include "gossamer/algorithm/bfs.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::testing_graphs {

/// Vertices divide evenly over 1, 2, 3, 4 and 8 ranks in blocks of 64.
template <class Id = vertex32>
graph dense() {
  constexpr std::int64_t n = 4608;
  return undirected<Id>("dense", n, random_arcs(n, 8 * n, 3));
}

/// Messages with content and their bytes, all ranks together.
struct account {
  std::int64_t messages = 0, bytes = 0;
};

/// Engine `sync`, top-down: a rank sends each vertex of another's once, with a parent, in the first
/// level in which its own lead there; what it has for one rank is one message.
inline account top_down_account(const placed_graph& placed, const reference& want) {
  const graph& g = placed.source();
  const auto owner = [&](std::int64_t v) { return placed.owners().owner(placed.placed_id(v)); };
  constexpr auto never = std::numeric_limits<std::int32_t>::max();
  const auto n = static_cast<std::size_t>(g.vertices());
  account all;
  std::set<std::tuple<std::int32_t, int, int>> messages;  // level, from, to
  for (int rank = 0; rank < placed.owners().ranks(); ++rank) {
    std::vector<std::int32_t> leads(n, never);  // the level in which the rank's vertices do
    g.visit([&](const auto& view) {
      for (std::int64_t u = 0; u < g.vertices(); ++u) {
        if (want.depths[u] < 0 || owner(u) != rank) continue;
        for (const std::int64_t v : view.row(u)) leads[v] = std::min(leads[v], want.depths[u]);
      }
    });
    for (std::int64_t v = 0; v < g.vertices(); ++v) {
      if (leads[v] == never || owner(v) == rank) continue;
      messages.emplace(leads[v], rank, owner(v));
      all.bytes += 4 + placed.id_width();
    }
  }
  all.messages = static_cast<std::int64_t>(messages.size());
  return all;
}

/// Bottom-up: in every level each rank tells all others a bit for each of its vertices, in one
/// message where it owns one range.
inline account bottom_up_account(const placed_graph& placed, const reference& want) {
  const std::int64_t p = placed.owners().ranks();
  return {want.levels * p * (p - 1), want.levels * (p - 1) * placed.owners().placed() / 8};
}

/// Kinds, agreement and rounds, which are the same in both directions; `out` is as given.
inline void expect_account(const bfs_result& found, const machine& m, const reference& want,
                           const account& out) {
  ASSERT_EQ(found.messages.size(), 3u);
  const auto& [flag, sent, tree] =
      std::tie(found.messages[0], found.messages[1], found.messages[2]);
  const std::int64_t p = m.size(), rounds = p > 1 ? want.levels : 0;
  EXPECT_EQ(sent.kind, "out");
  EXPECT_EQ(sent.rounds, rounds);
  EXPECT_EQ(sent.messages, out.messages);
  EXPECT_EQ(sent.bytes, out.bytes);
  EXPECT_EQ(sent.seconds > 0, p > 1);
  // Before the first level and after each: two sums of 8 bytes. Modelled systems may send them in
  // an order of their own, and so in other numbers.
  EXPECT_EQ(flag.kind, "flag");
  EXPECT_EQ(flag.rounds, p > 1 ? rounds + 1 : 0);
  if (m[0].model == nullptr) {
    EXPECT_EQ(flag.messages, 2 * flag.rounds * p * (p - 1));
  }
  EXPECT_EQ(flag.bytes, 8 * flag.messages);
  EXPECT_EQ(tree.kind, "tree");
  EXPECT_EQ(tree.messages, 0);
  EXPECT_EQ(tree.bytes, 0);
}

/// Engine `published` on dense(): paper B's formulas.
inline void expect_published_account(const bfs_result& found, std::int64_t p) {
  const std::int64_t n = dense().vertices();
  ASSERT_EQ(found.messages.size(), 3u);
  const auto& flag = found.messages[0];
  const auto& out = found.messages[1];
  const auto& tree = found.messages[2];
  EXPECT_EQ(flag.kind, "flag");
  EXPECT_EQ(out.kind, "out");
  EXPECT_EQ(tree.kind, "tree");
  // Every level: 4 N / p bytes from each to each, and one agreement on 4 bytes.
  const std::int64_t rounds = p > 1 ? found.levels : 0;
  EXPECT_EQ(out.rounds, rounds);
  EXPECT_EQ(out.messages, rounds * p * (p - 1));
  EXPECT_EQ(out.bytes, out.messages * (4 * n / p));
  EXPECT_EQ(flag.rounds, rounds);
  EXPECT_EQ(flag.messages > 0, p > 1);
  EXPECT_EQ(flag.bytes, 4 * flag.messages);
  // Once, from all but the one who keeps it: 8 N / p bytes.
  EXPECT_EQ(tree.rounds, p > 1 ? 1 : 0);
  EXPECT_EQ(tree.messages, p - 1);
  EXPECT_EQ(tree.bytes, tree.messages * (8 * n / p));
}

}  // namespace gossamer::testing_graphs
