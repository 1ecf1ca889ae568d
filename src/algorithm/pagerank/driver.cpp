// PageRank as callers see it: options checked, arcs reversed and weights shared out once, then one
// iteration a run.
#include <cmath>

#include "algorithm/engine_choice.hpp"
#include "algorithm/hub_order.hpp"
#include "algorithm/pagerank/async.hpp"
#include "algorithm/pagerank/gpu_rows.hpp"
#include "algorithm/pagerank/gpu_solver.hpp"
#include "algorithm/pagerank/iteration.hpp"
#include "algorithm/pagerank/solver.hpp"
#include "algorithm/row_ranges.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/arena.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

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

/// What a plan is made from.
struct problem {
  std::int64_t vertices, arcs;
  int id_width;
  bool symmetric;
  bool skewed;                        ///< or not known not to be
  std::vector<std::int64_t> first;    ///< row ranges of engine async, and of GPUs
  std::vector<std::int64_t> in_arcs;  ///< [ranks] of these ranges; GPUs only
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  /// Of a GPU's part: which rows it has is known when there is a graph.
  certainty rows_are = certainty::at_most;
};

std::size_t vector_bytes(const machine& m, std::int64_t n, const pagerank_options& o) {
  const std::int64_t block = (n + m.size() - 1) / m.size();
  return static_cast<std::size_t>(block * m.size() * (o.precision / 8));
}

arena_plan arena_of(const machine& m, int r, std::int64_t n, const pagerank_options& o) {
  const std::size_t vector = vector_bytes(m, n, o);
  arena_plan plan;
  plan.native = vector + 512;
  plan.host = std::size_t{1} << 16;
  if (m.size() > 1) {
    const std::size_t more = pagerank_detail::collective_bytes(vector, m[r].model != nullptr);
    plan.native += more;
    plan.host += more;
  }
  if (!m.all_here()) plan.host += vector + 256;
  return plan;
}

memory_plan plan_async(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  const certainty lists =
      m.size() > 1 && p.arcs_are != certainty::exact ? certainty::about : p.vertices_are;
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const auto b = pagerank_detail::async_bytes_on(m, p.first, r, p.id_width);
    plan.add(r, memory_kind::host, "known residuals and worklists", b.work, lists);
    plan.add(r, memory_kind::host, "inbox", b.windows);
    plan.add(r, memory_kind::host, "gathered ranks", b.gathered, p.vertices_are);
    plan.add(r, memory_kind::host, "tables of windows", 2 * overhead);
  }
  const int rounded = o.precision == 32 ? 4 : 0;  // sums are kept until they are
  plan.add(first_here, memory_kind::host, "ranks", p.vertices * (8 + rounded), p.vertices_are);
  plan.add(first_here, memory_kind::host, "weights of vertices", p.vertices * 8, p.vertices_are);
  plan.add(first_here, memory_kind::host, "jumps", p.vertices * 8, certainty::at_most);
  plan.limit_to(m, o.memory);
  return plan;
}

pagerank_detail::gpu_bytes gpu_bytes_on(const machine& m, const problem& p, int r,
                                        const pagerank_options& o) {
  const auto i = static_cast<std::size_t>(r);
  return pagerank_detail::gpu_bytes_on(m.size(), p.vertices, p.first[i + 1] - p.first[i],
                                       p.in_arcs[i], o);
}

memory_plan plan_gpus(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  const std::int64_t ranks = p.vertices * (o.precision / 8);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  const certainty rows = p.rows_are;
  for (int r = 0; r < m.size(); ++r) {
    const auto b = gpu_bytes_on(m, p, r, o);
    plan.add(r, memory_kind::device, "rows", b.rows, rows);
    plan.add(r, memory_kind::device, "offers and ranks", static_cast<std::int64_t>(b.arena.native),
             rows);
    plan.add(r, memory_kind::device, "tables of windows", overhead);
    plan.add(r, memory_kind::host, "agreement and tables of windows",
             static_cast<std::int64_t>(b.arena.host) + overhead);
  }
  plan.add(0, memory_kind::host, "rows before they are uploaded",
           pagerank_detail::gpu_layout_bytes(m.size(), p.vertices, p.arcs, p.symmetric, o), rows);
  plan.add(0, memory_kind::host, "ranks", 2 * ranks, p.vertices_are);
  plan.add(0, memory_kind::host, "jumps and start", p.vertices * 24, certainty::at_most);
  plan.limit_to(m, o.memory);
  return plan;
}

memory_plan make_plan(const machine& m, const problem& p, const pagerank_options& o) {
  if (choose_engine(m, o).name == "async") return plan_async(m, p, o);
  if (m[0].is_cuda()) return plan_gpus(m, p, o);
  memory_plan plan;
  const int width = o.precision / 8;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const arena_plan arena = arena_of(m, r, p.vertices, o);
    plan.add(r, memory_kind::host, "offers", static_cast<std::int64_t>(arena.native),
             p.vertices_are);
    plan.add(r, memory_kind::host, "agreement and gathered ranks",
             static_cast<std::int64_t>(arena.host), p.vertices_are);
    plan.add(r, memory_kind::host, "tables of windows", 2 * overhead);
  }
  plan.add(first_here, memory_kind::host, "ranks", p.vertices * width, p.vertices_are);
  plan.add(first_here, memory_kind::host, "weights of vertices", p.vertices * (8 + width),
           p.vertices_are);
  plan.add(first_here, memory_kind::host, "jumps and start", p.vertices * 16, certainty::at_most);
  if (o.weighted)
    plan.add(first_here, memory_kind::host, "shares of arcs", p.arcs * width, p.arcs_are);
  if (!p.symmetric)
    plan.add(first_here, memory_kind::host, "arcs reversed",
             (p.vertices + 1) * 8 + p.arcs * (p.id_width + (o.weighted ? 8 : 0)), p.arcs_are);
  if (p.skewed)
    plan.add(first_here, memory_kind::host, "columns in order", (p.vertices + p.arcs) * p.id_width,
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  plan.limit_to(m, o.memory);
  return plan;
}

arena_plan async_arena(const machine& m, const graph& g, int r) {
  const auto b = pagerank_detail::async_bytes_on(
      m, algorithm_detail::arc_ranges(g.offsets.span(), m.size()), r, g.id_width());
  arena_plan plan;
  plan.native = static_cast<std::size_t>(b.windows) + 4096;
  plan.host = static_cast<std::size_t>(b.gathered) + 4096;
  return plan;
}

bool bounded(const graph_shape& g) {
  return g.vertices_are != certainty::about && g.arcs_are != certainty::about;
}

problem problem_of(const machine& m, const graph& g) {
  problem p{g.vertices(),
            g.arcs(),
            g.id_width(),
            g.symmetric,
            algorithm_detail::is_skewed(g.offsets.span()),
            algorithm_detail::arc_ranges(g.offsets.span(), m.size()),
            {}};
  if (!m[0].is_cuda()) return p;
  const auto divided = pagerank_detail::divide_rows(g, m.size());
  p.first = divided.first;
  for (int r = 0; r < m.size(); ++r)
    p.in_arcs.push_back(divided.in_offsets[static_cast<std::size_t>(p.first[r + 1])] -
                        divided.in_offsets[static_cast<std::size_t>(p.first[r])]);
  return p;
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
  const problem p = problem_of(m, g);
  make_plan(m, p, asked).check();
  const bool async = engine.name == "async";
  pagerank_options options = asked;
  options.run.arenas.clear();
  for (int r = 0; r < m.size(); ++r)
    options.run.arenas.push_back(async            ? async_arena(m, g, r)
                                 : m[r].is_cuda() ? gpu_bytes_on(m, p, r, options).arena
                                                  : arena_of(m, r, g.vertices(), options));
  const auto make = async ? pagerank_detail::make_async_solver : pagerank_detail::make_solver;
  state_ = std::make_unique<state>(state{g.vertices(), options.precision, std::move(engine),
                                         options.run.trace, make(m, g, options)});
}

pagerank_solver::~pagerank_solver() = default;
pagerank_solver::pagerank_solver(pagerank_solver&&) noexcept = default;

memory_plan pagerank_solver::plan(const machine& m, const graph& g,
                                  const pagerank_options& options) {
  check_options(options);
  return make_plan(m, problem_of(m, g), options);
}

memory_plan pagerank_solver::plan(const machine& m, const graph_shape& g,
                                  const pagerank_options& options) {
  check_options(options);
  const std::vector<std::int64_t> in_arcs(static_cast<std::size_t>(m.size()),
                                          (g.arcs + m.size() - 1) / m.size());
  return make_plan(
      m,
      {g.vertices, g.arcs, g.id_width, g.symmetric, true,
       algorithm_detail::even_ranges(g.vertices, m.size()), in_arcs, g.vertices_are, g.arcs_are,
       m.size() == 1 && bounded(g) ? certainty::at_most : certainty::about},
      options);
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
