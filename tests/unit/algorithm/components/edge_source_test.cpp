// Edges that a host packs by several threads: each of a graph's once, whatever the packets.
#include "algorithm/components/routed/edge_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class Id>
pairs packed(const csr_view<Id>& rows, bool symmetric, int threads, std::size_t room) {
  components_detail::edge_source<Id> source(rows, symmetric, threads);
  std::vector<components_detail::edge<Id>> packet(room);
  pairs found;
  // A stream that stood still would go on for ever.
  for (std::int64_t turns = 0; !source.empty(); ++turns) {
    if (turns > rows.vertices() + static_cast<std::int64_t>(rows.indices.size()) + threads)
      return {};
    const auto made = source.fill(packet);
    EXPECT_LE(made, room);
    for (std::size_t i = 0; i < made; ++i) found.emplace_back(packet[i].u, packet[i].v);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(edge_source, packs_each_edge_once) {
  for (int number = 0; number < 200; number += 7) {
    const graph g = testing_graphs::many_graphs(number);
    SCOPED_TRACE(g.name);
    g.visit([&](const auto& rows) {
      pairs want;
      for (std::int64_t v = 0; v < g.vertices(); ++v)
        for (const std::int64_t u : rows.row(v))
          if (g.symmetric ? u < v : u != v) want.emplace_back(v, u);
      std::sort(want.begin(), want.end());
      for (const int threads : {1, 2, 3, 8})
        for (const std::size_t room : {1u, 2u, 7u, 9u, 1000u})
          EXPECT_EQ(packed(rows, g.symmetric, threads, room), want) << threads << " " << room;
    });
  }
}

}  // namespace
}  // namespace gossamer
