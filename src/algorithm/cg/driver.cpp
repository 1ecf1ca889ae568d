// The solver: matrix checked and split once, engines made once, then one run a right-hand side.
#include <algorithm>
#include <cmath>

#include "algorithm/cg/iteration.hpp"
#include "algorithm/cg/planning.hpp"
#include "algorithm/cg/ranks.hpp"
#include "algorithm/cg/sliced.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/prepared.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/placement/ordered_rows.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer {

namespace {

using cg_detail::local_matrix;

algorithm_detail::settled<cg_options> settle(const machine& m, const cg_options& asked) {
  const std::string lacks = lacks_for_one_kernel(m);
  auto s =
      algorithm_detail::settle(asked, m, [&](const cg_options&) -> algorithm_detail::engine_choice {
        return {lacks.empty() ? "single_kernel" : "fused", ""};
      });
  const auto& kind = cg_detail::kind_of(s.options);
  const bool one_kernel = kind.loop == cg_detail::method::single_kernel;
  if (const auto how = cg_detail::lacks_gpu_engines();
      (one_kernel || kind.libraries) && !how.empty())
    throw not_compiled("cg: engine " + s.engine.name, how);
  require(!one_kernel || lacks.empty(), "cg: engine single_kernel needs " + lacks);
  return s;
}

algorithm_detail::chosen_ranks choose_ranks(const machine& m, const graph& matrix,
                                            const cg_options& resolved) {
  const bool single_kernel = cg_detail::kind_of(resolved).loop == cg_detail::method::single_kernel;
  return {m, algorithm_detail::use_of(resolved), cg_detail::why_one_gpu(m, matrix, single_kernel)};
}

/// Six digits, however small.
void check_vector(std::span<const double> v, std::int64_t n, const char* name) {
  if (static_cast<std::int64_t>(v.size()) != n)
    throw usage_error(std::string("cg: ") + name + " has " + std::to_string(v.size()) +
                      " entries, the matrix has " + std::to_string(n) + " rows");
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!std::isfinite(v[i]))
      throw input_error(std::string("cg: ") + name + "[" + std::to_string(i) + "] is " +
                        (std::isnan(v[i]) ? "NaN" : "infinite"));
}

/// The caller's, who keeps it while it is looked at.
shared_array<double> view_of(std::span<const double> v) {
  return {const_cast<double*>(v.data()), v.size(), nullptr};
}

/// Where ranks are processes, each gets the whole solution and everybody's outcome.
void gather(rank& r, const local_matrix& part, const window<double>& gathered, std::span<double> x,
            std::vector<cg_detail::outcome>& outcomes) {
  gather_ranges<double>(
      r, gathered, part.first_row,
      x.subspan(static_cast<std::size_t>(part.first_row), static_cast<std::size_t>(part.rows)), x);
  algorithm_detail::gather_outcomes(r, outcomes);
}

}  // namespace

struct cg_solver::state : algorithm_detail::prepared<cg_options> {
  using prepared::prepared;
  std::string name;
  std::int64_t n = 0;
  ordered_rows order;  ///< without the rows: the layout has what is needed of them
  cg_detail::layout layout;
  std::vector<std::unique_ptr<cg_detail::cg_engine>> engines;
};

cg_solver::cg_solver(machine& all, const graph& matrix, const cg_options& asked) {
  graph_file(matrix).check();
  matrix.require_here();
  auto settled = settle(all, asked);
  cg_detail::check_matrix(matrix);
  auto ranks = choose_ranks(all, matrix, settled.options);
  state_ = std::make_unique<state>(all, matrix, std::move(settled), std::move(ranks));
  auto& s = *state_;
  const cg_options& options = s.options;
  machine& m = *s.on;
  s.name = matrix.name;
  s.n = matrix.vertices();
  const place_options how = cg_detail::ranges_of(options);
  // Rows are put in order before the layout, and so the rest of the plan, is known.
  memory_plan ordering;
  cg_detail::plan_order(ordering, m, matrix, plan_ranges(m, matrix, how), options);
  ordering.limit_to(m, options.memory);
  ordering.check();
  s.order = {m, matrix, how, balanced::out_arcs, algorithm_detail::threads_here(m)};
  s.layout = cg_detail::make_layout(m, s.order.rows(), s.order.ranges().first, options);
  s.order.drop_rows();
  const auto needs = cg_detail::layout_of(m, matrix, s.layout, s.order.ranges(), options);
  needs.plan(options.memory).check();
  auto terms = algorithm_detail::common_terms(m, "cg", options.run.cancel);
  terms.graph(matrix).partition(s.layout.first, s.order.vertices().span());
  cg_options used = options;
  used.exchange = s.layout.halo ? cg_exchange::halo : cg_exchange::allgather;
  algorithm_detail::agree_on(terms, used, needs);
  s.options.run = used.run;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) {
      s.engines.push_back(nullptr);
      continue;
    }
    const local_matrix& part = s.layout.parts[static_cast<std::size_t>(r)];
    s.engines.push_back(m[r].is_cuda() ? cg_detail::make_cuda_engine(
                                             part, m[r], cg_detail::kind_of(s.options).libraries)
                                       : cg_detail::make_cpu_engine(part, m[r]));
  }
}

cg_solver::~cg_solver() = default;
cg_solver::cg_solver(cg_solver&&) noexcept = default;

memory_plan cg_solver::plan(const machine& all, const graph& matrix, const cg_options& asked) {
  const cg_options options = settle(all, asked).options;
  cg_detail::check_form(matrix);
  const auto ranks = choose_ranks(all, matrix, options);
  const machine& m = ranks.of(all);
  const place_options how = cg_detail::ranges_of(options);
  const vertex_ranges ranges = plan_ranges(m, matrix, how);
  // What METIS will cut is not known yet. Equal ranges of the rows as they are stand for it: as a
  // rule they cut more.
  const bool estimated = ranges.are != certainty::exact;
  const graph rows = ranges.moved && !estimated ? ordered_rows(m, matrix, how).rows() : matrix;
  const auto layout = cg_detail::make_layout(m, rows, ranges.first, options, false);
  return cg_detail::layout_of(m, matrix, layout, ranges, options).plan(options.memory);
}

cg_result cg_solver::solve(std::span<const double> right_side, std::span<const double> start) {
  auto& s = *state_;
  s.file.check();
  check_vector(right_side, s.n, "b");
  if (!start.empty()) check_vector(start, s.n, "x0");
  const auto b_by_row = s.order.by_row(view_of(right_side)),
             x0_by_row = s.order.by_row(view_of(start));
  const std::span<const double> b = b_by_row.span(), x0 = x0_by_row.span();
  const auto how = cg_detail::kind_of(s.options).loop;
  const bool zero_start =
      std::all_of(x0.begin(), x0.end(), [](double value) { return value == 0; });
  cg_result result;
  result.x = shared_array<double>(static_cast<std::size_t>(s.n));
  result.exchange = s.layout.parts.size() == 1 ? "none" : s.layout.halo ? "halo" : "allgather";
  result.exchange_reason = s.layout.reason;
  result.engine = s.options.engine;
  result.ranks_used = s.on->size();
  result.ranks_reason = s.ranks.reason();
  if (!s.options.exactly &&
      std::all_of(b.begin(), b.end(), [](double value) { return value == 0; })) {
    // SciPy's convention: the solution is zero, whatever x0.
    std::fill(result.x.begin(), result.x.end(), 0.0);
    result.converged = true;
    return result;
  }
  std::vector<cg_detail::outcome> outcomes(s.layout.parts.size());
  algorithm_detail::set_term_array(s.options.run, "right-hand side", b);
  algorithm_detail::set_term_array(s.options.run, "first guess", x0);
  s.on->run(
      [&](rank& r) {
        const auto id = static_cast<std::size_t>(r.id());
        const local_matrix& part = s.layout.parts[id];
        const auto from = static_cast<std::size_t>(part.first_row);
        const auto rows = static_cast<std::size_t>(part.rows);
        auto& engine = *s.engines[id];
        const auto extended = r.make_window<double>(static_cast<std::size_t>(part.extended));
        window<double> gathered;
        if (!s.on->all_here())
          gathered = r.make_window<double>(static_cast<std::size_t>(s.n), home::host);
        // Padding and foreign entries may be read (times zero) before they are written.
        r.fill(extended.local().data(), 0, extended.size() * sizeof(double));
        engine.begin(r, extended, b.subspan(from, rows),
                     zero_start ? std::span<const double>() : x0.subspan(from, rows));
        const auto exchange = cg_detail::make_exchange(r, s.layout, extended, engine);
        scalar_plan<double> agreement(r);
        agreement.set_mapping(exchange->mapping());
        r.barrier();
        outcomes[id] = cg_detail::iterate(r, engine, *exchange, agreement, s.layout, s.options,
                                          zero_start, how);
        engine.download(result.x.span().subspan(from, rows), outcomes[id].kept);
        if (!s.on->all_here()) gather(r, part, gathered, result.x.span(), outcomes);
      },
      s.options.run);
  s.file.check();

  const cg_detail::outcome& first = outcomes.front();
  if (first.negative_curvature >= 0)
    throw input_error(s.name +
                      ": the matrix is not positive definite: p'Ap = " + shown(first.curvature) +
                      " in iteration " + std::to_string(first.negative_curvature));
  if (first.not_finite >= 0)
    throw input_error(s.name + ": the residual overflowed in iteration " +
                      std::to_string(first.not_finite) +
                      " (entries too large, or too small, for double precision)");
  // An absolute tolerance that does not underflow can still tell.
  if (!s.options.exactly && cg_detail::underflows(first.right_side_norm * first.right_side_norm) &&
      cg_detail::underflows(s.options.absolute * s.options.absolute))
    throw input_error(s.name +
                      ": the square of the right-hand side's norm underflowed (entries too small "
                      "for double precision)");
  result.x = s.order.by_vertex(result.x);
  result.iterations = first.iterations;
  result.converged = first.converged;
  result.residual = first.residual;
  result.right_side_norm = first.right_side_norm;
  const cg_detail::outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  result.milliseconds = slowest.seconds * 1e3;
  if (s.options.run.trace)
    s.options.run.trace->describe("cg", result.milliseconds, {{"iterations", result.iterations}},
                                  result.engine);
  const bool several = s.layout.parts.size() > 1;
  result.bytes_per_iteration = several ? s.layout.bytes : 0;
  if (how == cg_detail::method::single_kernel) {
    result.phases = {{"loop", slowest.seconds}};
    return result;
  }
  const auto& times = slowest.times;
  result.phases = {{"spmv", times[0]}, {"dot", times[1]}, {"axpy", times[2]}};
  if (several) {
    result.phases.emplace_back(result.exchange, times[3]);
    result.phases.emplace_back("allreduce", times[4]);
  }
  return result;
}

void cg_solver::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<cg_solver> cg_solver::prepare(machine& m, const graph& matrix,
                                              const cg_options& o) {
  return algorithm_detail::kept_search<cg_solver>(m, matrix, o);
}

}  // namespace gossamer
