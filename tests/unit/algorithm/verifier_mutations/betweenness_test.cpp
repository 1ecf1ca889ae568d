// Betweenness, altered.
#include "gossamer/algorithm/betweenness.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_betweenness.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* betweenness_kinds[] = {
    "two scores swapped",     "a score a little off", "another score",         "no score",
    "a score that is none",   "a negative score",     "part of a score moved", "all a little off",
    "a score twice as large", "a score from nothing"};

void alter_scores(int kind, std::vector<double>& scores, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(scores.size());
  const auto i = static_cast<std::size_t>(random.below(n)),
             j = static_cast<std::size_t>(random.below(n));
  switch (kind) {
    case 0:
      std::swap(scores[i], scores[j]);
      break;
    case 1:
      scores[i] *= 1 + (random.below(2) == 0 ? 1e-6 : -1e-6);
      break;
    case 2:
      scores[i] = scores[j];
      break;
    case 3:
      scores[i] = 0;
      break;
    case 4:
      scores[i] = no_number(random);
      break;
    case 5:
      scores[i] = -scores[i];
      break;
    case 6: {  // the sum stays
      const double part = scores[i] * random.unit();
      scores[i] -= part;
      scores[j] += part;
      break;
    }
    case 7:
      for (double& score : scores) score *= 1 + 1e-7;
      break;
    case 8:
      scores[i] *= 2;
      break;
    default:
      scores[i] += random.unit();
  }
}

/// Options as they may be, for a graph.
betweenness_options drawn_options(random_numbers& random) {
  betweenness_options o;
  o.edges = random.below(3) == 0;
  o.normalized = random.below(2) == 0;
  o.endpoints = !o.edges && random.below(2) == 0;
  return o;
}

std::vector<std::int64_t> drawn_sources(const graph& g, random_numbers& random) {
  std::vector<std::int64_t> sources;
  if (random.below(2) == 0)
    for (std::int64_t v = 0; v < g.vertices(); ++v)
      if (random.below(2) == 0) sources.push_back(v);
  return sources;
}

TEST(VerifierMutations, OfBetweenness) {
  tally counted("verify_betweenness");
  for (const char* kind : betweenness_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const betweenness_options o = drawn_options(random);
    if (g.vertices() > 60 || (o.edges && g.arcs() == 0)) return;
    const auto sources = drawn_sources(g, random);
    const auto want = betweenness_by_definition(g, sources, o);
    for (int trial = 0; trial < 30; ++trial) {
      const int kind = static_cast<int>(random.below(std::size(betweenness_kinds)));
      auto scores = want;
      alter_scores(kind, scores, random);
      std::optional<bool> wrong = false;
      for (std::size_t i = 0; i < want.size(); ++i) {
        if (same_score(scores[i], want[i])) continue;
        const double off = std::abs(scores[i] - want[i]);
        // In between rounding may decide.
        if (std::isinf(off) || !(off <= 1e-8 * std::max(std::abs(scores[i]), std::abs(want[i]))))
          wrong = true;
        else if (wrong == false)
          wrong = std::nullopt;
      }
      counted.count(betweenness_kinds[kind], g.name, wrong,
                    verify_betweenness(g, to_array(scores), sources, o));
    }
  });
}

/// Numbers at both ends of what may stand for one of the scores.
void at_the_bound(tally& counted, const graph& g, const std::vector<std::int64_t>& sources,
                  const betweenness_options& o, double rounding, random_numbers& random) {
  const auto want = betweenness_by_definition(g, sources, o);
  for (int trial = 0; trial < 10; ++trial) {
    const auto i = static_cast<std::size_t>(random.below(std::ssize(want)));
    if (std::isnan(want[i])) continue;
    count_at_bound(
        counted, g.name, want[i], 1e-9 * want[i], rounding * want[i],
        [&](double x) {
          return std::abs(static_cast<long double>(x) - want[i]) >
                 1e-9 * std::max(std::abs(x), want[i]);
        },
        [&](double x) {
          auto scores = want;
          scores[i] = x;
          return verify_betweenness(g, to_array(scores), sources, o);
        });
  }
}

/// In trees, where a pair of vertices has one path, scores are numbers of pairs, and exact.
TEST(VerifierMutations, OfBetweennessOfTreesAtTheBound) {
  tally counted("verify_betweenness, an ulp beyond the bound");
  for (std::uint64_t seed = 0; !counted.done(); ++seed) {
    random_numbers random(seed);
    const std::int64_t n = 3 + random.below(30);
    arc_list edges;
    for (std::int64_t v = 1; v < n; ++v) edges.emplace_back(random.below(v), v);
    const bool directed = random.below(3) == 0;
    const graph g = directed ? from_arcs("tree", n, edges, false) : undirected("tree", n, edges);
    betweenness_options o = drawn_options(random);
    o.normalized = false;
    at_the_bound(counted, g, {}, o, 0, random);
  }
}

/// Shares of paths are rounded: scores of these graphs by 4e-15 of them at most.
TEST(VerifierMutations, OfBetweennessAtTheBound) {
  tally counted("verify_betweenness, beyond the bound and rounding");
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const betweenness_options o = drawn_options(random);
    if (g.vertices() > 60 || (o.edges && g.arcs() == 0)) return;
    const auto sources = drawn_sources(g, random);
    at_the_bound(counted, g, sources, o, 4e-15, random);
  });
}

}  // namespace
}  // namespace gossamer
