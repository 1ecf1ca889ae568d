// Offsets in 4 bytes a row are those that went in, whatever their size.
#include "algorithm/sssp/sync/row_offsets.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gossamer::algorithm_detail {
namespace {

void expect_same(const std::vector<edge_offset>& offsets) {
  const row_offsets packed(offsets);
  for (std::size_t v = 0; v < offsets.size(); ++v)
    ASSERT_EQ(packed[static_cast<std::int64_t>(v)], offsets[v]) << v;
}

TEST(RowOffsets, AreTheOnesThatWentIn) {
  for (const std::size_t rows : {0, 1, 4095, 4096, 4097, 20000}) {
    std::mt19937_64 random(rows);
    std::vector<edge_offset> offsets{0};
    for (std::size_t v = 0; v < rows; ++v)
      offsets.push_back(offsets.back() + static_cast<edge_offset>(random() % 9));
    expect_same(offsets);
  }
}

TEST(RowOffsets, CountMoreArcsThan32BitsInABlock) {
  constexpr edge_offset many = edge_offset{1} << 32;
  std::vector<edge_offset> offsets{0};
  for (std::size_t v = 0; v < 10000; ++v)
    offsets.push_back(offsets.back() + (v % 1000 == 7 ? many : 3));
  expect_same(offsets);
  for (edge_offset& at : offsets) at *= 4097;  // no two rows in a block
  expect_same(offsets);
  expect_same({0, many - 1, many, 3 * many});
}

}  // namespace
}  // namespace gossamer::algorithm_detail
