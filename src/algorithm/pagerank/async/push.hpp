// Engines async and host: one rank's side, on a CPU (async.cpp) or a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "algorithm/driver/worklist_outcome.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::pagerank_detail {

class residual_push {
 public:
  virtual ~residual_push() = default;
  /// Collective. Fills the own part of `ranks` [ids] with the ranks in a unit that is every rank's;
  /// seconds until they are final, on a GPU in its memory and by its clock; their sum, and in
  /// their unit what was left. `jumps`: [ids], or empty where no id is a hole.
  virtual algorithm_detail::worklist_outcome run(rank& r, std::span<const double> jumps,
                                                 std::span<double> ranks) = 0;
};

/// What all ranks are given, by placed id; who pushes keeps a view.
struct push_problem {
  double damping;
  double allowed;              ///< what residuals known to one rank may add up to, of 1 in all
  double residual;             ///< … or that of one vertex, of the mean rank; 0: by `allowed`
  const double* shares;        ///< [ids] damping over the sum of out-weights
  const edge_offset* offsets;  ///< [ids + 1] of all rows
  std::int64_t vertices, arcs;

  [[nodiscard]] std::int64_t degree(std::int64_t id) const { return offsets[id + 1] - offsets[id]; }
  [[nodiscard]] bool by_residual() const { return residual > 0; }
  /// What a residual must come to: anywhere, or for each of a row's arcs and once more.
  [[nodiscard]] double least() const {
    return by_residual() ? residual / static_cast<double>(vertices)
                         : allowed / static_cast<double>(vertices + arcs);
  }
};

/// On GPUs: takes all that runs of rank `self` need, windows apart. `weights`: of its slice's
/// columns, on the host. In pagerank/cuda, else absent: not_compiled.
template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const placed_graph& g, int self, const Weight* weights,
                                             const push_problem& p,
                                             const algorithm_detail::list_drive& how);
#define GOSSAMER_GPU_PUSH(Id, Weight)                                \
  template std::unique_ptr<residual_push> make_gpu_push<Id, Weight>( \
      const placed_graph&, int, const Weight*, const push_problem&,  \
      const algorithm_detail::list_drive&);
#define GOSSAMER_GPU_PUSHES_OF(Id) \
  GOSSAMER_GPU_PUSH(Id, no_weight) \
  GOSSAMER_GPU_PUSH(Id, std::int32_t) GOSSAMER_GPU_PUSH(Id, float) GOSSAMER_GPU_PUSH(Id, double)
/// Its explicit instantiations.
#define GOSSAMER_GPU_PUSHES GOSSAMER_GPU_PUSHES_OF(vertex32) GOSSAMER_GPU_PUSHES_OF(vertex64)

/// What that takes.
void declare_gpu_push(memory_layout& l, const machine& m, const problem& p, int self,
                      const pagerank_options& options);

/// A window of halvings; the first two levels, then more where windows hold little.
inline constexpr double first_window = 1;

}  // namespace gossamer::pagerank_detail
