// Reverses arcs once a graph.
#include "algorithm/layouts/reversed_arcs.hpp"

#include <chrono>

#include "gossamer/placement/kept.hpp"

namespace gossamer::algorithm_detail {

std::shared_ptr<const graph> reversed_arcs(const graph& g, const std::stop_token& stop,
                                           double& seconds) {
  seconds = 0;
  if (g.symmetric) return nullptr;
  return kept::of_graph<graph>(g, "reversed", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<graph>(bare.transposed(stop));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
  });
}

}  // namespace gossamer::algorithm_detail
