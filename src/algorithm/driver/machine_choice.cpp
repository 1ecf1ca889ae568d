// Facts of the graph, what they are worth on each side, and the words for it.
#include "gossamer/algorithm/machine_choice.hpp"

#include <cmath>

#include "algorithm/driver/call_estimate.hpp"
#include "algorithm/layouts/growth_facts.hpp"
#include "gossamer/base/configuration.hpp"

namespace gossamer {

namespace {

/// GPUs of this process that nobody asked for by name.
bool is_free(const machine& m) {
  const auto standard = configuration::default_machine();
  return m.spec() == "auto" && (!standard || *standard == "auto") && m.all_here() && m[0].is_cuda();
}

std::string in_microseconds(double estimate) {
  return std::to_string(std::llround(estimate)) + " us";
}

}  // namespace

machine_choice choose_machine(const machine& m, const graph& g, std::string_view algorithm) {
  if (!algorithm_detail::is_estimated(algorithm) || !is_free(m) || g.gpu >= 0)
    return {m.spec(), ""};
  algorithm_detail::call_facts facts{g.vertices(), g.arcs()};
  std::string by_levels;
  if (algorithm_detail::goes_by_levels(algorithm)) {
    const auto growth = algorithm_detail::growth_of(g);
    facts.levels = growth.levels;
    facts.reached = growth.reached;
    by_levels = ", by some " + std::to_string(std::llround(growth.levels)) + " levels";
  }
  const auto estimate = algorithm_detail::estimate_call(algorithm, facts);
  if (!estimate.cpus_are_faster()) return {m.spec(), ""};
  const std::string gpus = std::to_string(m.size()) + (m.size() == 1 ? " GPU" : " GPUs");
  return {"cpu", "cpu in place of " + gpus + ": a call is estimated at " +
                     in_microseconds(estimate.cpus) + " there, at " +
                     in_microseconds(estimate.gpu) + " on a GPU" + by_levels};
}

}  // namespace gossamer
