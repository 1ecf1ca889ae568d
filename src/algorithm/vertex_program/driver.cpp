// A compiled program as callers see it: weights converted, memory planned, then any number of runs.
#include <algorithm>
#include <cmath>

#include "algorithm/driver/common_terms.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/vertex_program/engine.hpp"
#include "algorithm/vertex_program/order_key.hpp"
#include "algorithm/vertex_program/planning.hpp"
#include "algorithm/vertex_program/weights.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/digest.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/advice.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

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
  typed_program(std::shared_ptr<const placed_graph> g, vertex_program program,
                const converted_weights& weights, const list_shape& shape)
      : graph_(std::move(g)), machine_(graph_->on()), program_(std::move(program)) {
    for (int r = 0; r < machine_.size(); ++r) {
      if (!machine_.here(r)) {
        ranks_.push_back(nullptr);
        continue;
      }
      weights_.push_back(weights_of(r, weights));
      const program_rows<Id> rows{*graph_, r, weights_.back().data()};
      ranks_.push_back(machine_[r].is_cuda() ? make_gpu_worklist<Id, Key>(program_, rows, shape)
                                             : make_worklist<Id, Key>(program_, rows, shape.delta));
    }
    if (machine_[0].is_cuda()) weights_.clear();  // they lie there
  }

  void run(const program_values& initial, std::span<const std::int64_t> active, run_options& how,
           program_result& result) override {
    const vertex_values<Key> after(*graph_);
    const auto before = make_array<Key>(after.by_id().size());
    const std::int64_t given =
        std::visit([&](const auto& values) { return encode(values, before); }, initial);
    std::vector<std::int64_t> begins;
    for (const std::int64_t v : active) begins.push_back(graph_->placed_id(v));
    const bool only_active = given <= count_of(begins, before);
    std::vector<algorithm_detail::worklist_outcome> outcomes(ranks_.size());
    algorithm_detail::set_term_array<Key>(how, "initial values", before.span());
    algorithm_detail::set_term_array(how, "active vertices", active);
    const auto work = [&](rank& r) {
      algorithm_detail::run_worklist(r, "vertex program", after, outcomes, [&] {
        return ranks_[static_cast<std::size_t>(r.id())]->run(r, before.data(), begins, only_active,
                                                             after.by_id().data());
      });
    };
    machine_.run(work, how);
    describe(outcomes, result);
    with_type(program_.type, [&]<class T>(T) { result.values = decode<T>(after.by_vertex()); });
  }

 private:
  /// How many are better than the worst.
  template <class T>
  std::int64_t encode(const shared_array<T>& values, const shared_array<Key>& keys) const {
    std::fill(keys.begin(), keys.end(), Key{0});  // of ids without a vertex
    std::int64_t given = 0;
    if constexpr (sizeof(T) == sizeof(Key))
      for (std::size_t v = 0; v < values.size(); ++v) {
        const Key key = to_key(values[v], program_.update);
        keys[static_cast<std::size_t>(graph_->placed_id(static_cast<std::int64_t>(v)))] = key;
        given += key != worst<Key> ? 1 : 0;
      }
    return given;
  }
  /// The same of some ids, each once.
  static std::int64_t count_of(std::vector<std::int64_t> ids, const shared_array<Key>& keys) {
    std::sort(ids.begin(), ids.end());
    const auto end = std::unique(ids.begin(), ids.end());
    return std::count_if(ids.begin(), end, [&](std::int64_t id) {
      return keys[static_cast<std::size_t>(id)] != worst<Key>;
    });
  }
  /// Of a rank's columns, bits as wide as keys.
  shared_array<Key> weights_of(int rank, const converted_weights& weights) const {
    return std::visit(
        [&](const auto& values) {
          using value = std::remove_cvref_t<decltype(values[0])>;
          if constexpr (sizeof(value) == sizeof(Key)) {
            if (values.empty()) return shared_array<Key>();
            const shared_array<Key> bits(reinterpret_cast<Key*>(values.data()), values.size(),
                                         values.owner());
            return slice_weights<Id>(*graph_, rank, bits);
          } else {
            return shared_array<Key>();
          }
        },
        weights.values);
  }
  template <class T>
  shared_array<T> decode(const shared_array<Key>& keys) const {
    const auto values = make_array<T>(keys.size());
    if constexpr (sizeof(T) == sizeof(Key))
      for (std::size_t v = 0; v < keys.size(); ++v)
        values[v] = from_key<T>(keys[v], program_.update);
    return values;
  }

  void describe(const std::vector<algorithm_detail::worklist_outcome>& outcomes,
                program_result& result) const {
    algorithm_detail::describe_worklists(outcomes, "propagate", machine_[0].is_cuda(), result);
    result.arcs = result.work->arcs;
    result.rounds = result.work->windows;
    for (const auto& o : outcomes) result.left += o.left;
  }

  std::shared_ptr<const placed_graph> graph_;
  machine& machine_;
  vertex_program program_;
  std::vector<shared_array<Key>> weights_;                 ///< of CPU ranks
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

/// Width of the first window: as for shortest paths, an arc's part of what a path gains, also on
/// GPUs. There are no windows where weights are missing and rows are long: values then say little
/// of when a vertex is done.
double delta_for(const machine& m, const graph& g, const vertex_program& by,
                 const program_options& options, double mean_weight) {
  if (options.delta) {
    require(*options.delta > 0 && *options.delta <= std::numeric_limits<double>::max(),
            "vertex program: delta is not a positive number");
    return *options.delta;
  }
  if (by.update == program_update::sum) return 1;  // a halving
  if (by.update == program_update::all_bits)
    return m[0].is_cuda() ? 0 : 1;  // all have one priority
  // Of distances, or what grows like them.
  if (const auto advised = advised_delta(g);
      advised && by.weighted && by.label_setting && by.update == program_update::smaller)
    return *advised;
  const double degree =
      static_cast<double>(g.arcs()) / static_cast<double>(std::max<std::int64_t>(1, g.vertices()));
  const double asked = mean_weight / std::max(1.0, degree);
  const bool integers = by.type != program_type::float32 && by.type != program_type::float64;
  if (!m[0].is_cuda()) {
    if (!(asked > 0)) return 1;
    // As shortest paths round it, so that equal programs have equal windows.
    return integers && asked >= 1 ? std::exp2(std::round(std::log2(asked))) : asked;
  }
  if (dataflow::short_in_the_mean(g.vertices(), g.arcs())) {
    const double weight = mean_weight > 0 ? mean_weight : 1;
    if (by.update != program_update::larger) return 32 * weight;
    // The larger the better: values fall from vertex to vertex, and none is above the largest
    // weight. So a window of distances would hold them all. Those of integers are whole, so that
    // each holds as many values (docs/design/vertex_program.md).
    return integers ? std::max(1.0, std::round(weight / 16)) : weight / 16;
  }
  return 4 * asked;
}

/// Graphs with ten arcs a vertex have rounds of little work, too, if none of the vertices is a hub.
list_shape shape_for(const machine& m, const graph& g, const vertex_program& program,
                     const program_options& options, const converted_weights& weights) {
  const bool short_rows =
      m[0].is_cuda() && algorithm_detail::degrees_of(g).longest <= dataflow::longest_short_row;
  // For larger values the first window says nothing of where the others lie.
  const bool pulls = program.label_setting && program.update == program_update::smaller &&
                     !weights.negative && g.symmetric;
  return {delta_for(m, g, program, options, weights.mean), short_rows, pulls};
}

}  // namespace

}  // namespace program_detail

struct program_search::state {
  graph_file file;
  machine* on;
  std::int64_t vertices;
  program_type type;
  program_update update;
  algorithm_detail::engine_choice engine;
  run_options run;
  std::unique_ptr<program_detail::any_program> program;
};

program_search::program_search(machine& m, const graph& g, vertex_program program,
                               const program_options& asked) {
  using namespace program_detail;
  const graph_file file(g);
  auto engine = choose_engine(m, program);
  g.require_here();
  require(!program.weighted || g.weighted(),
          "vertex program: " + g.name + " has no weights, which the expression needs");
  const auto rows = plan_rows(m, g, placement_of(asked));
  const auto needs = layout_of(m, g, rows, program, asked);
  needs.plan(asked.memory).check();
  run_options run = asked.run;
  run.arenas = needs.arenas();
  converted_weights weights;
  if (program.weighted) weights = convert_weights(g, program.type, asked.run.cancel);
  if (program.update == program_update::sum && weights.negative) program_detail::refuse_negative(g);
  const list_shape shape = shape_for(m, g, program, asked, weights);
  const program_type type = program.type;
  const program_update update = program.update;
  graph compared = g;
  if (!program.weighted) compared.weights = {};
  auto placed = kept::place(m, g, placement_of(asked));
  const int width = placed->id_width();
  run.terms = algorithm_detail::common_terms(m, "vertex program", asked.run.cancel)
                  .graph(compared)
                  .add("expression", program.text)
                  .add("type", static_cast<int>(type))
                  .add("update", static_cast<int>(program.update))
                  .add("threshold", program.threshold)
                  .add("delta", shape.delta)
                  .all();
  state_ = std::make_unique<state>(state{file, &m, g.vertices(), type, update, std::move(engine),
                                         std::move(run),
                                         make_program(width, value_bytes(type), std::move(placed),
                                                      std::move(program), weights, shape)});
}

namespace {

/// Sums begin with what is not negative, and is a number.
void check_sums(const shared_array<double>& initial) {
  for (std::size_t v = 0; v < initial.size(); ++v)
    if (!(initial[v] >= 0 && initial[v] <= std::numeric_limits<double>::max()))
      throw usage_error("vertex program: the initial value of vertex " + std::to_string(v) +
                        " is negative or no finite number, and sums only grow");
}

}  // namespace

program_search::~program_search() = default;
program_search::program_search(program_search&&) noexcept = default;

memory_plan program_search::plan(const machine& m, const graph& g, const vertex_program& program,
                                 const program_options& options) {
  static_cast<void>(program_detail::choose_engine(m, program));
  const auto rows = plan_rows(m, g, program_detail::placement_of(options));
  return program_detail::layout_of(m, g, rows, program, options).plan(options.memory);
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
  if (s.update == program_update::sum) check_sums(std::get<shared_array<double>>(initial));
  s.file.check();
  program_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.ranks_used = s.on->size();
  s.program->run(initial, active, s.run, result);
  s.file.check();
  if (s.run.trace)
    s.run.trace->describe("vertex program", result.milliseconds, {{"arcs", result.arcs}},
                          result.engine);
  return result;
}

void program_search::follow(const run_options& how) {
  state_->run.follow(how);
}

std::shared_ptr<program_search> program_search::prepare(machine& m, const graph& g,
                                                        const vertex_program& program,
                                                        const program_options& o) {
  std::string images;
  for (const auto& [architecture, image] : program.images)
    images += std::to_string(architecture) + ":" +
              digest_text(digest_of(std::as_bytes(std::span(image)))) + " ";
  return kept::alone<program_search>(
      m, g,
      kept::text("vertex program", program.text, static_cast<int>(program.type),
                 static_cast<int>(program.update), program.threshold, program.weighted,
                 static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(program.row)), images,
                 o.delta, o.memory, configuration::memory()),
      [&](const graph& bare) {
        return std::make_shared<program_search>(m, bare, program, kept::without_trace(o));
      });
}

}  // namespace gossamer
