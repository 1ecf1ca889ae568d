// Weights of each row as integers, added up in the order of arcs.
#include "algorithm/random_walks/sync/row_sums.hpp"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <variant>

#include "algorithm/random_walks/step.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::random_walks_detail {

namespace {

/// Vertices that a thread takes at once.
constexpr std::int64_t piece = 1024;

template <class Weight>
void add_up(const graph& g, const Weight* weights, row_sums& sums, std::int64_t first,
            std::int64_t last) {
  for (std::int64_t v = first; v < last; ++v) {
    const edge_offset begin = g.offsets[static_cast<std::size_t>(v)],
                      end = g.offsets[static_cast<std::size_t>(v) + 1];
    std::uint64_t up_to = 0;
    int shift = 0;
    if constexpr (!std::is_integral_v<Weight>) {
      double largest = 0;
      for (edge_offset arc = begin; arc < end; ++arc)
        largest = std::max(largest, static_cast<double>(weights[arc]));
      shift = weight_shift(largest, end - begin);
    }
    for (edge_offset arc = begin; arc < end; ++arc) {
      if constexpr (std::is_integral_v<Weight>)
        up_to += static_cast<std::uint64_t>(weights[arc]);
      else
        up_to += whole_weight(static_cast<double>(weights[arc]), shift);
      sums.up_to[static_cast<std::size_t>(arc)] = up_to;
    }
    sums.all[static_cast<std::size_t>(v)] = up_to;
  }
}

}  // namespace

std::shared_ptr<const row_sums> row_sums_of(const graph& g, int threads,
                                            const std::stop_token& stop, double& seconds) {
  seconds = 0;
  return kept::of_graph<row_sums>(g, "weights added up along rows", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<row_sums>();
    made->up_to = make_array<std::uint64_t>(static_cast<std::size_t>(bare.arcs()));
    made->all = make_array<std::uint64_t>(static_cast<std::size_t>(bare.vertices()));
    std::visit(
        [&]<class Weights>(const Weights& weights) {
          if constexpr (!std::is_same_v<Weights, std::monostate>)
            for_pieces(cpu_team{threads}, bare.vertices(), piece,
                       [&](std::int64_t first, std::int64_t last) {
                         if (stop.stop_requested()) return;
                         add_up(bare, weights.data(), *made, first, last);
                       });
        },
        bare.weights);
    if (stop.stop_requested()) throw cancelled_error("random_walks: stopped");
    const auto end = std::chrono::steady_clock::now();
    seconds = std::chrono::duration<double>(end - begin).count();
    return made;
  });
}

}  // namespace gossamer::random_walks_detail
