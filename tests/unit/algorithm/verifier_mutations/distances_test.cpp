// Numbers of distances, and depths, altered.
#include "gossamer/algorithm/distances.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_distances.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* number_kinds[] = {"one more",
                                        "one less",
                                        "another vertex's",
                                        "a little more",
                                        "nothing",
                                        "the wrong way round",
                                        "a number that is none"};
constexpr distance_kind of_kinds[] = {distance_kind::reached,   distance_kind::sums,
                                      distance_kind::closeness, distance_kind::wide_closeness,
                                      distance_kind::harmonic,  distance_kind::eccentricity};

std::vector<double> numbers_of(distance_kind kind, const depth_rows& depths) {
  std::vector<double> numbers;
  for (const auto& row : depths) numbers.push_back(number_by_definition(kind, row));
  return numbers;
}

void alter_number(int kind, std::vector<double>& numbers, const std::vector<double>& other_way,
                  random_numbers& random) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  switch (kind) {
    case 0:
      numbers[v] += 1;
      break;
    case 1:
      numbers[v] -= 1;
      break;
    case 2:
      numbers[v] = numbers[w];
      break;
    case 3:
      numbers[v] *= 1 + 1e-6;
      break;
    case 4:
      numbers[v] = 0;
      break;
    case 5:
      numbers[v] = other_way[v];
      break;
    default:
      numbers[v] = no_number(random);
  }
}

/// Whether the two differ by more than rounding.
bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-7 * std::abs(b[i]))) return true;
  return false;
}

TEST(VerifierMutations, OfDistances) {
  tally counted("verify_distances");
  for (const char* kind : number_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    const graph g = given.symmetric && seed % 2 == 0 ? with_directions(given, random) : given;
    if (g.vertices() > 200) return;
    const bool inward = random.below(2) == 0;
    const auto depths = depths_by_definition(g, inward), others = depths_by_definition(g, !inward);
    std::vector<std::int64_t> sources;
    for (std::int64_t v = 0; v < g.vertices(); ++v) sources.push_back(v);
    for (int i = 0; i < 20; ++i) {
      const auto of = of_kinds[random.below(std::size(of_kinds))];
      const int kind = static_cast<int>(random.below(std::size(number_kinds)));
      const auto want = numbers_of(of, depths);
      auto numbers = want;
      alter_number(kind, numbers, numbers_of(of, others), random);
      counted.count(number_kinds[kind], g.name, differ(numbers, want),
                    verify_distances(g, of, inward, sources, numbers));
    }
  });
}

/// Of harmonic centrality alone sums are rounded, 4e-15 of them at most in these graphs.
TEST(VerifierMutations, OfDistancesAtTheBound) {
  tally counted("verify_distances, an ulp beyond the bound");
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    const graph g = given.symmetric && seed % 2 == 0 ? with_directions(given, random) : given;
    if (g.vertices() > 200) return;
    const bool inward = random.below(2) == 0;
    const auto depths = depths_by_definition(g, inward);
    std::vector<std::int64_t> sources;
    for (std::int64_t v = 0; v < g.vertices(); ++v) sources.push_back(v);
    for (int i = 0; i < 20; ++i) {
      const auto of = of_kinds[random.below(std::size(of_kinds))];
      const auto want = numbers_of(of, depths);
      const auto v = static_cast<std::size_t>(random.below(g.vertices()));
      const double bound = 1e-9 * want[v];
      const double rounding = of == distance_kind::harmonic ? 1e-15 * want[v] : 0;
      count_at_bound(
          counted, g.name, want[v], bound, rounding,
          [&](double x) { return std::abs(static_cast<long double>(x) - want[v]) > bound; },
          [&](double x) {
            auto numbers = want;
            numbers[v] = x;
            return verify_distances(g, of, inward, sources, numbers);
          });
    }
  });
}

constexpr const char* depth_kinds[] = {
    "one deeper",      "one less deep",    "not reached",
    "reached",         "another's depth",  "another source's row",
    "a depth of zero", "two rows swapped", "all one deeper"};

template <class Row>
void alter_depths(int kind, std::vector<Row>& depths, random_numbers& random) {
  const auto rows = static_cast<std::int64_t>(depths.size()),
             n = static_cast<std::int64_t>(depths[0].size());
  Row& row = depths[static_cast<std::size_t>(random.below(rows))];
  Row& other = depths[static_cast<std::size_t>(random.below(rows))];
  auto& at = row[static_cast<std::size_t>(random.below(n))];
  switch (kind) {
    case 0:
      ++at;
      break;
    case 1:
      --at;
      break;
    case 2:
      at = -1;
      break;
    case 3:
      if (at < 0) at = random.below(n);
      break;
    case 4:
      at = row[static_cast<std::size_t>(random.below(n))];
      break;
    case 5:
      row = Row(other);
      break;
    case 6:
      at = 0;
      break;
    case 7:
      std::swap(row, other);
      break;
    default:
      for (auto& d : row) d += d > 0;
  }
}

TEST(VerifierMutations, OfDepths) {
  tally counted("verify_depths");
  for (const char* kind : depth_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    const graph g = given.symmetric && seed % 2 == 0 ? with_directions(given, random) : given;
    if (g.vertices() > 200) return;
    const bool inward = random.below(2) == 0;
    const auto all = depths_by_definition(g, inward);
    for (int i = 0; i < 20; ++i) {
      std::vector<std::int64_t> sources;
      depth_rows want;
      for (int k = 0; k < 3; ++k) {
        sources.push_back(random.below(g.vertices()));
        want.push_back(all[static_cast<std::size_t>(sources.back())]);
      }
      const int kind = static_cast<int>(random.below(std::size(depth_kinds)));
      auto depths = want;
      alter_depths(kind, depths, random);
      shared_array<std::int32_t> given_depths(3 * static_cast<std::size_t>(g.vertices()));
      auto* to = given_depths.data();
      for (const auto& row : depths)
        for (const std::int64_t d : row) *to++ = static_cast<std::int32_t>(d);
      counted.count(depth_kinds[kind], g.name, depths != want,
                    verify_depths(g, inward, sources, given_depths));
    }
  });
}

}  // namespace
}  // namespace gossamer
