// Filter under `mpirun -n P`: the array and what is gathered are rank 0's.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/algorithm/filter.hpp"

namespace gossamer {
namespace {

TEST(filter_mpi, gathers_at_rank_0) {
  auto m = machine::open("mpi:1");
  std::vector<std::int32_t> input(200000);
  if (m.here(0)) std::iota(input.begin(), input.end(), 0);
  const auto keep = parse_filter<std::int32_t>("1000..150000");
  const auto got = filter(m, std::span<const std::int32_t>(input), keep);
  EXPECT_EQ(got.matched, 149001);
  std::int64_t elements = 0;
  for (const auto& s : got.shares) elements += s.elements;
  EXPECT_EQ(elements, 200000);
  EXPECT_EQ(got.values.size(), m.here(0) ? 149001u : 0u);
  if (m.here(0)) {
    EXPECT_EQ(verify_filter<std::int32_t>(input, keep, got).reason, "");
  }
}

TEST(filter_mpi, leaves_results_where_they_are) {
  auto m = machine::open("mpi:1");
  const std::vector<float> input(100000, 1.0f);
  filter_options options;
  options.gather = false;
  const auto got = filter(m, std::span<const float>(input), parse_filter<float>("==1"), options);
  EXPECT_EQ(got.matched, 100000);
  for (int r = 0; r < m.size(); ++r)
    EXPECT_EQ(static_cast<std::int64_t>(got.parts[static_cast<std::size_t>(r)].values.size()),
              m.here(r) ? got.shares[static_cast<std::size_t>(r)].matched : 0);
}

}  // namespace
}  // namespace gossamer
