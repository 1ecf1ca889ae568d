// One machine's ranks that run steps: CPUs (cpu.cpp) or GPUs (cuda/engine.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithm/vertex_steps/view.hpp"
#include "gossamer/algorithm/vertex_steps.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::steps_detail {

/// Own ids of a rank that have a vertex; they follow each other as the vertices do.
struct own_ids {
  std::int64_t first = 0, count = 0;
  std::int64_t vertex = 0;  ///< of the first
};

/// What there is to run on, made by the driver; outlives the engine.
struct step_graph {
  std::shared_ptr<const placed_graph> placed;
  graph source, reversed;  ///< the latter empty where nothing reads it (turns_arcs())
  std::vector<own_ids> own;
  bool skewed = false;  ///< a few vertices have many arcs

  [[nodiscard]] machine& on() const { return placed->on(); }
  /// Of a rank: way 0 out, 1 in. [arcs of its slice], in host memory; null: no weights.
  [[nodiscard]] std::shared_ptr<const void> weights(int rank, int way) const;
  [[nodiscard]] int weight_bytes() const;
  /// Row lengths of a rank's own vertices, as offsets of the whole graph: [count + 1].
  [[nodiscard]] std::span<const edge_offset> offsets(int rank, int way) const;
};

class step_engine {
 public:
  virtual ~step_engine() = default;
  virtual void add_array(int element, bool shared) = 0;
  virtual void write(int array, std::span<const std::byte> from) = 0;
  virtual void read(int array, std::span<std::byte> to) const = 0;
  virtual void add_program(compiled_steps program) = 0;
  virtual steps_outcome run(int program, std::span<std::int64_t> numbers,
                            const run_options& how) = 0;
};

std::unique_ptr<step_engine> make_cpu_steps(const step_graph& g);
/// In cuda, else absent: not_compiled.
std::unique_ptr<step_engine> make_gpu_steps(const step_graph& g);

/// Of GPU ranks: arrays, numbers, and numbers that a stage reports.
inline constexpr std::size_t most_arrays = 128, most_numbers = 256, most_words = 64;

/// How long a run keeps its turn on the machine.
inline constexpr double turn_seconds = 0.1;

/// f(graph_slice<Id>) of the width there is.
template <class F>
decltype(auto) visit_slice(const placed_graph& g, int rank, const F& f) {
  if (g.id_width() == 4) return f(g.slice<vertex32>(rank));
  return f(g.slice<vertex64>(rank));
}

}  // namespace gossamer::steps_detail
