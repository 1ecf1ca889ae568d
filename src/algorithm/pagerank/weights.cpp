// Sums of out-weights, refused where they are infinite, and the in-arcs' weights divided by them.
#include "algorithm/pagerank/weights.hpp"

#include <cmath>

#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::pagerank_detail {

void require_weights(const graph& g) {
  algorithm_detail::require_weights(g, "pagerank", "to follow arcs by");
}

shared_array<double> out_weights(const graph& g, bool weighted, const std::stop_token& stop) {
  const std::int64_t n = g.vertices();
  auto sums = make_array<double>(static_cast<std::size_t>(n));
  if (!weighted) {
    for (std::int64_t v = 0; v < n; ++v) sums[v] = static_cast<double>(g.degree(v));
    return sums;
  }
  require_weights(g);
  algorithm_detail::check_weights(g, "pagerank needs", stop);
  std::visit(
      [&](const auto& weights) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          for (std::int64_t v = 0; v < n; ++v) {
            double sum = 0;
            for (edge_offset k = g.offsets[v]; k < g.offsets[v + 1]; ++k)
              sum += static_cast<double>(weights[k]);
            if (!std::isfinite(sum))
              throw input_error(g.name + ": the weights of vertex " +
                                std::to_string(g.names.name(v)) + " add up to infinity");
            sums[v] = sum;
          }
      },
      g.weights);
  return sums;
}

template <class Value>
shared_array<Value> shares(const graph& in, const shared_array<double>& out_weight) {
  auto result = make_array<Value>(static_cast<std::size_t>(in.arcs()));
  in.visit([&](const auto& rows) {
    std::visit(
        [&](const auto& weights) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
            for (std::int64_t k = 0; k < in.arcs(); ++k) {
              const double whole = out_weight[static_cast<std::size_t>(rows.indices[k])];
              result[k] =
                  static_cast<Value>(whole > 0 ? static_cast<double>(weights[k]) / whole : 0.0);
            }
        },
        in.weights);
  });
  return result;
}

template shared_array<float> shares(const graph&, const shared_array<double>&);
template shared_array<double> shares(const graph&, const shared_array<double>&);

}  // namespace gossamer::pagerank_detail
