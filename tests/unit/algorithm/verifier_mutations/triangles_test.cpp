// Counts of triangles, altered; and weighted ones that lie on the bound.
#include "gossamer/algorithm/triangles.hpp"

#include <cmath>

#include "trials.hpp"
#include "unit/algorithm/simple_triangles.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* count_kinds[] = {"one more",
                                       "one less",
                                       "another vertex's",
                                       "none",
                                       "twice as many",
                                       "two counts swapped",
                                       "one given to another",
                                       "a count's sign",
                                       "a count's highest bit",
                                       "any number"};

void alter_counts(int kind, std::vector<std::int64_t>& counts, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(counts.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  switch (kind) {
    case 0:
      ++counts[v];
      break;
    case 1:
      --counts[v];
      break;
    case 2:
      counts[v] = counts[w];
      break;
    case 3:
      counts[v] = 0;
      break;
    case 4:
      counts[v] *= 2;
      break;
    case 5:
      std::swap(counts[v], counts[w]);
      break;
    case 6:  // the sum stays
      --counts[v];
      ++counts[w];
      break;
    case 7:
      counts[v] = -counts[v];
      break;
    case 8:  // what a sum of twice the count would lose
      counts[v] ^= std::numeric_limits<std::int64_t>::min();
      break;
    default:
      counts[v] = random.below(std::numeric_limits<std::int64_t>::max()) - random.below(9);
  }
}

constexpr const char* worth_kinds[] = {
    "a count a little off",    "another vertex's",     "none",
    "twice as many",           "two counts swapped",   "some given to another",
    "a count's sign",          "a count that is none", "a count out of range",
    "a count without weights", "all a little off"};

void alter_worths(int kind, std::vector<double>& counts, const std::vector<double>& unweighted,
                  random_numbers& random) {
  const auto n = static_cast<std::int64_t>(counts.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  const double sign = random.below(2) == 0 ? 1 : -1;
  switch (kind) {
    case 0:  // from far below what is allowed to far above it
      counts[v] *= 1 + sign * 1e-9 * std::pow(10.0, 8 * random.unit() - 2);
      break;
    case 1:
      counts[v] = counts[w];
      break;
    case 2:
      counts[v] = 0;
      break;
    case 3:
      counts[v] *= 2;
      break;
    case 4:
      std::swap(counts[v], counts[w]);
      break;
    case 5: {  // the sum stays
      const double part = counts[v] * random.unit();
      counts[v] -= part;
      counts[w] += part;
      break;
    }
    case 6:
      counts[v] = -counts[v];
      break;
    case 7:
      counts[v] = no_number(random);
      break;
    case 8:
      counts[v] = sign * std::pow(10.0, 100 + 208 * random.unit());
      break;
    case 9:
      counts[v] = unweighted[v];
      break;
    default:
      for (double& count : counts) count *= 1 + 1e-7;
  }
}

/// `given`, or with directions; with triangles as often as not.
graph drawn(const graph& given, std::uint64_t seed, random_numbers& random) {
  const std::int64_t n = given.vertices();
  graph g = seed % 4 == 1 ? undirected("dense", n, random_arcs(n, 3 * n, seed)) : given;
  return g.symmetric && seed % 2 == 1 ? with_directions(g, random) : g;
}

TEST(VerifierMutations, OfTriangles) {
  tally counted("verify_triangles");
  for (const char* kind : count_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    const graph g = drawn(given, seed / 3, random);
    if (g.vertices() > 200) return;
    std::vector<std::int64_t> want;
    for (const double count : triangles_by_definition(g, false).counts)
      want.push_back(std::llround(count));
    for (int i = 0; i < 40; ++i) {
      const int kind = static_cast<int>(random.below(std::size(count_kinds)));
      auto counts = want;
      alter_counts(kind, counts, random);
      counted.count(count_kinds[kind], g.name, counts != want,
                    verify_triangles(g, to_array(counts)));
    }
  });
}

TEST(VerifierMutations, OfWeightedTriangles) {
  tally counted("verify_triangles, weighted");
  for (const char* kind : worth_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    graph g = drawn(given, seed / 3, random);
    if (g.vertices() > 200) return;
    if (!g.weighted()) set_weights<double>(g, 99);
    const auto want = triangles_by_definition(g, true).counts,
               unweighted = triangles_by_definition(g, false).counts;
    for (int i = 0; i < 40; ++i) {
      const int kind = static_cast<int>(random.below(std::size(worth_kinds)));
      auto counts = want;
      alter_worths(kind, counts, unweighted, random);
      std::optional<bool> wrong = false;
      for (std::size_t v = 0; v < want.size() && wrong != true; ++v) {
        const double off = std::abs(counts[v] - want[v]);
        if (!(off <= 1.1e-9 * want[v]))
          wrong = true;
        else if (off > 0.9e-9 * want[v])
          wrong = {};  // at the bound: below
      }
      counted.count(worth_kinds[kind], g.name, wrong, verify_triangles(g, to_array(counts), true));
    }
  });
}

/// Numbers at both ends of what may stand for one of the counts.
void at_the_bound(tally& counted, const graph& g, double rounding, random_numbers& random) {
  const auto want = triangles_by_definition(g, true).counts;
  for (int i = 0; i < 10; ++i) {
    const auto v = static_cast<std::size_t>(random.below(g.vertices()));
    count_at_bound(
        counted, g.name, want[v], 1e-9 * want[v], rounding * want[v],
        [&](double x) {
          return std::abs(static_cast<long double>(x) - want[v]) >
                 1e-9 * std::max(std::abs(x), want[v]);
        },
        [&](double x) {
          auto counts = want;
          counts[v] = x;
          return verify_triangles(g, to_array(counts), true);
        });
  }
}

/// Cube roots of zero and one are exact, those of other cubes are not (glibc): counts are whole.
TEST(VerifierMutations, OfExactTrianglesAtTheBound) {
  tally counted("verify_triangles, an ulp beyond the bound");
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    graph g = drawn(given, seed / 3, random);
    if (g.vertices() > 200) return;
    set_weights<std::int32_t>(g, 1);
    for (std::int32_t& weight : std::get<shared_array<std::int32_t>>(g.weights).span()) weight *= 7;
    at_the_bound(counted, g, 0, random);
  });
}

/// Cube roots and sums are rounded: counts of these graphs by 4e-15 of them at most.
TEST(VerifierMutations, OfTrianglesAtTheBound) {
  tally counted("verify_triangles, beyond the bound and rounding");
  on_graphs(counted, [&](const graph& given, std::uint64_t seed) {
    random_numbers random(seed);
    graph g = drawn(given, seed / 3, random);
    if (g.vertices() > 200) return;
    if (!g.weighted()) set_weights<double>(g, 99);
    at_the_bound(counted, g, 4e-15, random);
  });
}

}  // namespace
}  // namespace gossamer
