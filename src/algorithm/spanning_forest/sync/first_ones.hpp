// What engines on CPUs and on GPUs decide alike: how edges are numbered, and which are joined
// first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "algorithm/spanning_forest/sync/edge_order.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::spanning_forest_detail {

struct no_weight {};

/// Whether weight and arc are one number.
inline bool is_packed(std::size_t weight_width, std::int64_t arcs) {
  return weight_width <= sizeof(std::uint32_t) && arcs <= std::int64_t{1} << 32;
}

/// f(a weight of the graph's type), or of no_weight.
template <class F>
auto of_weights(const graph& g, const F& f) {
  return std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (std::is_same_v<Weights, std::monostate>)
          return f(no_weight{});
        else
          return f(std::decay_t<decltype(*weights.data())>{});
      },
      g.weights);
}

/// Up to where edges are joined alone at first: found among some arcs, drawn by a fixed rule. None
/// where there are too few for two parts.
template <class Rank>
std::optional<rank_and_arc> last_of_first(std::int64_t vertices, std::int64_t arcs,
                                          std::int64_t edges, const Rank& rank_of_arc) {
  // Edges for each vertex from which on there are two parts, and how many the first has.
  constexpr std::int64_t dense = 4, first_ones = 2, looks = 1 << 14;
  if (edges <= dense * vertices) return {};
  std::vector<rank_and_arc> some;
  some.reserve(looks);
  std::uint64_t draw = 1;
  for (std::int64_t i = 0; i < looks; ++i) {
    draw = draw * 6364136223846793005U + 1442695040888963407U;
    const auto arc = static_cast<std::int64_t>((draw >> 11) % static_cast<std::uint64_t>(arcs));
    some.emplace_back(rank_of_arc(arc), arc);
  }
  const auto at = some.begin() + looks * (first_ones * vertices) / edges;
  std::nth_element(some.begin(), at, some.end());
  return *at;
}

}  // namespace gossamer::spanning_forest_detail
