// Steps over named values at vertices: sent along arcs, combined, mapped and reduced, by programs
// that were compiled at run time.
//
// Arrays lie with the ranks, an element for each vertex, and numbers are known to all of them. A
// program is a list of stages and where to go behind each, loops included; ranks run it to its end
// without asking who gave it. Between stages all ranks meet. A stage looks at each of a rank's own
// vertices (and reports numbers), gathers along the arcs of all of them, or pushes along the arcs
// of some, by stores and atomics into the arrays of whoever owns the other end. Python writes the
// programs (python/gossamer/vertex_steps/lowering.py, docs/design/vertex_steps.md).
//
// CPU ranks and GPUs of one process run them. On GPUs a program is one kernel a rank. A long run
// gives its turn on the machine away now and then, and goes on after others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// What a program of steps was compiled to.
struct compiled_steps {
  const void* cpu = nullptr;          ///< steps_detail::step_program; null: not for CPU ranks
  std::map<int, std::string> images;  ///< cubins by architecture (90 is sm_90)
  int words = 0;                      ///< numbers that a stage reports at most
  /// Of GPUs, two bits: it gathers along arcs that leave (0), that come (1), from copies in hubs'
  /// order.
  int gathered = 0;
};

/// What texts of programs begin with: for the CPU's compiler (C++17), or NVRTC (C++20).
std::string steps_text(bool gpu);

/// Arrays to plan for: bytes of their elements together, as add_array() has them.
struct steps_fields {
  std::int64_t own = 0;     ///< of those that are not shared
  std::int64_t shared = 0;  ///< of shared ones
};

struct steps_outcome {
  std::int64_t stages = 0;  ///< that every rank ran
  double milliseconds = 0;  ///< slowest rank
};

class vertex_steps {
 public:
  /// usage_error for graphs that are not on the host, not_compiled for machines of CPUs and GPUs
  /// together, processes, models, and GPUs without atomics on each other's memory. The machine must
  /// outlive it.
  vertex_steps(machine& m, const graph& g, std::int64_t memory, const run_options& how);
  ~vertex_steps();

  /// What steps on a graph take with such arrays.
  static memory_plan plan(const machine& m, const graph& g, const steps_fields& fields,
                          std::int64_t memory);
  /// The same before there is a graph. `weight_bytes`: of an arc, 0 without weights.
  static memory_plan plan(const machine& m, const graph_shape& g, int weight_bytes,
                          const steps_fields& fields, std::int64_t memory);

  [[nodiscard]] std::int64_t vertices() const noexcept;
  /// A few vertices have many arcs.
  [[nodiscard]] bool skewed() const;
  /// A further array with elements of 1, 4 or 8 bytes, all bits zero; its number. `shared`: every
  /// rank can read all of it, its owners write. capacity_error.
  int add_array(int element, bool shared);
  /// All elements by vertex. The sizes must be right.
  void write(int array, std::span<const std::byte> from);
  void read(int array, std::span<std::byte> to) const;
  /// For any number of runs.
  int add_program(compiled_steps program);
  /// `numbers`: eight bytes each, before and after. Whatever it throws, arrays may be half changed.
  steps_outcome run(int program, std::span<std::int64_t> numbers, const run_options& how);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer
