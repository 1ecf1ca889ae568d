// The verifier: one application of the definition, pushed along out-arcs with compensated sums.
//
// After the last iteration the ranks changed by at most `tolerance`; another one changes them by at
// most damping times that. Rounding adds to it. Each rank is rounded once (a relative half of the
// type's epsilon), before and after the step. So is what it offers and, when weighted, each share
// of it. All of that moves a distribution by a few epsilons in the 1-norm.
#include <cmath>
#include <limits>
#include <vector>

#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer {

namespace {

/// Neumaier's sum: one vertex of a star takes in as many terms as there are arcs.
struct compensated {
  double value = 0, lost = 0;
  void add(double x) {
    const double sum = value + x;
    lost += std::abs(value) >= std::abs(x) ? (value - sum) + x : (x - sum) + value;
    value = sum;
  }
  [[nodiscard]] double get() const { return value + lost; }
};

double weight_of(const graph& g, bool weighted, std::int64_t arc) {
  if (!weighted) return 1;
  return std::visit(
      [&](const auto& w) {
        if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
          return 1.0;
        else
          return static_cast<double>(w[static_cast<std::size_t>(arc)]);
      },
      g.weights);
}

}  // namespace

pagerank_verification verify_pagerank(const graph& g, std::span<const double> ranks,
                                      const pagerank_options& options,
                                      std::span<const double> personalization,
                                      const std::stop_token& stop) {
  const auto n = static_cast<std::size_t>(g.vertices());
  pagerank_verification result;
  const auto fail = [&](std::string reason) {
    result.ok = false;
    result.reason = std::move(reason);
    return result;
  };
  if (ranks.size() != n)
    return fail("ranks need one entry for each of the " + std::to_string(n) + " vertices");
  if (!personalization.empty() && personalization.size() != n)
    return fail("the personalization has " + std::to_string(personalization.size()) +
                " entries, the graph has " + std::to_string(n) + " vertices");
  if (n == 0) return result;
  const double epsilon = options.precision == 32 ? std::numeric_limits<float>::epsilon()
                                                 : std::numeric_limits<double>::epsilon();
  result.allowed = options.tolerance + 8 * epsilon;
  compensated total, jumps, dangling;
  for (const double p : personalization) jumps.add(p);
  for (std::size_t v = 0; v < n; ++v) {
    if (!(ranks[v] >= 0) || !std::isfinite(ranks[v]))
      return fail("vertex " + std::to_string(g.names.name(static_cast<std::int64_t>(v))) +
                  " has the rank " + shown(ranks[v]));
    total.add(ranks[v]);
  }
  std::vector<compensated> arrives(n);
  g.visit([&](const auto& rows) {
    for (std::size_t u = 0; u < n; ++u) {
      if (u % 4096 == 0 && stop.stop_requested()) throw cancelled_error("verify_pagerank: stopped");
      double out = 0;
      const edge_offset begin = rows.offsets[u], end = rows.offsets[u + 1];
      for (edge_offset k = begin; k < end; ++k) out += weight_of(g, options.weighted, k);
      if (!(out > 0)) {
        dangling.add(ranks[u]);
        continue;
      }
      for (edge_offset k = begin; k < end; ++k)
        arrives[static_cast<std::size_t>(rows.indices[static_cast<std::size_t>(k)])].add(
            ranks[u] * weight_of(g, options.weighted, k) / out);
    }
  });
  compensated residual;
  for (std::size_t v = 0; v < n; ++v) {
    const double jump =
        personalization.empty() ? 1 / static_cast<double>(n) : personalization[v] / jumps.get();
    const double next =
        options.damping * (arrives[v].get() + dangling.get() * jump) + (1 - options.damping) * jump;
    residual.add(std::abs(next - ranks[v]));
  }
  result.residual = residual.get();
  if (!(result.residual <= result.allowed))
    return fail("another iteration changes the ranks by " + shown(result.residual) + ", " +
                shown(result.allowed) + " is allowed");
  // The sum is a fixed point's too: 1, and what rounding adds in each iteration.
  if (std::abs(total.get() - 1) > result.allowed / (1 - std::min(options.damping, 0.99)))
    return fail("the ranks add up to " + shown(total.get()) + ", not to 1");
  return result;
}

}  // namespace gossamer
