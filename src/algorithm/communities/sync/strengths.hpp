// Weights as integers, and the strengths of the caller's vertices: what their arcs weigh.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <type_traits>
#include <variant>

#include "algorithm/communities/planning.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::communities_detail {

/// Whether 32 bits hold all sums of weights.
inline bool is_narrow(const problem& p) {
  return !p.weighted && 2 * p.arcs <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
}

/// Fills `strengths`, by vertex; their sum. Loops count twice. weight(arc) is asked once.
template <class Id, class Weight>
std::int64_t add_up(const graph& of, std::int64_t* strengths, int threads,
                    const std::stop_token& stop, const Weight& weight) {
  struct sum {
    std::int64_t of = 0;
    void operator+=(const sum& other) { of += other.of; }
  };
  const auto rows = of.view<Id>();
  const std::int64_t whole =
      sum_pieces<sum>(
          cpu_team{threads}, rows.vertices(), 4096,
          [&](std::int64_t first, std::int64_t last, sum& all) {
            if (stop.stop_requested()) return;
            for (std::int64_t v = first; v < last; ++v) {
              std::int64_t strength = 0;
              for (edge_offset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc) {
                const std::int64_t w = weight(arc);
                strength += static_cast<std::int64_t>(rows.indices[arc]) == v ? 2 * w : w;
              }
              strengths[v] = strength;
              all.of += strength;
            }
          })
          .of;
  if (stop.stop_requested()) throw cancelled_error("communities: stopped");
  return whole;
}

/// The same, and `weights` of arcs where the graph has any: as they are, or in units of a power of
/// two so small that all together take 62 bits.
template <class Id, class Sum>
std::int64_t weigh(const graph& of, std::int64_t* strengths, Sum* integers, int threads,
                   const std::stop_token& stop) {
  return std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (std::is_same_v<Weights, std::monostate>) {
          return add_up<Id>(of, strengths, threads, stop, [](edge_offset) { return Sum{1}; });
        } else {
          using weight = std::decay_t<decltype(*weights.data())>;
          const double all = 2 * static_cast<double>(of.arcs()) *
                             algorithm_detail::check_weights(of, "communities needs", stop).mean;
          int shift = all > 0 ? 61 - std::ilogb(all) : 0;
          if (std::is_integral_v<weight>) shift = std::min(shift, 0);
          return add_up<Id>(of, strengths, threads, stop, [&](edge_offset arc) {
            const double w = static_cast<double>(weights[static_cast<std::size_t>(arc)]);
            return integers[arc] = static_cast<Sum>(std::llrint(std::ldexp(w, shift)));
          });
        }
      },
      of.weights);
}

}  // namespace gossamer::communities_detail
