// Rows as GPUs take them when steps are sent: each in its place, or in chunks.
#include "algorithm/vertex_steps/row_order.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gossamer {
namespace {

using namespace steps_detail;

/// Offsets of rows from 0 to 20,000 arcs, most of them short; they begin in the middle of a graph.
std::vector<edge_offset> drawn_offsets(unsigned seed, int rows) {
  std::mt19937 random(seed);
  std::vector<edge_offset> offsets{1000};
  for (int v = 0; v < rows; ++v) {
    const int longest = 1 << (random() % 15);
    offsets.push_back(offsets.back() + static_cast<edge_offset>(random() % (longest + 1)));
  }
  return offsets;
}

TEST(RowOrder, EveryRowThatIsNotSplitHasItsPlace) {
  for (const bool by_length : {false, true})
    for (const int rows : {0, 1, 500}) {
      const auto offsets = drawn_offsets(7, rows);
      const placed_rows found = place_rows(offsets, by_length);
      std::vector<int> seen(static_cast<std::size_t>(rows));
      std::int64_t before = shortest_split[for_gathers];
      std::size_t c = 0;
      for (std::size_t i = 0; i < found.places.size(); ++i) {
        const row_place& at = found.places[i];
        const auto v = static_cast<std::size_t>(at.row);
        ++seen.at(v);
        ASSERT_EQ(at.begin, offsets[v] - offsets[0]);
        ASSERT_EQ(at.length, offsets[v + 1] - offsets[v]);
        while (static_cast<std::int64_t>(i) >= found.class_end[c]) ++c;
        ASSERT_GE(at.length, shortest_of_class[c]);
        if (c > 0) {
          ASSERT_LT(at.length, shortest_of_class[c - 1]);
        }
        if (by_length) {
          ASSERT_LE(at.length, before);
        }
        before = at.length;
      }
      EXPECT_EQ(found.class_end.back(), static_cast<std::int64_t>(found.places.size()));
      for (std::size_t v = 0; v < seen.size(); ++v)
        ASSERT_EQ(seen[v], offsets[v + 1] - offsets[v] < shortest_split[for_gathers] ? 1 : 0);
    }
}

TEST(RowOrder, ChunksCoverRowsThatAreSplit) {
  const auto offsets = drawn_offsets(8, 400);
  for (const int use : {for_pushes, for_gathers}) {
    const auto chunks = cut_rows(offsets, shortest_split[use], chunk_arcs[use]);
    std::vector<std::int64_t> covered(offsets.size() - 1);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const row_chunk& c = chunks[i];
      const auto v = static_cast<std::size_t>(c.row);
      ASSERT_EQ(c.begin, offsets[v] - offsets[0] + covered[v]);
      ASSERT_TRUE(c.count > 0 && c.count <= chunk_arcs[use]);
      ASSERT_EQ(chunks[static_cast<std::size_t>(c.first)].row, c.row);
      ASSERT_TRUE(static_cast<int>(i) >= c.first && static_cast<int>(i) < c.first + c.of);
      covered[v] += c.count;
    }
    for (std::size_t v = 0; v < covered.size(); ++v) {
      const std::int64_t length = offsets[v + 1] - offsets[v];
      ASSERT_EQ(covered[v], length >= shortest_split[use] ? length : 0);
    }
    EXPECT_FALSE(chunks.empty());
  }
}

}  // namespace
}  // namespace gossamer
