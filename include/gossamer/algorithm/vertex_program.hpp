// Vertex programs whose operator was compiled at run time, on CPU ranks and on GPUs.
//
// A program is two things. The update says what becomes of two values: the smaller, the larger,
// their bits together, or their sum. The expression says what goes out along an arc, from the value
// of the vertex it leaves, its weight and the vertex's degree. A run begins with initial values and
// a list of vertices. Every vertex ends with the best value that reaches it, or with all bits, or
// with the sum of all that came.
//
// The smaller and the larger are kept as *keys*: words without a sign in which smaller is better.
// So one engine serves all types and both updates, and a key improves by an atomic minimum on any
// GPU. The order of keys is total: -0 is below +0, and NaN is never better than anything. The
// result therefore does not depend on the order of work, provided that the expression does not fall
// when the value it is given rises. (Also, no cycle may improve on itself: such a run ends by its
// deadline only.)
//
// Bits are kept as they are. Sums are pushed residuals, float64, none of them negative. A vertex
// adds up what comes. When that has reached the threshold, the vertex passes it on and keeps it as
// part of its result. So sums depend on the order of work, by what thresholds held back and by
// rounding.
//
// CPU ranks run it on a distributed worklist (dataflow/operator_worklist.hpp). So do GPUs of one
// process that address each other's memory, by one persistent kernel each.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Types of values, in the order of program_values' alternatives.
enum class program_type : std::uint8_t { int32, int64, uint32, uint64, float32, float64 };
/// What becomes of two values that meet at a vertex.
enum class program_update : std::uint8_t { smaller, larger, all_bits, sum };
/// A value a vertex.
using program_values = std::variant<shared_array<std::int32_t>, shared_array<std::int64_t>,
                                    shared_array<std::uint32_t>, shared_array<std::uint64_t>,
                                    shared_array<float>, shared_array<double>>;

/// What goes out along `arcs` arcs of a vertex with `degree` of them: keys, or bits and sums as
/// they are. `key` is the vertex's. `weights` [arcs], of the program's type, is null where the
/// expression has no weight.
using row_function = void (*)(const void* key, std::int64_t degree, const void* weights,
                              std::int64_t arcs, void* keys);

struct vertex_program {
  program_type type = program_type::float64;
  program_update update = program_update::smaller;
  double threshold = 0;   ///< of a sum, positive: less is not passed on
  bool weighted = false;  ///< the expression has the weight
  /// If no weight is negative, nothing better goes out along an arc than the value it leaves from:
  /// a value is final once all better ones are. False: not known.
  bool label_setting = false;
  row_function row = nullptr;  ///< for CPU ranks; null: they are refused
  /// For GPUs: cubins of program_text() by architecture (90 is sm_90), made for the machine's
  /// number of ranks.
  std::map<int, std::string> images;
  std::shared_ptr<void> owner;  ///< keeps `row` alive
  /// The expression's text: processes that run it together compare it, since they share no code.
  std::string text;
};

/// Expressions that need no compiler, as program_text() takes them.
std::vector<std::string> builtin_expressions();
/// The row function of one of them; null for others.
row_function builtin_row(program_type type, program_update update, const std::string& expression);

/// One GPU alone, or one of several ranks.
enum class program_target : std::uint8_t { cpu, one_gpu, gpus };
/// Name of the kernel in the text for machines of so many ranks.
const char* program_kernel(int ranks);
/// Source of a program: C++17 with the row_function `gossamer_row`, or CUDA with the kernel
/// program_kernel(), for NVRTC (C++20). It includes nothing. `expression` is C++ over value,
/// weight, degree, T(number) and the functions gs_add, gs_sub, gs_mul, gs_divide, gs_floor_divide,
/// gs_modulo, gs_negate, gs_min, gs_max, gs_abs, gs_sqrt, gs_floor, gs_ceil, gs_infinity (the last
/// four and gs_divide: floats). Compile without contraction of products and sums, or results
/// differ.
std::string program_text(program_type type, program_update update, const std::string& expression,
                         program_target target);

/// Architectures of the GPUs of a machine, each once, as images are keyed. Empty: no GPU ranks.
std::vector<int> program_architectures(const machine& m);

struct program_options {
  /// Width of the first window of values (threshold.hpp); nothing: from the weights, or, where
  /// values grow along arcs as distances do, what the graph's metadata names (advised_delta()).
  std::optional<double> delta;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct program_result {
  std::string engine;         ///< "worklist"
  std::string engine_reason;  ///< why it
  int ranks_used = 0;
  std::int64_t arcs = 0;    ///< looked at, all ranks
  std::int64_t rounds = 0;  ///< windows of priorities
  double milliseconds = 0;  ///< from initial to final values, slowest rank
  double left = 0;          ///< of sums: what came somewhere and was not passed on, in all
  std::vector<std::pair<std::string, double>> phases;  ///< seconds: propagate, exchange, agree
  std::optional<worklist_counters> work;               ///< what ranks counted
  program_values values;                               ///< [vertices]
};

/// Prepared for a graph on a machine: weights converted and, on GPUs, rows uploaded once; run any
/// number of times. Ranks own contiguous ranges of rows with about as many arcs each.
class program_search {
 public:
  /// usage_error for weights that the graph lacks, input_error naming the first arc whose weight
  /// the type cannot hold, capacity_error with the plan, not_compiled for machines of CPUs and
  /// GPUs together, GPUs that do not address each other's memory, and what the program has no code
  /// for. The machine must outlive it.
  program_search(machine& m, const graph& g, vertex_program program,
                 const program_options& options = {});
  ~program_search();
  program_search(program_search&&) noexcept;

  /// What it takes beside the graph.
  [[nodiscard]] static memory_plan plan(const machine& m, const graph& g,
                                        const vertex_program& program,
                                        const program_options& options = {});
  /// `initial`: [vertices] of the program's type; `active`: vertices that begin, by index; any
  /// other begins when its value improves. usage_error for other sizes, types and vertices. Where
  /// ranks are processes, collective, and every process has the whole result.
  program_result run(const program_values& initial, std::span<const std::int64_t> active);

  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A search as the constructor makes it, or one that an earlier call left (placement/kept.hpp);
  /// the caller's alone.
  static std::shared_ptr<program_search> prepare(machine& m, const graph& g,
                                                 const vertex_program& program,
                                                 const program_options& options = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer
