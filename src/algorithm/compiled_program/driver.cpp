// A compiled program as callers see it: weights converted, memory planned, then any number of runs.
#include <algorithm>

#include "algorithm/common_terms.hpp"
#include "algorithm/compiled_program/engine.hpp"
#include "algorithm/compiled_program/order_key.hpp"
#include "algorithm/compiled_program/planning.hpp"
#include "algorithm/compiled_program/weights.hpp"
#include "algorithm/gather_rows.hpp"
#include "algorithm/row_ranges.hpp"
#include "algorithm/slowest_rank.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/digest.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer {

namespace program_detail {

namespace {

/// A prepared program of one width of ids and keys, behind one interface.
class any_program {
 public:
  virtual ~any_program() = default;
  /// Adds the inputs to what processes must agree on.
  virtual void run(const program_values& initial, std::span<const std::int64_t> active,
                   run_options& how, program_result& result) = 0;
};

template <class Id, class Key>
class typed_program final : public any_program {
 public:
  typed_program(machine& m, const graph& g, compiled_program program, converted_weights weights,
                std::vector<std::int64_t> first, double delta)
      : machine_(m),
        graph_(g),
        program_(std::move(program)),
        weights_(std::move(weights)),
        first_(std::move(first)) {
    const program_rows<Id> rows{g.vertices(), g.offsets.data(), g.view<Id>().indices.data(),
                                weights_.data()};
    for (int r = 0; r < m.size(); ++r)
      if (!m.here(r))
        ranks_.push_back(nullptr);
      else if (m[r].is_cuda())
        ranks_.push_back(make_rounds<Id, Key>(m[r], program_, rows, first_, r));
      else
        ranks_.push_back(make_worklist<Id, Key>(program_, rows, first_, r, delta));
  }

  void run(const program_values& initial, std::span<const std::int64_t> active, run_options& how,
           program_result& result) override {
    const auto n = static_cast<std::size_t>(graph_.vertices());
    const auto before = make_array<Key>(n), after = make_array<Key>(n);
    std::visit([&](const auto& values) { encode(values, before); }, initial);
    std::vector<program_outcome> outcomes(ranks_.size());
    algorithm_detail::set_term_array<Key>(how, "initial values", before.span());
    algorithm_detail::set_term_array(how, "active vertices", active);
    machine_.run([&](rank& r) { work(r, before, active, after, outcomes); }, how);
    describe(outcomes, result);
    with_type(program_.type, [&]<class T>(T) { result.values = decode<T>(after); });
  }

 private:
  template <class T>
  void encode(const shared_array<T>& values, const shared_array<Key>& keys) const {
    if constexpr (sizeof(T) == sizeof(Key))
      for (std::size_t v = 0; v < keys.size(); ++v) keys[v] = to_key(values[v], program_.larger);
  }
  template <class T>
  shared_array<T> decode(const shared_array<Key>& keys) const {
    const auto values = make_array<T>(keys.size());
    if constexpr (sizeof(T) == sizeof(Key))
      for (std::size_t v = 0; v < keys.size(); ++v)
        values[v] = from_key<T>(keys[v], program_.larger);
    return values;
  }

  void work(rank& r, const shared_array<Key>& before, std::span<const std::int64_t> active,
            const shared_array<Key>& after, std::vector<program_outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const bool whole = machine_.all_here();
    window<Key> all;
    if (!whole) all = r.make_window<Key>(after.size(), home::host);
    const double begin = r.clock();
    outcomes[me] = ranks_[me]->run(r, before.data(), active, after.data());
    trace_run(r, "vertex program", begin, outcomes[me].seconds);
    if (whole) return;
    algorithm_detail::gather_rows(r, all, first_[me], first_[me + 1] - first_[me], after.span());
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  void describe(const std::vector<program_outcome>& outcomes, program_result& result) const {
    const program_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    const bool gpus = machine_[0].is_cuda();
    if (!gpus) result.work.emplace();
    for (const program_outcome& o : outcomes) {
      if (result.work) result.work->add(o.work);
      result.arcs += o.arcs;
      result.rounds = std::max(result.rounds, o.rounds);
    }
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"propagate", algorithm_detail::rest_of(slowest.seconds,
                                                             {slowest.exchange, slowest.agree})}};
    if (outcomes.size() == 1 || gpus) return;
    result.phases.emplace_back("exchange", slowest.exchange);
    result.phases.emplace_back("agree", slowest.agree);
  }

  machine& machine_;
  graph graph_;
  compiled_program program_;
  converted_weights weights_;
  std::vector<std::int64_t> first_;
  std::vector<std::unique_ptr<program_rank<Key>>> ranks_;  ///< of this process
};

template <class... Args>
std::unique_ptr<any_program> make_program(int id_width, int key_bytes, Args&&... args) {
  if (id_width == 4 && key_bytes == 4)
    return std::make_unique<typed_program<vertex32, std::uint32_t>>(std::forward<Args>(args)...);
  if (id_width == 4)
    return std::make_unique<typed_program<vertex32, std::uint64_t>>(std::forward<Args>(args)...);
  if (key_bytes == 4)
    return std::make_unique<typed_program<vertex64, std::uint32_t>>(std::forward<Args>(args)...);
  return std::make_unique<typed_program<vertex64, std::uint64_t>>(std::forward<Args>(args)...);
}

/// Width of the first window: an arc's part of what a path gains, as shortest paths have it.
double delta_for(const graph& g, const program_options& options, double mean_weight) {
  if (options.delta) {
    require(*options.delta > 0 && *options.delta <= std::numeric_limits<double>::max(),
            "vertex program: delta is not a positive number");
    return *options.delta;
  }
  const double degree =
      static_cast<double>(g.arcs()) / static_cast<double>(std::max<std::int64_t>(1, g.vertices()));
  const double asked = mean_weight / std::max(1.0, degree);
  return asked > 0 ? asked : 1;
}

}  // namespace

}  // namespace program_detail

struct program_search::state {
  graph_file file;
  machine* on;
  std::int64_t vertices;
  program_type type;
  algorithm_detail::engine_choice engine;
  run_options run;
  std::unique_ptr<program_detail::any_program> program;
};

program_search::program_search(machine& m, const graph& g, compiled_program program,
                               const program_options& asked) {
  using namespace program_detail;
  const graph_file file(g);
  auto engine = choose_engine(m, program);
  g.require_here();
  require(!program.weighted || g.weighted(),
          "vertex program: " + g.name + " has no weights, which the expression needs");
  auto first = algorithm_detail::arc_ranges(g.offsets.span(), m.size());
  make_plan(m, g, first, program, asked).check();
  run_options run = asked.run;
  run.arenas = make_arenas(m, g, first, program);
  converted_weights weights;
  if (program.weighted) weights = convert_weights(g, program.type, asked.run.cancel);
  const double delta = delta_for(g, asked, weights.mean);
  const program_type type = program.type;
  graph compared = g;
  if (!program.weighted) compared.weights = {};
  run.terms = algorithm_detail::common_terms(m, "vertex program", asked.run.cancel)
                  .graph(compared)
                  .add("expression", program.text)
                  .add("type", static_cast<int>(type))
                  .add("update", std::string(program.larger ? "max" : "min"))
                  .add("delta", delta)
                  .all();
  state_ = std::make_unique<state>(
      state{file, &m, g.vertices(), type, std::move(engine), std::move(run),
            make_program(g.id_width(), value_bytes(type), m, g, std::move(program),
                         std::move(weights), std::move(first), delta)});
}

program_search::~program_search() = default;
program_search::program_search(program_search&&) noexcept = default;

memory_plan program_search::plan(const machine& m, const graph& g, const compiled_program& program,
                                 const program_options& options) {
  static_cast<void>(program_detail::choose_engine(m, program));
  return program_detail::make_plan(m, g, algorithm_detail::arc_ranges(g.offsets.span(), m.size()),
                                   program, options);
}

program_result program_search::run(const program_values& initial,
                                   std::span<const std::int64_t> active) {
  auto& s = *state_;
  require(initial.index() == static_cast<std::size_t>(s.type),
          "vertex program: initial values of another type than the program's");
  const auto given =
      std::visit([](const auto& a) { return static_cast<std::int64_t>(a.size()); }, initial);
  require(given == s.vertices, "vertex program: " + std::to_string(given) + " initial values for " +
                                   std::to_string(s.vertices) + " vertices");
  for (const std::int64_t v : active)
    if (v < 0 || v >= s.vertices)
      throw usage_error("vertex program: there is no vertex with index " + std::to_string(v) +
                        ": the graph has " + std::to_string(s.vertices) + " vertices");
  s.file.check();
  program_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.ranks_used = s.on->size();
  s.program->run(initial, active, s.run, result);
  if (s.run.trace)
    s.run.trace->describe("vertex program", result.milliseconds, {{"arcs", result.arcs}});
  return result;
}

void program_search::follow(const run_options& how) {
  state_->run.follow(how);
}

std::shared_ptr<program_search> program_search::prepare(machine& m, const graph& g,
                                                        const compiled_program& program,
                                                        const program_options& o) {
  std::string images;
  for (const auto& [architecture, image] : program.images)
    images += std::to_string(architecture) + ":" +
              digest_text(digest_of(std::as_bytes(std::span(image)))) + " ";
  return kept::alone<program_search>(
      m, g,
      kept::text("vertex program", program.text, static_cast<int>(program.type), program.larger,
                 program.weighted,
                 static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(program.row)), images,
                 o.delta, o.memory, configuration::memory()),
      [&](const graph& bare) {
        return std::make_shared<program_search>(m, bare, program, kept::without_trace(o));
      });
}

}  // namespace gossamer
