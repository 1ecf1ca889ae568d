// The search as callers see it: options and weights checked, memory planned, then one run a source.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "algorithm/engine_choice.hpp"
#include "algorithm/hub_order.hpp"
#include "algorithm/row_ranges.hpp"
#include "algorithm/sssp/buckets.hpp"
#include "algorithm/sssp/program.hpp"
#include "gossamer/fabric/arena.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

using algorithm_detail::engine_choice;

namespace {

/// The measurements are in docs/design/sssp.md.
engine_choice choose_engine(const machine& m, const std::string& asked) {
  return algorithm_detail::choose_engine("sssp", asked, m,
                                         "chosen, faster than async where each thread has a core");
}

/// Of a distance of such a graph: as wide as its weights.
int distance_bytes(const graph& g) {
  return std::holds_alternative<shared_array<double>>(g.weights) ? 8 : 4;
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

double delta_for(const graph& g, const sssp_options& options,
                 const sssp_detail::weight_facts& facts) {
  if (!options.delta) return sssp_detail::choose_delta(facts, g.vertices(), g.arcs());
  const double smallest = sssp_detail::bucket_width::smallest(facts.largest);
  if (!(*options.delta > 0) || !std::isfinite(*options.delta))
    throw usage_error("sssp: delta " + number(*options.delta) + " is not a positive number");
  // A window of engine async is no list: it may be as narrow as one likes.
  if (*options.delta < smallest && options.engine != "async")
    throw usage_error("sssp: delta " + number(*options.delta) +
                      " makes too many buckets: the largest weight is " + number(facts.largest) +
                      ", so that delta must be at least " + number(smallest));
  return *options.delta;
}

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices, arcs;
  int id_width, weight_bytes;
  bool symmetric;
  std::vector<std::int64_t> first;  ///< row ranges
  bool skewed;                      ///< or not known not to be
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
};

sssp_detail::rank_bytes bytes_of(const machine& m, const problem& p, std::size_t rank,
                                 const sssp_options& options) {
  return sssp_detail::bytes_on(m, p.first, static_cast<int>(rank), p.arcs, p.id_width,
                               p.weight_bytes, p.skewed, options);
}

/// Of each of a rank's arenas: agreement, and what a modelled system's own takes for it.
std::size_t agreement_bytes(const machine& m) {
  return (std::size_t{1} << 16) + static_cast<std::size_t>(m.size()) * 64;
}

memory_plan make_plan(const machine& m, const problem& p, const sssp_options& options) {
  memory_plan plan;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + agreement_bytes(m));
  const certainty sure =
      m.size() > 1 && p.arcs_are != certainty::exact ? certainty::about : p.vertices_are;
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const auto at = static_cast<std::size_t>(r);
    const auto b = bytes_of(m, p, at, options);
    plan.add(r, memory_kind::host, "rows in order", b.rows,
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
    plan.add(r, memory_kind::host,
             options.engine == "async" ? "known distances and worklists" : "known distances",
             b.work, options.engine == "async" ? sure : p.vertices_are);
    plan.add(r, memory_kind::host, "buckets", b.buckets, certainty::about);
    plan.add(r, memory_kind::host, "inbox", b.windows, sure);
    plan.add(r, memory_kind::host, "agreement and tables of windows", 2 * overhead);
    plan.add(r, memory_kind::host, "gathered results", b.gathered, p.vertices_are);
  }
  plan.add(first_here, memory_kind::host, "distances", p.vertices * p.weight_bytes, p.vertices_are);
  if (options.parents) {
    plan.add(first_here, memory_kind::host, "parents", p.vertices * 8, p.vertices_are);
    if (!p.symmetric)
      plan.add(first_here, memory_kind::host, "arcs reversed",
               (p.vertices + 1) * 8 + p.arcs * (p.id_width + p.weight_bytes), p.arcs_are);
  }
  plan.limit_to(m, options.memory);
  return plan;
}

problem problem_of(const machine& m, const graph& g) {
  return {g.vertices(),
          g.arcs(),
          g.id_width(),
          distance_bytes(g),
          g.symmetric,
          algorithm_detail::arc_ranges(g.offsets.span(), m.size()),
          algorithm_detail::is_skewed(g.offsets.span())};
}

/// The same, the engine by its name.
sssp_options with_engine(const machine& m, sssp_options options) {
  options.engine = choose_engine(m, options.engine).name;
  return options;
}

std::vector<arena_plan> make_arenas(const machine& m, const problem& p,
                                    const sssp_options& options) {
  std::vector<arena_plan> arenas;
  for (std::size_t r = 0; r + 1 < p.first.size(); ++r) {
    const auto b = bytes_of(m, p, r, options);
    arena_plan plan;
    plan.native = static_cast<std::size_t>(b.windows) + agreement_bytes(m);
    plan.host = static_cast<std::size_t>(b.gathered) + agreement_bytes(m);
    arenas.push_back(plan);
  }
  return arenas;
}

}  // namespace

struct sssp_search::state {
  machine* on;
  std::int64_t vertices;
  double delta;
  engine_choice engine;
  std::shared_ptr<timeline> trace;
  std::unique_ptr<sssp_detail::sssp_program> program;
};

sssp_search::sssp_search(machine& m, const graph& g, const sssp_options& asked) {
  auto engine = choose_engine(m, asked.engine);
  require(g.weighted(), "sssp: " + g.name +
                            " has no weights (generators make 1 to 255 on request: --weights, "
                            "weights=True; bfs finds paths of fewest arcs)");
  const auto facts = algorithm_detail::check_weights(g, "shortest paths need", asked.run.cancel);
  const double delta = delta_for(g, asked, facts);
  const problem p = problem_of(m, g);
  sssp_options options = asked;
  options.engine = engine.name;
  make_plan(m, p, options).check();
  options.run.arenas = make_arenas(m, p, options);
  state_ =
      std::make_unique<state>(state{&m, g.vertices(), delta, std::move(engine), options.run.trace,
                                    sssp_detail::make_program(m, g, options, delta, facts)});
}

sssp_search::~sssp_search() = default;
sssp_search::sssp_search(sssp_search&&) noexcept = default;

memory_plan sssp_search::plan(const machine& m, const graph& g, const sssp_options& options) {
  return make_plan(m, problem_of(m, g), with_engine(m, options));
}

memory_plan sssp_search::plan(const machine& m, const graph_shape& g, int weight_bytes,
                              const sssp_options& options) {
  return make_plan(
      m,
      {g.vertices, g.arcs, g.id_width, weight_bytes, g.symmetric,
       algorithm_detail::even_ranges(g.vertices, m.size()), true, g.vertices_are, g.arcs_are},
      with_engine(m, options));
}

sssp_result sssp_search::run(std::int64_t source) {
  auto& s = *state_;
  if (source < 0 || source >= s.vertices)
    throw usage_error("sssp: there is no vertex with index " + std::to_string(source) +
                      ": the graph has " + std::to_string(s.vertices) + " vertices");
  sssp_result result;
  result.source = source;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.delta = s.delta;
  s.program->run(source, result);
  if (s.trace)
    s.trace->describe("sssp", result.milliseconds,
                      {{"source", source}, {"reached", result.reached}});
  return result;
}

sssp_result sssp(machine& m, const graph& g, std::int64_t source, const sssp_options& options) {
  return sssp_search(m, g, options).run(source);
}

}  // namespace gossamer
