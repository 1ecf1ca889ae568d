// PageRank as callers see it: options checked, arcs reversed and weights shared out once, then one
// iteration a run.
#include <cmath>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/driver/readable.hpp"
#include "algorithm/pagerank/async/async.hpp"
#include "algorithm/pagerank/engine.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using pagerank_detail::layout_of, pagerank_detail::problem_of;

namespace {

/// The measurements are in docs/design/pagerank.md.
algorithm_detail::settled<pagerank_options> checked_options(const machine& m,
                                                            const pagerank_options& asked) {
  auto s = algorithm_detail::settle(
      asked, m, [&](const pagerank_options&) -> algorithm_detail::engine_choice {
        return {"sync", m[0].is_cuda() ? "chosen, faster than async on GPUs"
                                       : "chosen, faster than async wherever both were measured"};
      });
  const int bits = s.options.precision;
  require(bits == 32 || bits == 64,
          "pagerank: precision " + std::to_string(bits) + " is neither 32 nor 64");
  if (pagerank_detail::kind_of(s.engine.name).worklist)
    pagerank_detail::check_async(s.options, s.engine.name);
  return s;
}

/// An iteration moves columns and five numbers a row, at about 3 MB a microsecond as far as was
/// measured (two H200, kron:22: 0.64 ms on one, 0.37 on both). To agree takes several GPUs 3 us for
/// each doubling of their number.
algorithm_detail::chosen_ranks choose_ranks(const machine& all, const pagerank_options& o,
                                            std::int64_t vertices, std::int64_t arcs) {
  constexpr double bytes_per_us = 3e6, us_per_doubling = 3;
  const std::int64_t bytes = 4 * arcs + std::int64_t{5} * (o.precision / 8) * vertices;
  const int ranks = all.size();
  // Asking for engine async or host asks for all these ranks, as with searches.
  const rank_use use = algorithm_detail::use_of(o);
  if (pagerank_detail::kind_of(o.engine).worklist || !algorithm_detail::may_use_fewer(all))
    return {all, use, ""};
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
    require(values[i] >= 0 && std::isfinite(values[i]), [&] {
      return who + "'s entry " + std::to_string(i) + " is not a number of zero or more";
    });
    sum += values[i];
  }
  require(sum > 0, who + " does not add up to more than zero");
  require(std::isfinite(sum), who + " adds up to more than double precision holds");
  shared_array<double> scaled(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) scaled[i] = values[i] / sum;
  return scaled;
}

/// What all processes must have been given alike for a run.
void set_inputs(run_options& of, const shared_array<double>& jumps,
                const shared_array<double>& start) {
  algorithm_detail::set_term_array<double>(of, "personalization", jumps.span());
  algorithm_detail::set_term_array<double>(of, "start", start.span());
}

/// Without the weights that no step looks at.
graph followed(graph g, const pagerank_options& o) {
  if (!o.weighted) g.weights = {};
  return g;
}

}  // namespace

template <>
struct algorithm_detail::search_state<pagerank_solver>
    : algorithm_detail::prepared<pagerank_options> {
  using prepared::prepared;
  std::int64_t vertices = 0;
  ordered_rows what;  ///< of an engine that takes rows in the order of their ranks
  std::unique_ptr<pagerank_detail::solver> solver;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const pagerank_options& given) {
    auto asked = checked_options(all, given);
    const auto& kind = pagerank_detail::kind_of(asked.engine.name);
    algorithm_detail::require_readable(all, g, !kind.placed(all));
    auto ranks = choose_ranks(all, asked.options, g.vertices(), g.arcs());
    auto made = std::make_unique<search_state>(all, g, std::move(asked), std::move(ranks));
    search_state& s = *made;
    machine& m = *s.on;
    s.vertices = g.vertices();
    pagerank_options& options = s.options;
    auto p = problem_of(m, g, options);
    const graph walked = followed(g, options);
    if (kind.placed(m)) {
      const auto laid = algorithm_detail::plan_and_place(
          m, walked, options, std::move(p), algorithm_detail::placement_by_arcs(options));
      options.part_of = {};  // placed: nobody keeps a copy
      s.engine.reason += laid.needs.spilled_text();
      s.solver = kind.make({m, walked, laid.placed, {}, options, laid.needs});
      return made;
    }
    algorithm_detail::laid_out laid{nullptr,
                                    layout_of(m, p, options).plan(options.memory, options.spill)};
    laid.needs.check();
    auto terms = algorithm_detail::common_terms(m, "pagerank", options.run.cancel);
    terms.graph(walked);
    s.what = {m, walked, pagerank_detail::ranges_of(m, options), pagerank_detail::balanced_by(m),
              algorithm_detail::threads_here(m)};
    terms.partition(s.what.ranges().first, s.what.vertices().span());
    if (p.ranges.are != certainty::exact) {  // METIS's shares are known now
      p.ranges = s.what.ranges();
      laid.needs = layout_of(m, p, options).plan(options.memory, options.spill);
      laid.needs.check();
    }
    algorithm_detail::agree_on(terms, options, layout_of(m, p, options));
    options.part_of = {};  // divided: nobody keeps a copy
    s.engine.reason += laid.needs.spilled_text();
    s.solver =
        kind.make({m, s.what.rows(), nullptr, p.ranges.first, options, laid.needs, p.laid_by_host});
    s.what.drop_rows();
    return made;
  }

  static memory_plan plan(const machine& all, const graph& g, const pagerank_options& asked) {
    return plan(all, g, g.vertices(), g.arcs(), asked);
  }
  static memory_plan plan(const machine& all, const graph_shape& g, const pagerank_options& asked) {
    return plan(all, g, g.vertices, g.arcs, asked);
  }
  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& all, const Graph& g, std::int64_t vertices,
                          std::int64_t arcs, const pagerank_options& asked) {
    const auto options = checked_options(all, asked).options;
    const auto ranks = choose_ranks(all, options, vertices, arcs);
    const machine& m = ranks.of(all);
    return layout_of(m, problem_of(m, g, options), options).plan(options.memory, options.spill);
  }
};

template class prepared_search<pagerank_solver, pagerank_options>;

pagerank_result pagerank_solver::run(std::span<const double> personalization,
                                     std::span<const double> start) {
  auto& s = *state_;
  const auto jumps = distribution(personalization, s.vertices, "personalization");
  const auto first = distribution(start, s.vertices, "start");
  auto result = s.result<pagerank_result>();
  if (s.vertices == 0) {
    result.converged = true;
    if (s.options.precision == 64) result.ranks = shared_array<double>();
    return result;
  }
  const auto jumps_by_row = s.what.by_row(jumps), start_by_row = s.what.by_row(first);
  set_inputs(s.options.run, jumps_by_row, start_by_row);
  s.solver->run(jumps_by_row, start_by_row, s.options.run, result);
  s.file.check();
  if (s.what.ranges().moved)
    result.ranks = std::visit(
        [&](const auto& ranks) { return rank_array(s.what.by_vertex(ranks)); }, result.ranks.get());
  if (s.options.run.trace)
    s.options.run.trace->describe("pagerank", result.milliseconds,
                                  {{"iterations", result.iterations}}, result.engine);
  return result;
}

pagerank_result pagerank(machine& m, const graph& g, const pagerank_options& options,
                         std::span<const double> personalization) {
  return algorithm_detail::run_kept<pagerank_solver>(m, g, options, personalization);
}

}  // namespace gossamer
