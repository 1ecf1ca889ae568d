// PageRank as callers see it: options checked, arcs reversed and weights shared out once, then one
// iteration a run.
#include <cmath>

#include "algorithm/engine_choice.hpp"
#include "algorithm/pagerank/async.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "algorithm/pagerank/solver.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

using pagerank_detail::make_arenas, pagerank_detail::make_plan, pagerank_detail::problem_of;

namespace {

void check_options(const pagerank_options& o) {
  require(o.damping >= 0 && o.damping <= 1, "pagerank: damping is not in 0 … 1");
  require(o.tolerance >= 0, "pagerank: the tolerance must not be negative");
  require(o.most_iterations >= 0, "pagerank: the number of iterations must not be negative");
  require(o.precision == 32 || o.precision == 64,
          "pagerank: precision " + std::to_string(o.precision) + " is neither 32 nor 64");
}

/// The measurements are in docs/design/pagerank.md.
algorithm_detail::engine_choice choose_engine(const machine& m, const pagerank_options& o) {
  auto engine = algorithm_detail::choose_engine(
      "pagerank", o.engine, m,
      m[0].is_cuda() ? "chosen, the only one on GPUs"
                     : "chosen, faster than async wherever both were measured",
      algorithm_detail::gpu_form::sync);
  if (engine.name == "async") pagerank_detail::check_async(o);
  return engine;
}

/// `values` scaled to sum to 1; empty stays empty.
shared_array<double> distribution(std::span<const double> values, std::int64_t n,
                                  const char* name) {
  if (values.empty()) return {};
  const std::string who = std::string("pagerank: the ") + name;
  require(static_cast<std::int64_t>(values.size()) == n,
          who + " has " + std::to_string(values.size()) + " entries, the graph has " +
              std::to_string(n) + " vertices");
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(values[i] >= 0 && std::isfinite(values[i]),
            who + "'s entry " + std::to_string(i) + " is not a number of zero or more");
    sum += values[i];
  }
  require(sum > 0 && std::isfinite(sum), who + " does not add up to more than zero");
  shared_array<double> scaled(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) scaled[i] = values[i] / sum;
  return scaled;
}

}  // namespace

struct pagerank_solver::state {
  std::int64_t vertices;
  int precision;
  algorithm_detail::engine_choice engine;
  std::shared_ptr<timeline> trace;
  std::unique_ptr<pagerank_detail::solver> solver;
};

pagerank_solver::pagerank_solver(machine& m, const graph& g, const pagerank_options& asked) {
  check_options(asked);
  auto engine = choose_engine(m, asked);
  const auto p = problem_of(m, g);
  const bool async = engine.name == "async";
  make_plan(m, p, asked, async).check();
  pagerank_options options = asked;
  options.run.arenas = make_arenas(m, p, asked, async);
  const auto make = async ? pagerank_detail::make_async_solver : pagerank_detail::make_solver;
  state_ = std::make_unique<state>(state{g.vertices(), options.precision, std::move(engine),
                                         options.run.trace, make(m, g, options)});
}

pagerank_solver::~pagerank_solver() = default;
pagerank_solver::pagerank_solver(pagerank_solver&&) noexcept = default;

memory_plan pagerank_solver::plan(const machine& m, const graph& g,
                                  const pagerank_options& options) {
  check_options(options);
  const bool async = choose_engine(m, options).name == "async";
  return make_plan(m, problem_of(m, g), options, async);
}

memory_plan pagerank_solver::plan(const machine& m, const graph_shape& g,
                                  const pagerank_options& options) {
  check_options(options);
  const bool async = choose_engine(m, options).name == "async";
  return make_plan(m, problem_of(m, g), options, async);
}

pagerank_result pagerank_solver::run(std::span<const double> personalization,
                                     std::span<const double> start) {
  auto& s = *state_;
  const auto jumps = distribution(personalization, s.vertices, "personalization");
  const auto first = distribution(start, s.vertices, "start");
  pagerank_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  if (s.vertices == 0) {
    result.converged = true;
    if (s.precision == 64) result.ranks = shared_array<double>();
    return result;
  }
  s.solver->run(jumps, first, result);
  if (s.trace)
    s.trace->describe("pagerank", result.milliseconds, {{"iterations", result.iterations}});
  return result;
}

pagerank_result pagerank(machine& m, const graph& g, const pagerank_options& options,
                         std::span<const double> personalization) {
  return pagerank_solver(m, g, options).run(personalization);
}

}  // namespace gossamer
