// Counts degrees once a graph, by the threads of the ranks; for GPUs, by those of the host.
#include "algorithm/core_numbers/sync/degrees.hpp"

#include <chrono>

#include "algorithm/driver/host_threads.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::core_numbers_detail {

using algorithm_detail::simple_degrees;

std::shared_ptr<const simple_degrees> degrees_of(const preparation& from, double& seconds) {
  seconds = 0;
  return kept::of_graph<simple_degrees>(from.of, "simple degrees", [&](const graph& bare) {
    const auto begin = std::chrono::steady_clock::now();
    auto made = std::make_shared<simple_degrees>(algorithm_detail::count_simple_degrees(
        bare, algorithm_detail::threads_before_runs(from.on, bare.arcs()),
        from.options.run.cancel));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return made;
  });
}

}  // namespace gossamer::core_numbers_detail
