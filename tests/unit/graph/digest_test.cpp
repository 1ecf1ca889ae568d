// Digests: every byte counts, threads and names do not, and an array is read once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "gossamer/graph/digest.hpp"
#include "gossamer/graph/generators.hpp"

namespace gossamer {
namespace {

std::vector<std::byte> counted(std::size_t n) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(i * 7 + (i >> 20));
  return bytes;
}

TEST(Digest, CountsEveryByteAndTheLength) {
  for (const std::size_t n : {1u, 8u, 63u, 64u, 65u, 200u}) {
    auto bytes = counted(n);
    std::set<std::uint64_t> seen{digest_of(bytes), digest_of(counted(n + 1))};
    for (std::byte& b : bytes) {
      b ^= std::byte{1};
      seen.insert(digest_of(bytes));
      b ^= std::byte{1};
    }
    EXPECT_EQ(seen.size(), n + 2);
    bytes.push_back(std::byte{0});
    EXPECT_EQ(seen.count(digest_of(bytes)), 0u);
  }
}

TEST(Digest, IsTheSameForAnyNumberOfThreads) {
  auto bytes = counted((std::size_t{9} << 20) + 5);
  const auto alone = digest_of(bytes, 1);
  EXPECT_EQ(digest_of(bytes, 3), alone);
  std::swap_ranges(bytes.begin(), bytes.begin() + (1 << 20), bytes.begin() + (3 << 20));
  EXPECT_NE(digest_of(bytes, 3), alone) << "blocks have an order";
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(digest_of(bytes, 3, stop.get_token()), cancelled_error);
}

TEST(Digest, OfAGraphIsOfItsRowsFlagsAndWeights) {
  const auto made = [](const char* spec, bool weights = false) {
    generate_options options;
    options.weights = weights;
    return generate(parse_generator(spec), options);
  };
  const graph g = made("kron:10");
  graph other = made("kron:10");
  other.name = "other";
  other.steps.emplace_back("none");
  EXPECT_EQ(digest_of(g), digest_of(other));
  EXPECT_NE(digest_of(g), digest_of(made("kron:10:16:2")));
  EXPECT_NE(digest_of(g), digest_of(made("kron:10", true)));
  other.symmetric = false;
  EXPECT_NE(digest_of(g), digest_of(other));
}

TEST(Digest, OfAnArrayIsKeptAsLongAsTheArray) {
  graph g = generate(parse_generator("kron:8"));
  const auto before = digest_of(g);
  auto& columns = std::get<shared_array<vertex32>>(g.indices);
  shared_array<vertex32> changed(columns.size());
  std::copy(columns.begin(), columns.end(), changed.begin());
  ++changed[5];
  ++columns[5];  // against the promise, to see that nobody looks
  EXPECT_EQ(digest_of(g), before);
  g.indices = changed;
  EXPECT_NE(digest_of(g), before);
  --changed[5];
  g.indices = changed.first(changed.size());
  const graph copy = g;
  EXPECT_EQ(digest_of(copy), digest_of(g));
}

}  // namespace
}  // namespace gossamer
