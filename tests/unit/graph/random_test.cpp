// The counter-based generator, the permutation and the symmetric weights.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "gossamer/graph/random.hpp"

namespace gossamer {
namespace {

TEST(Random, MixIsSplitMix64) {
  // First output of SplitMix64 seeded with 0, as published with xoshiro256 (Vigna).
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);
}

TEST(Random, BitsAreBalanced) {
  const auto random = counter_random::of(1, 2);
  std::vector<int> ones(64, 0);
  constexpr int words = 20000;
  for (int i = 0; i < words; ++i)
    for (int b = 0; b < 64; ++b) ones[b] += static_cast<int>(random(i) >> b & 1);
  // Six standard deviations of a fair coin: 6 * sqrt(20000) / 2 = 424.
  for (const int count : ones) EXPECT_NEAR(count, words / 2, 425);
}

TEST(Random, StreamsAndSeedsDiffer) {
  EXPECT_NE(counter_random::of(1, 1)(0), counter_random::of(1, 2)(0));
  EXPECT_NE(counter_random::of(1, 1)(0), counter_random::of(2, 1)(0));
}

TEST(Permutation, IsABijection) {
  for (const std::uint64_t n :
       {1u, 2u, 3u, 4u, 5u, 7u, 8u, 100u, 127u, 128u, 129u, 1000u, 65536u, 99991u}) {
    for (const std::uint64_t seed : {0u, 1u, 77u}) {
      const auto p = permutation::of(n, seed);
      std::vector<bool> hit(n, false);
      for (std::uint64_t x = 0; x < n; ++x) {
        const std::uint64_t y = p(x);
        ASSERT_LT(y, n);
        ASSERT_FALSE(hit[y]) << n << " " << seed;
        hit[y] = true;
      }
    }
  }
}

TEST(Permutation, MovesAlmostEverything) {
  constexpr std::uint64_t n = 1 << 16;
  const auto p = permutation::of(n, 1);
  int fixed = 0, ordered = 0;
  for (std::uint64_t x = 0; x < n; ++x) fixed += p(x) == x;
  for (std::uint64_t x = 0; x + 1 < n; ++x) ordered += p(x) < p(x + 1);
  EXPECT_LT(fixed, 12);  // a random permutation has one fixed point on average
  EXPECT_NEAR(ordered, static_cast<int>(n / 2), 800);
}

TEST(Weight, IsSymmetricAndUniform) {
  std::vector<int> count(256, 0);
  for (std::uint64_t u = 0; u < 300; ++u)
    for (std::uint64_t v = 0; v < 300; ++v) {
      const auto w = symmetric_weight(u, v, 5);
      ASSERT_EQ(w, symmetric_weight(v, u, 5));
      ASSERT_GE(w, 1);
      ASSERT_LE(w, 255);
      if (u < v) ++count[w];
    }
  // 44,850 pairs: 176 a weight; six standard deviations are 80.
  for (int w = 1; w < 256; ++w) EXPECT_NEAR(count[w], 176, 80) << w;
}

}  // namespace
}  // namespace gossamer
