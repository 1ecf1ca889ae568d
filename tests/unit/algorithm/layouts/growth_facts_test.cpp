// Levels of searches, guessed from their beginnings.
#include "algorithm/layouts/growth_facts.hpp"

#include <gtest/gtest.h>

#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::algorithm_detail {
namespace {

growth_facts growth(const char* spec) {
  return sample_growth(generate(parse_generator(spec), {}));
}

TEST(GrowthFacts, ASmallGraphIsSearchedToItsEnd) {
  EXPECT_DOUBLE_EQ(levels_of({{1, 3, 4}, true}, 100), 3);
  const auto path = growth("path:100");
  EXPECT_GE(path.levels, 50);
  EXPECT_LE(path.levels, 100);
  EXPECT_EQ(path.reached, 100);
  const auto none = sample_growth(testing_graphs::from_arcs("isolated", 3, {}, true));
  EXPECT_EQ(none.levels, 0);
  EXPECT_EQ(none.reached, 0);
}

TEST(GrowthFacts, ABallGrowsByAPowerOfTheDistance) {
  std::vector<std::int64_t> line{1}, plane{1};
  for (std::int64_t d = 1; d <= 32; ++d) {
    line.push_back(line.back() + 2);
    plane.push_back(plane.back() + 4 * d);
  }
  EXPECT_NEAR(levels_of({line, false}, 100'000), 75'000, 1'000);
  EXPECT_NEAR(levels_of({plane, false}, 1'000'000), 1'414, 100);
  EXPECT_LT(levels_of({{1, 30, 900}, false}, 1'000'000), 6) << "multiplies";
  EXPECT_GT(levels_of({{1, 1}, false}, 1'000'000), 1) << "nothing but loops was looked at";
}

// What searches from vertices that were drawn took: path 0.75 n, others in the same order.
TEST(GrowthFacts, SamplesTellDeepGraphsFromFlatOnes) {
  const auto near = [](const char* spec, double levels) {
    const double found = growth(spec).levels;
    EXPECT_GT(found, levels / 2) << spec;
    EXPECT_LT(found, levels * 2) << spec;
  };
  near("path:30000", 22'500);
  near("lollipop:200x20000", 15'000);
  near("grid:200x200", 300);
  near("kron:14", 6);
  near("star:30000", 3);
}

}  // namespace
}  // namespace gossamer::algorithm_detail
