// Core numbers, altered.
#include "gossamer/algorithm/core_numbers.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_cores.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* core_kinds[] = {
    "a number off by one",      "another vertex's number",         "a negative number",
    "the number of neighbours", "two vertices' numbers swapped",   "a core that is one more",
    "a core that is one less",  "all of a few neighbours one more"};

void alter_numbers(int kind, std::vector<std::int32_t>& numbers,
                   const std::vector<std::vector<std::int64_t>>& next, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  const std::int32_t of_v = numbers[v];
  switch (kind) {
    case 0:
      numbers[v] += random.below(2) == 0 ? 1 : -1;
      break;
    case 1:
      numbers[v] = numbers[w];
      break;
    case 2:
      numbers[v] = -1 - static_cast<std::int32_t>(random.below(3));
      break;
    case 3:
      numbers[v] = static_cast<std::int32_t>(next[v].size());
      break;
    case 4:
      std::swap(numbers[v], numbers[w]);
      break;
    case 5:
    case 6:
      for (std::int32_t& number : numbers)
        if (number == of_v) number += kind == 5 ? 1 : -1;
      break;
    default:
      ++numbers[v];
      for (const std::int64_t u : next[v]) ++numbers[static_cast<std::size_t>(u)];
  }
}

TEST(VerifierMutations, OfCoreNumbers) {
  tally counted("verify_core_numbers");
  for (const char* kind : core_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const auto want = cores_by_definition(g);
    const auto next = simple_neighbours(g);
    for (int i = 0; i < 60; ++i) {
      const int kind = static_cast<int>(random.below(std::size(core_kinds)));
      auto numbers = want;
      alter_numbers(kind, numbers, next, random);
      counted.count(core_kinds[kind], g.name, numbers != want,
                    verify_core_numbers(g, to_array(numbers)));
    }
  });
}

}  // namespace
}  // namespace gossamer
