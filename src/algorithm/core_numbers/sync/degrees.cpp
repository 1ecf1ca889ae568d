// Counts degrees once a graph, by the threads of the ranks; for GPUs, by those of the host.
#include "algorithm/core_numbers/sync/degrees.hpp"

#include <algorithm>
#include <chrono>

#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::core_numbers_detail {

namespace {

using algorithm_detail::simple_degrees;

/// One where there is not enough to do for several.
int counting_threads(const machine& m, std::int64_t arcs) {
  constexpr std::int64_t worth_a_team = std::int64_t{1} << 16;
  if (arcs < worth_a_team || m[0].model != nullptr) return 1;
  return m[0].is_cuda() ? host().cores : std::clamp(threads_of(m), 1, host().cores);
}

}  // namespace

int threads_of(const machine& m) {
  int threads = 0;
  for (int r = 0; r < m.size(); ++r) threads += m[r].threads;
  return threads;
}

std::shared_ptr<const simple_degrees> degrees_of(const preparation& from, double& seconds) {
  seconds = 0;
  return kept::of_graph<simple_degrees>(from.of, "simple degrees", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<simple_degrees>(algorithm_detail::count_simple_degrees(
        bare, counting_threads(from.on, bare.arcs()), from.options.run.cancel));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
  });
}

}  // namespace gossamer::core_numbers_detail
