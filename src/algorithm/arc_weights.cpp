#include "algorithm/arc_weights.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "algorithm/first_where.hpp"
#include "gossamer/machine/device.hpp"

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
[[noreturn]] void refuse(const graph& g, std::int64_t arc, Weight w, const std::string& who) {
  const auto offsets = g.offsets.span();
  const auto u = std::upper_bound(offsets.begin(), offsets.end(), arc) - offsets.begin() - 1;
  const std::int64_t v =
      g.visit([&](const auto& rows) { return static_cast<std::int64_t>(rows.indices[arc]); });
  std::ostringstream text;
  text << g.name << ": the arc " << g.names.name(u) << " -> " << g.names.name(v)
       << " has the weight " << +w << "; " << who << " finite weights of zero or more";
  throw input_error(text.str());
}

template <class Weight>
weight_facts facts_of(const graph& g, const shared_array<Weight>& weights, const std::string& who,
                      const std::stop_token& stop) {
  const int threads = host().cores;
  const auto m = g.arcs();
  const std::int64_t first = first_where(m, threads, stop, "weights", [&](std::int64_t e) {
    return bad(weights[static_cast<std::size_t>(e)]);
  });
  if (first != nowhere) refuse(g, first, weights[static_cast<std::size_t>(first)], who);
  weight_facts facts;
  Weight largest = 0;
  double sum = 0;
  for (std::int64_t e = 0; e < m; ++e) {
    largest = std::max(largest, weights[static_cast<std::size_t>(e)]);
    sum += static_cast<double>(weights[static_cast<std::size_t>(e)]);
  }
  facts.largest = static_cast<double>(largest);
  facts.mean = m > 0 ? sum / static_cast<double>(m) : 0;
  return facts;
}

}  // namespace

weight_facts check_weights(const graph& g, const std::string& who, const std::stop_token& stop) {
  return std::visit(
      [&](const auto& weights) -> weight_facts {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          return {};
        else
          return facts_of(g, weights, who, stop);
      },
      g.weights);
}

}  // namespace gossamer::algorithm_detail
