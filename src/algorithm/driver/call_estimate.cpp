// Linear models, fitted to the tables of docs/design/families.md: one H200, two cores of an EPYC.
// More cores are not counted on: graphs that leave the GPU have levels of one thread's work.
#include "algorithm/driver/call_estimate.hpp"

#include <algorithm>

namespace gossamer::algorithm_detail {

namespace {

constexpr double call_of_gpu = 60, call_of_cpus = 10;
constexpr double copied = 20e3;  // bytes a microsecond to the host

/// Of a search, a level: threads that find little to do at a time wait for each other, and for long
/// rows.
struct level_costs {
  double narrow, short_rows, rows_of_warps, long_rows;
};

double level_cost(const level_costs& costs, const call_facts& f) {
  const double width = f.reached / f.levels;
  const double mean = static_cast<double>(f.arcs) / static_cast<double>(f.vertices);
  if (width < 4 || (width < 32 && mean <= 4)) return costs.narrow;
  return mean <= 4 ? costs.short_rows : mean <= 32 ? costs.rows_of_warps : costs.long_rows;
}

}  // namespace

bool is_search(std::string_view algorithm) {
  return algorithm == "bfs" || algorithm == "sssp";
}

call_estimate estimate_call(std::string_view algorithm, const call_facts& f) {
  const auto n = static_cast<double>(f.vertices);
  const auto m = static_cast<double>(f.arcs);
  if (n == 0) return {call_of_cpus, call_of_gpu};
  const double searched = m * f.reached / n;  // arcs
  if (algorithm == "bfs") {
    // Going up, a search of few levels looks at few arcs.
    const double looks_of_gpu = searched * std::min(1.0, f.levels / 100);
    const double looks_of_cpus = searched * std::clamp(f.levels / 30, 0.2, 1.0);
    return {call_of_cpus + 1.5e-3 * n + 8e-3 * f.reached + 1e-3 * looks_of_cpus,
            call_of_gpu + 12 * n / copied + f.levels * level_cost({1.15, 2.2, 3.3, 5}, f) +
                0.12e-3 * looks_of_gpu};
  }
  if (algorithm == "sssp")
    return {call_of_cpus + 1.5e-3 * n + 22e-3 * f.reached + 3e-3 * searched,
            call_of_gpu + 150 + 4 * n / copied + f.levels * level_cost({1.8, 4, 14, 29}, f) +
                0.04e-3 * searched};
  if (algorithm == "components")
    return {call_of_cpus + 8e-3 * n + 0.05e-3 * m, call_of_gpu + 45 + 4 * n / copied + 0.03e-3 * m};
  constexpr double iterations = 50;
  return {call_of_cpus + iterations * (2e-3 * n + 0.3e-3 * m),
          call_of_gpu + 4 * n / copied + iterations * (12 + 0.5e-6 * m)};
}

}  // namespace gossamer::algorithm_detail
