// Betweenness, altered.
#include "gossamer/algorithm/betweenness.hpp"
#include "trials.hpp"
#include "unit/algorithm/simple_betweenness.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* betweenness_kinds[] = {
    "two scores swapped",     "a score a little off", "another score",         "no score",
    "a score that is nan",    "a negative score",     "part of a score moved", "all a little off",
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
      scores[i] = std::numeric_limits<double>::quiet_NaN();
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

TEST(VerifierMutations, OfBetweenness) {
  tally counted("verify_betweenness");
  for (const char* kind : betweenness_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    betweenness_options o;
    o.edges = random.below(3) == 0;
    o.normalized = random.below(2) == 0;
    o.endpoints = !o.edges && random.below(2) == 0;
    if (g.vertices() > 60 || (o.edges && g.arcs() == 0)) return;
    std::vector<std::int64_t> sources;
    if (random.below(2) == 0)
      for (std::int64_t v = 0; v < g.vertices(); ++v)
        if (random.below(2) == 0) sources.push_back(v);
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
        if (off <= 1e-8 * std::max(std::abs(scores[i]), std::abs(want[i])) && wrong == false)
          wrong = std::nullopt;
        else if (!(off <= 1e-8 * std::max(std::abs(scores[i]), std::abs(want[i]))))
          wrong = true;
      }
      counted.count(betweenness_kinds[kind], g.name, wrong,
                    verify_betweenness(g, to_array(scores), sources, o));
    }
  });
}

}  // namespace
}  // namespace gossamer
