// Rows in slices: the same products as in CRS, padding that changes nothing, and when it is done.
#include "algorithm/cg/sliced.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gossamer::cg_detail {
namespace {

local_matrix random_rows(std::int64_t rows, std::int64_t columns, std::int64_t longest,
                         unsigned seed) {
  std::mt19937 random(seed);
  local_matrix m;
  m.rows = rows;
  m.extended = columns;
  m.offsets.push_back(0);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto length = static_cast<std::int64_t>(random() % static_cast<unsigned>(longest + 1));
    for (std::int64_t k = 0; k < length; ++k) {
      m.columns.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(columns)));
      m.values.push_back(static_cast<double>(random() % 1000) - 500);
    }
    m.offsets.push_back(static_cast<std::int64_t>(m.columns.size()));
  }
  return m;
}

TEST(SlicedRows, give_the_same_products) {
  for (const std::int64_t rows : {0, 1, 31, 32, 33, 100, 320})
    for (const std::int64_t longest : {0, 1, 7, 40}) {
      const auto m = random_rows(rows, 50, longest, static_cast<unsigned>(rows * 41 + longest));
      const auto s = slice(m);
      ASSERT_EQ(static_cast<std::int64_t>(s.columns.size()), sliced_entries(m.offsets));
      ASSERT_EQ(s.values.size(), s.columns.size());
      ASSERT_EQ(static_cast<std::int64_t>(s.first.size()),
                (rows + slice_rows - 1) / slice_rows + 1);
      ASSERT_EQ(s.first.back(), static_cast<std::int64_t>(s.columns.size()));
      for (std::int64_t i = 0; i < rows; ++i) {
        double wanted = 0, found = 0;
        for (auto k = m.offsets[i]; k < m.offsets[i + 1]; ++k)
          wanted += m.values[k] * (m.columns[k] + 1);
        const auto slice = i / slice_rows;
        for (auto k = s.first[slice] + i % slice_rows; k < s.first[slice + 1]; k += slice_rows) {
          ASSERT_GE(s.columns[k], 0);
          ASSERT_LT(s.columns[k], 50);
          found += s.values[k] * (s.columns[k] + 1);
        }
        EXPECT_EQ(found, wanted) << i;
      }
    }
}

TEST(SlicedRows, pad_with_columns_of_the_same_row) {
  // An infinite entry of the vector must not reach rows that do not have its column.
  local_matrix m;
  m.rows = 2;
  m.offsets = {0, 1, 4};
  m.columns = {5, 1, 2, 3};
  m.values = {1, 1, 1, 1};
  const auto s = slice(m);
  for (std::int64_t k = 0; k < 3; ++k) EXPECT_EQ(s.columns[k * slice_rows], 5);
}

TEST(SlicedRows, are_for_many_short_rows_of_about_one_length) {
  const auto offsets = [](std::int64_t rows, auto length) {
    std::vector<std::int64_t> all{0};
    for (std::int64_t i = 0; i < rows; ++i) all.push_back(all.back() + length(i));
    return all;
  };
  EXPECT_TRUE(worth_slicing(offsets(200'000, [](auto) { return 7; })));
  EXPECT_TRUE(worth_slicing(offsets(200'000, [](auto i) { return 6 + i % 3 / 2; })));
  EXPECT_FALSE(worth_slicing(offsets(50'000, [](auto) { return 7; })));
  EXPECT_FALSE(worth_slicing(offsets(200'000, [](auto) { return 50; })));
  EXPECT_FALSE(worth_slicing(offsets(200'000, [](auto i) { return i % 32 == 0 ? 70 : 7; })));
  EXPECT_FALSE(worth_slicing(offsets(0, [](auto) { return 0; })));
}

}  // namespace
}  // namespace gossamer::cg_detail
