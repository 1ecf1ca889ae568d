// The cache of a modelled rank: what lies in it costs a sector, the rest what a random access does.
#include "gossamer/dataflow/worklist/modelled_cache.hpp"

#include <gtest/gtest.h>

namespace gossamer::dataflow {
namespace {

using array = modelled_cache::array;

model::worker kernel(double cache) {
  model::worker k;
  k.scatter = 250;
  k.cache = cache;
  return k;
}

TEST(modelled_cache, keeps_sectors_until_others_take_their_place) {
  modelled_cache c(kernel(1 << 20));
  EXPECT_EQ(c.access(array::values, 64), 250);
  EXPECT_EQ(c.access(array::values, 64 + 31), 32) << "the same sector";
  EXPECT_EQ(c.access(array::values, 96), 250) << "the next one";
  EXPECT_EQ(c.access(array::offsets, 64), 250) << "another array";
  EXPECT_EQ(c.access(array::values, 64), 32);
  for (std::size_t byte = 0; byte < std::size_t{64} << 20; byte += 32)
    c.access(array::columns, byte);
  EXPECT_EQ(c.access(array::values, 64), 250);
}

TEST(modelled_cache, a_second_pass_finds_what_has_room) {
  for (const auto& [bytes, least, most] :
       {std::tuple{1 << 18, 0.8, 1.0}, {1 << 20, 0.3, 0.9}, {1 << 24, 0.0, 0.1}}) {
    modelled_cache c(kernel(1 << 20));
    for (int byte = 0; byte < bytes; byte += 32)
      c.access(array::values, static_cast<std::size_t>(byte));
    int found = 0;
    for (int byte = 0; byte < bytes; byte += 32)
      found += c.access(array::values, static_cast<std::size_t>(byte)) == 32 ? 1 : 0;
    const double share = found / (bytes / 32.0);
    EXPECT_GE(share, least) << bytes;
    EXPECT_LE(share, most) << bytes;
  }
}

TEST(modelled_cache, without_one_every_access_is_a_random_one) {
  modelled_cache c(kernel(0));
  for (int again = 0; again < 2; ++again) EXPECT_EQ(c.access(array::values, 0), 250);
}

}  // namespace
}  // namespace gossamer::dataflow
