// One pass over all weights finds a bad one, the largest and the mean. A graph on a GPU is looked
// at there. The result is kept with the graph.
#include "algorithm/layouts/arc_weights.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "algorithm/layouts/cuda/graph_facts.hpp"
#include "gossamer/graph/arc_error.hpp"
#include "gossamer/graph/device_csr.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/first_where.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::algorithm_detail {

namespace {

template <class Weight>
bool bad(Weight w) {
  if constexpr (std::is_floating_point_v<Weight>)
    return !(w >= 0) || !std::isfinite(w);
  else
    return w < 0;
}

template <class Weight>
weight_facts facts_of(const graph& g, const shared_array<Weight>& weights, const std::string& who,
                      const std::stop_token& stop) {
  // One pass of all cores. Sums are made by piece and added in order, so that they do not depend on
  // the number of threads.
  constexpr std::int64_t piece = 1024;
  const std::int64_t m = g.arcs(), pieces = (m + piece - 1) / piece;
  std::vector<weight_facts> parts(static_cast<std::size_t>(pieces));
  const auto some = [&](std::int64_t p) {
    return weights.span().subspan(static_cast<std::size_t>(p * piece),
                                  static_cast<std::size_t>(std::min(piece, m - p * piece)));
  };
  const std::int64_t first =
      first_where(pieces, host().cores, stop, "weights", [&](std::int64_t p) {
        Weight largest = 0;
        double sum = 0;
        bool wrong = false;
        for (const Weight w : some(p)) {
          wrong |= bad(w);
          largest = std::max(largest, w);
          sum += static_cast<double>(w);
        }
        parts[static_cast<std::size_t>(p)] = {static_cast<double>(largest), sum};
        return wrong;
      });
  if (first != nowhere) {
    const auto those = some(first);
    const auto at = std::find_if(those.begin(), those.end(), bad<Weight>);
    refuse_weight(g, first * piece + (at - those.begin()),
                  "; " + who + " finite weights of zero or more");
  }
  weight_facts facts;
  for (const weight_facts& part : parts) {
    facts.largest = std::max(facts.largest, part.largest);
    facts.mean += part.mean;  // the sum, so far
  }
  if (m > 0) facts.mean /= static_cast<double>(m);
  return facts;
}

weight_facts count_weights(const graph& g, const std::string& who, const std::stop_token& stop) {
  if (g.gpu >= 0) {
    const weights_seen seen = weights_on_gpu(g);
    return seen.first_bad < 0 ? seen.facts : count_weights(on_host(g), who, stop);  // which says it
  }
  return std::visit(
      [&](const auto& weights) -> weight_facts {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          return {};
        else
          return facts_of(g, weights, who, stop);
      },
      g.weights);
}

}  // namespace

weight_facts check_weights(const graph& g, const std::string& who, const std::stop_token& stop) {
  return *kept::of_graph<weight_facts>(g, "weights", [&](const graph& bare) {
    return std::make_shared<weight_facts>(count_weights(bare, who, stop));
  });
}

void require_weights(const graph& g, const std::string& who, const std::string& for_what) {
  require(g.weighted(),
          who + ": " + g.name + " has no weights" + (for_what.empty() ? "" : " ") + for_what +
              " (generators make 1 to 255 on request: --weights, weights=True; a table's column "
              "of weights is called weight, w or value, or named: --weight-column, weight=; "
              "from_pandas and from_networkx take none without weight=)");
}

void refuse_weight(const graph& g, std::int64_t arc, const std::string& why) {
  const auto offsets = g.offsets.span();
  const auto u = std::upper_bound(offsets.begin(), offsets.end(), arc) - offsets.begin() - 1;
  const std::int64_t v =
      g.visit([&](const auto& rows) { return static_cast<std::int64_t>(rows.indices[arc]); });
  std::ostringstream text;
  text << " has the weight ";
  std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (!std::is_same_v<Weights, std::monostate>)
          text << weights[static_cast<std::size_t>(arc)];
      },
      g.weights);
  text << why;
  throw arc_error(g, u, v, text.str());
}

}  // namespace gossamer::algorithm_detail
