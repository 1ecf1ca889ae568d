// Linear models, fitted to the tables of docs/design/families.md: one H200, two cores beside it.
// More cores are not counted on: graphs that leave the GPU have levels of one thread's work.
#include "algorithm/driver/call_estimate.hpp"

#include <algorithm>
#include <array>

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

/// Microseconds of a call and for each.
struct side_costs {
  double call, vertex, arc, level;
};

/// Those whose cost is the same for all vertices, arcs and levels.
struct linear_costs {
  std::string_view algorithm;
  side_costs cpus, gpu;
};

constexpr double iterations = 50;     // of PageRank
constexpr double value = 4 / copied;  // of a vertex, to the host

constexpr std::array<linear_costs, 11> linear{{
    {"components", {call_of_cpus, 8e-3, 0.05e-3, 0}, {call_of_gpu + 45, value, 0.03e-3, 0}},
    {"pagerank",
     {call_of_cpus, iterations * 2e-3, iterations * 0.3e-3, 0},
     {call_of_gpu + iterations * 12, value, iterations * 0.5e-6, 0}},
    {"triangles", {60, 0, 10e-3, 0}, {180, 5e-3, 0.4e-3, 0}},
    {"core_numbers", {50, 31e-3, 2.2e-3, 0}, {250, 0, 2e-3, 0}},
    {"strong_components", {50, 35e-3, 2e-3, 0}, {250, 0, 0.1e-3, 6}},
    {"spanning_forest", {40, 45e-3, 8e-3, 0}, {450, 3.6e-3, 0.1e-3, 0}},
    {"communities", {200, 250e-3, 95e-3, 0}, {2500, 100e-3, 60e-3, 0}},
    // Of 16 sources. With more of them both sides take longer in proportion.
    {"betweenness", {300, 260e-3, 2e-3, 0}, {400, 0, 0.55e-3, 6.4}},
    // Of 64 sources.
    {"distances", {400, 800e-3, 0, 0}, {700, 0, 1e-3, 33}},
    {"diameter", {100, 450e-3, 0, 0}, {1000, 0, 0.3e-3, 160}},
    {"random_walks", {230, 300e-3, 0, 0}, {290, 8.6e-3, 0, 0}},
}};

const linear_costs* linear_of(std::string_view algorithm) {
  const auto* const at = std::find_if(linear.begin(), linear.end(), [&](const linear_costs& l) {
    return l.algorithm == algorithm;
  });
  return at == linear.end() ? nullptr : at;
}

double cost(const side_costs& of, const call_facts& f) {
  return of.call + of.vertex * static_cast<double>(f.vertices) +
         of.arc * static_cast<double>(f.arcs) + of.level * f.levels;
}

bool is_search(std::string_view algorithm) {
  return algorithm == "bfs" || algorithm == "sssp";
}

}  // namespace

bool is_estimated(std::string_view algorithm) {
  return is_search(algorithm) || linear_of(algorithm) != nullptr;
}

bool goes_by_levels(std::string_view algorithm) {
  const linear_costs* const of = linear_of(algorithm);
  return is_search(algorithm) || (of != nullptr && of->gpu.level > 0);
}

call_estimate estimate_call(std::string_view algorithm, const call_facts& f) {
  const auto n = static_cast<double>(f.vertices);
  const auto m = static_cast<double>(f.arcs);
  if (n == 0) return {call_of_cpus, call_of_gpu};
  if (const linear_costs* const of = linear_of(algorithm))
    return {cost(of->cpus, f), cost(of->gpu, f)};
  const double searched = m * f.reached / n;  // arcs
  if (algorithm == "bfs") {
    // Going up, a search of few levels looks at few arcs.
    const double looks_of_gpu = searched * std::min(1.0, f.levels / 100);
    const double looks_of_cpus = searched * std::clamp(f.levels / 30, 0.2, 1.0);
    return {call_of_cpus + 1.5e-3 * n + 8e-3 * f.reached + 1e-3 * looks_of_cpus,
            call_of_gpu + 12 * n / copied + f.levels * level_cost({1.15, 2.2, 3.3, 5}, f) +
                0.12e-3 * looks_of_gpu};
  }
  return {call_of_cpus + 1.5e-3 * n + 22e-3 * f.reached + 3e-3 * searched,
          call_of_gpu + 150 + 4 * n / copied + f.levels * level_cost({1.8, 4, 14, 29}, f) +
              0.04e-3 * searched};
}

}  // namespace gossamer::algorithm_detail
