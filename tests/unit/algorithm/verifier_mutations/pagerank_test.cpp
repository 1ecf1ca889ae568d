// Ranks of PageRank, altered; and residuals that lie on the bound.
#include <cmath>

#include "gossamer/algorithm/pagerank.hpp"
#include "trials.hpp"

namespace gossamer {
namespace {

using namespace testing_mutations;

constexpr const char* rank_kinds[] = {"a rank changed",      "mass traded between two ranks",
                                      "two ranks swapped",   "a rank of another vertex",
                                      "a rank that is none", "all ranks scaled",
                                      "a negative rank",     "a rank moved to one vertex"};

/// One application of the definition in long double: in order of the arcs' targets.
class definition {
 public:
  definition(const graph& g, const pagerank_options& options, const std::vector<double>& jumps)
      : n_(static_cast<std::size_t>(g.vertices())),
        damping_(options.damping),
        arcs_(arc_set(g).arcs),
        share_(arcs_.size(), 1),
        out_(n_, 0),
        jumps_(n_, 1.0L / static_cast<long double>(n_)) {
    if (options.weighted)
      std::visit(
          [&](const auto& w) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
              for (std::size_t k = 0; k < arcs_.size(); ++k) share_[k] = w[k];
          },
          g.weights);
    for (std::size_t k = 0; k < arcs_.size(); ++k)
      out_[static_cast<std::size_t>(arcs_[k].first)] += share_[k];
    long double sum = 0;
    for (const double p : jumps) sum += p;
    for (std::size_t v = 0; v < jumps.size(); ++v) jumps_[v] = jumps[v] / sum;
  }

  [[nodiscard]] std::vector<long double> next(const std::vector<long double>& x) const {
    std::vector<long double> to(n_, 0);
    long double dangling = 0;
    for (std::size_t v = 0; v < n_; ++v)
      if (!(out_[v] > 0)) dangling += x[v];
    for (std::size_t k = 0; k < arcs_.size(); ++k) {
      const auto u = static_cast<std::size_t>(arcs_[k].first);
      if (out_[u] > 0) to[static_cast<std::size_t>(arcs_[k].second)] += x[u] * share_[k] / out_[u];
    }
    for (std::size_t v = 0; v < n_; ++v)
      to[v] = damping_ * (to[v] + dangling * jumps_[v]) + (1 - damping_) * jumps_[v];
    return to;
  }
  [[nodiscard]] long double residual(const std::vector<double>& x) const {
    const auto to = next({x.begin(), x.end()});
    long double sum = 0;
    for (std::size_t v = 0; v < n_; ++v) sum += std::abs(to[v] - x[v]);
    return sum;
  }
  [[nodiscard]] std::vector<double> fixed_point() const {
    auto x = jumps_;
    for (int i = 0; i < 2000; ++i) {
      auto to = next(x);
      long double change = 0;
      for (std::size_t v = 0; v < n_; ++v) change += std::abs(to[v] - x[v]);
      x = std::move(to);
      if (change < 1e-18L) break;
    }
    return {x.begin(), x.end()};
  }

 private:
  std::size_t n_;
  long double damping_;
  arc_list arcs_;
  std::vector<long double> share_, out_, jumps_;
};

void alter_ranks(int kind, std::vector<double>& x, double allowed, random_numbers& random) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto v = static_cast<std::size_t>(random.below(n)),
             w = static_cast<std::size_t>(random.below(n));
  // From far below what is allowed to far above it.
  const double much = allowed * std::pow(10.0, 8 * random.unit() - 2);
  switch (kind) {
    case 0:
      x[v] += random.below(2) == 0 ? much : -std::min(much, x[v]);
      break;
    case 1: {
      const double traded = std::min(much, x[w]);
      x[v] += traded;
      x[w] -= traded;
      break;
    }
    case 2:
      std::swap(x[v], x[w]);
      break;
    case 3:
      x[v] = x[w];
      break;
    case 4: {
      constexpr double none[] = {std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(), 1e308, -1e308};
      x[v] = none[random.below(std::size(none))];
      break;
    }
    case 5:
      for (double& rank : x) rank *= 1 + much;
      break;
    case 6:
      x[v] = -std::max(x[v], 1e-300);
      break;
    default: {
      const double all = x[w];
      x[w] = 0;
      x[v] += all;
    }
  }
}

/// Wrong, right, or too near the bound for two ways of rounding to agree.
std::optional<bool> is_wrong(const definition& defined, const std::vector<double>& x,
                             long double allowed) {
  for (const double rank : x)
    if (!(rank >= 0) || !std::isfinite(rank)) return true;
  const long double residual = defined.residual(x);
  if (residual > allowed * (1 + 1e-9L)) return true;
  if (residual < allowed * (1 - 1e-9L)) return false;
  return std::nullopt;
}

struct system_of_ranks {
  pagerank_options options;
  std::vector<double> jumps;
};

/// Options as they may be, for a graph.
system_of_ranks drawn(const graph& g, random_numbers& random) {
  system_of_ranks drawn;
  drawn.options.damping = random.below(8) == 0 ? 0 : 0.3 + 0.65 * random.unit();
  drawn.options.tolerance = std::pow(10.0, -3 - 9 * random.unit());
  drawn.options.precision = random.below(2) == 0 ? 32 : 64;
  drawn.options.weighted = random.below(2) == 0;
  if (random.below(3) == 0) {
    drawn.jumps.resize(static_cast<std::size_t>(g.vertices()));
    for (double& p : drawn.jumps) p = random.below(3) == 0 ? 0 : random.unit();
    drawn.jumps[0] += 0.5;
  }
  return drawn;
}

TEST(VerifierMutations, OfRanks) {
  tally counted("verify_pagerank");
  for (const char* kind : rank_kinds) counted.expect_kind(kind);
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    const auto [options, jumps] = drawn(g, random);
    const definition defined(g, options, jumps);
    const auto want = defined.fixed_point();
    const double allowed = verify_pagerank(g, want, options, jumps).allowed;
    for (int i = 0; i < 60; ++i) {
      const int kind = static_cast<int>(random.below(std::size(rank_kinds)));
      auto x = want;
      alter_ranks(kind, x, allowed, random);
      counted.count(rank_kinds[kind], g.name, is_wrong(defined, x, allowed),
                    verify_pagerank(g, x, options, jumps));
    }
  });
}

TEST(VerifierMutations, OfRanksAtTheBound) {
  tally counted("verify_pagerank, an ulp beyond the bound");
  on_graphs(counted, [&](const graph& g, std::uint64_t seed) {
    random_numbers random(seed);
    auto [options, jumps] = drawn(g, random);
    options.precision = 64;
    const definition defined(g, options, jumps);
    const auto want = defined.fixed_point();
    for (int i = 0; i < 20; ++i) {
      auto x = want;
      double& from = x[static_cast<std::size_t>(random.below(g.vertices()))];
      const double traded = from * random.unit();
      from -= traded;
      x[static_cast<std::size_t>(random.below(g.vertices()))] += traded;
      options.tolerance = 0;
      const auto first = verify_pagerank(g, x, options, jumps);
      if (!(first.residual > 2 * first.allowed)) continue;
      EXPECT_NEAR(first.residual, static_cast<double>(defined.residual(x)), 1e-15);
      // The smallest tolerance that allows this residual, and the one below it.
      options.tolerance = first.residual - first.allowed;
      const auto passes = [&](double tolerance) {
        options.tolerance = tolerance;
        return verify_pagerank(g, x, options, jumps);
      };
      double t = options.tolerance;
      while (passes(t).allowed < first.residual) t = std::nextafter(t, 1.0);
      while (passes(std::nextafter(t, 0.0)).allowed >= first.residual) t = std::nextafter(t, 0.0);
      const auto inside = passes(t), beyond = passes(std::nextafter(t, 0.0));
      counted.count("an ulp inside", g.name, false, inside);
      counted.count("an ulp beyond", g.name, true, beyond);
    }
  });
}

}  // namespace
}  // namespace gossamer
