// PageRank as callers see it: options checked, arcs reversed and weights shared out once, then one
// iteration a run.
#include <cmath>

#include "algorithm/driver/chosen_ranks.hpp"
#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/readable.hpp"
#include "algorithm/driver/tables.hpp"
#include "algorithm/pagerank/async/async.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "algorithm/pagerank/sync/solver.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer {

using pagerank_detail::layout_of, pagerank_detail::problem_of;

namespace {

/// The measurements are in docs/design/pagerank.md.
algorithm_detail::settled<pagerank_options> settle(const machine& m,
                                                   const pagerank_options& asked) {
  auto s = algorithm_detail::settle(
      algorithm_detail::pagerank_table(), asked, m,
      [&](const pagerank_options&) -> algorithm_detail::engine_choice {
        return {"sync", m[0].is_cuda() ? "chosen, faster than async on GPUs"
                                       : "chosen, faster than async wherever both were measured"};
      });
  const int bits = s.options.precision;
  require(bits == 32 || bits == 64,
          "pagerank: precision " + std::to_string(bits) + " is neither 32 nor 64");
  if (s.engine.name != "sync") pagerank_detail::check_async(s.options, s.engine.name);
  return s;
}

/// An iteration moves columns and five numbers a row, at about 3 MB a microsecond as far as was
/// measured (two H200, kron:22: 0.64 ms on one, 0.37 on both). To agree takes several GPUs 3 us for
/// each doubling of their number.
algorithm_detail::chosen_ranks choose_ranks(const machine& all, const pagerank_options& o,
                                            bool async, std::int64_t vertices, std::int64_t arcs) {
  constexpr double bytes_per_us = 3e6, us_per_doubling = 3;
  const std::int64_t bytes = 4 * arcs + 5 * (o.precision / 8) * vertices;
  const int ranks = all.size();
  // Asking for engine async or host asks for all these ranks, as with searches.
  const rank_use use = algorithm_detail::use_of(o);
  if (async || !algorithm_detail::may_use_fewer(all)) return {all, use, ""};
  const double saved = static_cast<double>(bytes) / bytes_per_us * (1 - 1.0 / ranks);
  const std::string why = saved > us_per_doubling * std::log2(ranks)
                              ? ""
                              : "to agree takes several longer than one takes to read the " +
                                    std::to_string(bytes) + " bytes of an iteration";
  return {all, use, why};
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
  require(sum > 0, who + " does not add up to more than zero");
  require(std::isfinite(sum), who + " adds up to more than double precision holds");
  shared_array<double> scaled(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) scaled[i] = values[i] / sum;
  return scaled;
}

/// Without the weights that no step looks at.
graph followed(graph g, const pagerank_options& o) {
  if (!o.weighted) g.weights = {};
  return g;
}

}  // namespace

struct pagerank_solver::state {
  graph_file file;
  algorithm_detail::chosen_ranks where;
  machine* on;
  std::int64_t vertices;
  int precision;
  algorithm_detail::engine_choice engine;
  run_options run;
  ordered_rows what;  ///< engine sync
  std::unique_ptr<pagerank_detail::solver> solver;
};

pagerank_solver::pagerank_solver(machine& all, const graph& g, const pagerank_options& given) {
  auto [asked, engine] = settle(all, given);
  const bool async = engine.name != "sync";
  algorithm_detail::require_readable(all, g, !async);
  state_ = std::make_unique<state>(state{graph_file(g),
                                         choose_ranks(all, asked, async, g.vertices(), g.arcs()),
                                         nullptr,
                                         g.vertices(),
                                         asked.precision,
                                         std::move(engine),
                                         asked.run,
                                         {},
                                         nullptr});
  state& s = *state_;
  s.on = &s.where.of(all);
  machine& m = *s.on;
  auto p = problem_of(m, g, asked, async);
  layout_of(m, p, asked, async).plan(asked.memory).check();
  const graph walked = followed(g, asked);
  auto terms = algorithm_detail::common_terms(m, "pagerank", asked.run.cancel);
  terms.graph(walked);
  std::shared_ptr<const placed_graph> placed;
  if (async) {
    placed = kept::place(m, walked, algorithm_detail::placement_by_arcs(asked));
    terms.layout(*placed);
    if (p.rows.rows_are != certainty::exact) {  // METIS's shares are known now
      p.rows = rows_of(*placed);
      layout_of(m, p, asked, async).plan(asked.memory).check();
    }
  } else {
    s.what = {m, walked, pagerank_detail::ranges_of(m, asked), pagerank_detail::balanced_by(m),
              algorithm_detail::threads_here(m)};
    terms.partition(s.what.ranges().first, s.what.vertices().span());
    if (p.ranges.are != certainty::exact) {  // the same
      p.ranges = s.what.ranges();
      layout_of(m, p, asked, async).plan(asked.memory).check();
    }
  }
  pagerank_options options = asked;
  options.engine = s.engine.name;
  options.part_of = {};  // divided: nobody keeps a copy
  options.run.arenas = layout_of(m, p, asked, async).arenas();
  add_terms(terms, algorithm_detail::pagerank_table(), asked);
  options.run.terms = terms.add("engine", s.engine.name).all();
  s.run = options.run;
  if (async)
    s.solver = pagerank_detail::make_async_solver(std::move(placed), walked, options);
  else
    s.solver = pagerank_detail::make_solver(m, s.what.rows(), options, p.ranges.first);
  s.what.drop_rows();
}

pagerank_solver::~pagerank_solver() = default;
pagerank_solver::pagerank_solver(pagerank_solver&&) noexcept = default;

namespace {

/// `g`: a graph or its shape.
template <class Graph>
memory_plan plan_on(const machine& all, const Graph& g, std::int64_t vertices, std::int64_t arcs,
                    const pagerank_options& asked) {
  const auto [options, engine] = settle(all, asked);
  const bool async = engine.name != "sync";
  const auto ranks = choose_ranks(all, options, async, vertices, arcs);
  const machine& m = ranks.of(all);
  return layout_of(m, problem_of(m, g, options, async), options, async).plan(options.memory);
}

}  // namespace

memory_plan pagerank_solver::plan(const machine& all, const graph& g,
                                  const pagerank_options& options) {
  return plan_on(all, g, g.vertices(), g.arcs(), options);
}

memory_plan pagerank_solver::plan(const machine& all, const graph_shape& g,
                                  const pagerank_options& options) {
  return plan_on(all, g, g.vertices, g.arcs, options);
}

pagerank_result pagerank_solver::run(std::span<const double> personalization,
                                     std::span<const double> start) {
  auto& s = *state_;
  s.file.check();
  const auto jumps = distribution(personalization, s.vertices, "personalization");
  const auto first = distribution(start, s.vertices, "start");
  pagerank_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.ranks_used = s.on->size();
  result.ranks_reason = s.where.reason();
  if (s.vertices == 0) {
    result.converged = true;
    if (s.precision == 64) result.ranks = shared_array<double>();
    return result;
  }
  const auto jumps_by_row = s.what.by_row(jumps), start_by_row = s.what.by_row(first);
  pagerank_detail::set_inputs(s.run, jumps_by_row, start_by_row);
  s.solver->run(jumps_by_row, start_by_row, s.run, result);
  if (s.what.ranges().moved)
    result.ranks = std::visit(
        [&](const auto& ranks) { return rank_array(s.what.by_vertex(ranks)); }, result.ranks.get());
  if (s.run.trace)
    s.run.trace->describe("pagerank", result.milliseconds, {{"iterations", result.iterations}});
  return result;
}

void pagerank_solver::follow(const run_options& how) {
  state_->run.follow(how);
}

std::shared_ptr<pagerank_solver> pagerank_solver::prepare(machine& all, const graph& g,
                                                          const pagerank_options& o) {
  return kept::alone<pagerank_solver>(
      all, g,
      kept::text("pagerank", kept_text(algorithm_detail::pagerank_table(), o), o.part_of,
                 configuration::memory()),
      [&](const graph& bare) {
        return std::make_shared<pagerank_solver>(all, bare, kept::without_trace(o));
      });
}

pagerank_result pagerank(machine& m, const graph& g, const pagerank_options& options,
                         std::span<const double> personalization) {
  return kept::run(
      pagerank_solver::prepare(m, g, options), options.run,
      [personalization](pagerank_solver& solver) { return solver.run(personalization); });
}

}  // namespace gossamer
