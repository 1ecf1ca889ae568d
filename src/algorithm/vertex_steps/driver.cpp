// Steps as callers see them: a graph placed, arrays and programs counted and checked.
#include <algorithm>
#include <utility>

#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/vertex_program/text.hpp"
#include "algorithm/vertex_steps/engine.hpp"
#include "algorithm/vertex_steps/planning.hpp"
#include "algorithm/vertex_steps/text.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"
#include "gossamer/placement/slice_weights.hpp"

namespace gossamer {

namespace steps_detail {

std::shared_ptr<const void> step_graph::weights(int rank, int way) const {
  return std::visit(
      [&](const auto& all) -> std::shared_ptr<const void> {
        if constexpr (std::is_same_v<std::decay_t<decltype(all)>, std::monostate>) {
          return nullptr;
        } else {
          using weight = std::decay_t<decltype(all[0])>;
          if (way == 1 && !source.symmetric) {
            const auto& turned = std::get<shared_array<weight>>(reversed.weights);
            return {turned.owner(), turned.data() + offsets(rank, 1).front()};
          }
          const auto here = placed->id_width() == 4 ? slice_weights<vertex32>(*placed, rank, all)
                                                    : slice_weights<vertex64>(*placed, rank, all);
          return {here.owner(), here.data()};
        }
      },
      source.weights);
}

int step_graph::weight_bytes() const {
  return source.weights.index() == 3 ? 8 : 4;
}

std::span<const edge_offset> step_graph::offsets(int rank, int way) const {
  const own_ids& o = own[static_cast<std::size_t>(rank)];
  const graph& g = way == 1 && !source.symmetric ? reversed : source;
  return g.offsets.span().subspan(static_cast<std::size_t>(o.vertex),
                                  static_cast<std::size_t>(o.count) + 1);
}

namespace {

void check_machine(const machine& m) {
  int gpus = 0;
  for (int r = 0; r < m.size(); ++r) {
    gpus += m[r].is_cuda();
    if (m[r].process >= 0) throw not_compiled("vertex steps on MPI processes", "give one process");
    if (m[r].model != nullptr)
      throw not_compiled("vertex steps on modelled machines", "give the machine cuda, or cpu");
  }
  if (gpus > 0 && gpus < m.size())
    throw not_compiled("vertex steps on CPUs and GPUs together", "give the machine cuda, or cpu");
  if (gpus > 0 && !reach_each_other(m))
    throw not_compiled("vertex steps on GPUs without atomics on each other's memory",
                       "give the machine one GPU, or cpu");
}

/// Copies' places have 32 bits, and ranks' ranges end with a few ids that no vertex has.
bool takes_copies(const machine& m, std::int64_t vertices) {
  return vertices < (std::int64_t{1} << 31) - std::int64_t{4096} * m.size();
}

bool is_skewed(const machine& m, const graph& g) {
  return takes_copies(m, g.vertices()) && algorithm_detail::degrees_of(g).skewed;
}

/// With weights, which other algorithms' does not have.
std::shared_ptr<const graph> reversed_of(const graph& g, const std::stop_token& stop) {
  return kept::of_graph<graph>(
      g, g.weighted() ? "reversed, weighted" : "reversed",
      [&](const graph& bare) { return std::make_shared<graph>(bare.transposed(stop)); });
}

/// Ranges of vertices become ranges of ids, with holes behind each.
std::vector<own_ids> ids_of(const placed_graph& g) {
  std::vector<own_ids> all;
  std::int64_t vertex = 0;
  for (int r = 0; r < g.on().size(); ++r) {
    const std::int64_t first = g.bounds()[static_cast<std::size_t>(r)];
    std::int64_t last = g.bounds()[static_cast<std::size_t>(r) + 1];
    while (last > first && g.vertex(last - 1) < 0) --last;
    all.push_back({first, last - first, vertex});
    vertex += last - first;
  }
  return all;
}

}  // namespace

}  // namespace steps_detail

std::string steps_text(bool gpu) {
  using namespace program_detail;
  using namespace steps_detail;
  return gpu ? std::string(standard_text) + arithmetic_text + gpu_stages_text
             : std::string(arithmetic_text) + cpu_stages_text;
}

struct vertex_steps::state {
  graph_file file;
  steps_detail::step_graph graph;
  bool gpus;
  memory_plan plan;
  std::vector<std::size_t> bytes;  ///< of arrays, by vertex
  int programs = 0;
  std::unique_ptr<steps_detail::step_engine> engine;
};

vertex_steps::vertex_steps(machine& m, const graph& g, std::int64_t memory,
                           const run_options& how) {
  using namespace steps_detail;
  g.require_here();
  check_machine(m);
  place_options where = placement_of(memory);
  where.stop = how.cancel;
  state_ = std::make_unique<state>(state{graph_file(g), {}, m[0].is_cuda(), {}, {}, 0, nullptr});
  step_graph& on = state_->graph;
  on.source = g;
  on.skewed = is_skewed(m, g);
  const problem p = problem_of(m, g, where, on.skewed);
  layout_of(m, p, steps_fields()).plan(memory).check();
  state_->plan = layout_of(m, p, true).plan(memory);
  on.placed = kept::place(m, g, where);
  if (turns_arcs(m, p.sizes)) on.reversed = *reversed_of(g, how.cancel);
  on.own = ids_of(*on.placed);
  state_->engine = state_->gpus ? make_gpu_steps(on) : make_cpu_steps(on);
}

vertex_steps::~vertex_steps() = default;

memory_plan vertex_steps::plan(const machine& m, const graph& g, const steps_fields& fields,
                               std::int64_t memory) {
  using namespace steps_detail;
  check_machine(m);
  const problem p = problem_of(m, g, placement_of(memory), is_skewed(m, g));
  return layout_of(m, p, fields).plan(memory);
}

memory_plan vertex_steps::plan(const machine& m, const graph_shape& g, int weight_bytes,
                               const steps_fields& fields, std::int64_t memory) {
  using namespace steps_detail;
  check_machine(m);
  const problem p = problem_of(m, g, placement_of(memory), weight_bytes);
  return layout_of(m, p, fields).plan(memory);
}

std::int64_t vertex_steps::vertices() const noexcept {
  return state_->graph.source.vertices();
}

bool vertex_steps::skewed() const {
  return state_->graph.skewed;
}

int vertex_steps::add_array(int element, bool shared) {
  require(element == 1 || element == 4 || element == 8,
          "vertex steps: elements have 1, 4, 8 bytes");
  memory_plan plan = state_->plan;
  const machine& m = state_->graph.on();
  for (int r = 0; r < m.size(); ++r) {
    const bool whole = shared && state_->gpus;
    const std::int64_t ids = whole ? state_->graph.placed->bounds().back()
                                   : state_->graph.own[static_cast<std::size_t>(r)].count;
    plan.add(r, native_memory(m[r]), "fields", ids * element);
  }
  plan.check();
  state_->engine->add_array(element, shared);
  state_->plan = std::move(plan);
  state_->bytes.push_back(static_cast<std::size_t>(vertices()) * static_cast<std::size_t>(element));
  return static_cast<int>(state_->bytes.size()) - 1;
}

void vertex_steps::write(int array, std::span<const std::byte> from) {
  require(from.size() == state_->bytes.at(static_cast<std::size_t>(array)),
          "vertex steps: an array of another length");
  state_->engine->write(array, from);
}

void vertex_steps::read(int array, std::span<std::byte> to) const {
  require(to.size() == state_->bytes.at(static_cast<std::size_t>(array)),
          "vertex steps: an array of another length");
  state_->engine->read(array, to);
}

int vertex_steps::add_program(compiled_steps program) {
  require(state_->gpus || program.cpu != nullptr, "vertex steps: a program without code for CPUs");
  state_->engine->add_program(std::move(program));
  return state_->programs++;
}

steps_outcome vertex_steps::run(int program, std::span<std::int64_t> numbers,
                                const run_options& how) {
  require(program >= 0 && program < state_->programs, "vertex steps: no such program");
  state_->file.check();
  run_options bare = how;
  bare.arenas = {arena_plan{0, 0}};  // ranks make no windows
  const steps_outcome outcome = state_->engine->run(program, numbers, bare);
  state_->file.check();
  return outcome;
}

}  // namespace gossamer
