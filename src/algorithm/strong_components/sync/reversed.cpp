// Reverses arcs once a graph.
#include "algorithm/strong_components/sync/reversed.hpp"

#include <chrono>

#include "gossamer/placement/kept.hpp"

namespace gossamer::strong_components_detail {

std::shared_ptr<const graph> reversed_of(const preparation& from, double& seconds) {
  seconds = 0;
  if (from.of.symmetric) return nullptr;
  return kept::of_graph<graph>(from.of, "reversed", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<graph>(bare.transposed(from.options.run.cancel));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
  });
}

}  // namespace gossamer::strong_components_detail
