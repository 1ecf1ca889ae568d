// What a call of an algorithm takes by each side's usual engine, by facts of the graph.
#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::algorithm_detail {

struct call_facts {
  std::int64_t vertices = 0, arcs = 0;
  double levels = 0;   ///< of a search; of algorithms that go by levels alone
  double reached = 0;  ///< vertices, likewise
};

/// Microseconds of a call on a graph that is laid out, results in host memory.
struct call_estimate {
  double cpus = 0, gpu = 0;
  [[nodiscard]] bool cpus_are_faster() const noexcept { return cpus < gpu; }
};

/// Whether there is an estimate.
bool is_estimated(std::string_view algorithm);
/// Whether it goes by levels.
bool goes_by_levels(std::string_view algorithm);
/// Of an algorithm that is estimated, with its usual options. It is there to tell the sides apart:
/// where they are far from each other, as on flat graphs, it may be off by several times
/// (docs/design/families.md).
call_estimate estimate_call(std::string_view algorithm, const call_facts& f);

}  // namespace gossamer::algorithm_detail
