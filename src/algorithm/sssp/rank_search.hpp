// One rank's side of a search by several: of a CPU, by engine, or of a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/host_driven/drive.hpp"
#include "algorithm/sssp/outcome.hpp"
#include "algorithm/sssp/planning.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail {

template <class Distance>
class rank_search {
 public:
  virtual ~rank_search() = default;
  /// Collective. Fills the own rows of `distances` and what `out` says of the search, `seconds`
  /// only on a GPU: by its clock, until they are final in its memory.
  virtual void run(rank& r, std::int64_t source, Distance* distances, outcome& out) = 0;
};

/// A weighted graph, and how it is placed on GPUs; both outlive who searches it.
struct weighted_placement {
  const graph& of;
  const placed_graph& placed;
  const place_options& how;
  const memory_plan& needs;  ///< of "arcs with weights": which of a rank's stay on its GPU
};

/// On GPUs: takes all that runs of rank `self` need, windows apart, and lays arcs out with their
/// weights beside them unless they lie there. `short_rows`: of the graph. In sssp/cuda, else
/// absent: not_compiled.
template <class Distance>
std::unique_ptr<rank_search<Distance>> make_gpu_worklist(const weighted_placement& on, int self,
                                                         const algorithm_detail::list_drive& how,
                                                         bool short_rows);
#define GOSSAMER_SSSP_GPU_WORKLIST(Distance)                                   \
  template std::unique_ptr<rank_search<Distance>> make_gpu_worklist<Distance>( \
      const weighted_placement&, int, const algorithm_detail::list_drive&, bool);

/// What that takes.
void declare_gpu_worklist(memory_layout& l, const machine& m, const problem& p, int self,
                          const algorithm_detail::list_drive& how);

}  // namespace gossamer::sssp_detail
