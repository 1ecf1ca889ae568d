// Engine sync on a GPU: the whole search in one kernel, rows in the GPU's memory.
//
// Of a machine of several GPUs the first one searches. Parents come from its distances
// (parents.hpp): there where rows are in-arcs, too, else on the host, as on CPU ranks.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/sssp/planning.hpp"
#include "algorithm/sssp/sync/solo.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::sssp_detail {

/// What a search found.
template <class Distance>
struct gpu_found {
  search_counts counts;
  double seconds = 0;  ///< source to finished distances in the GPU's memory, by its clock
  std::int64_t reached = 0;
  Distance farthest = 0;
  gpu_values distances;  ///< [vertices] of Distance
};

/// A search prepared for one graph on one GPU.
template <class Distance>
class gpu_search {
 public:
  virtual ~gpu_search() = default;
  /// By the rank that has the GPU.
  virtual gpu_found<Distance> run(rank& r, std::int64_t source) = 0;
  /// In the same run, of a symmetric graph: fills `parents` [vertices]. False where so many arcs of
  /// zero follow each other that the host is to find them.
  virtual bool find_parents(rank& r, const gpu_found<Distance>& found, std::int64_t source,
                            const shared_array<std::int64_t>& parents) = 0;
};

/// Lays the graph out on the machine's first GPU, unless it lies there, each arc with its weight
/// beside it, and takes all that runs need. `needs`: what stays on the GPU. In sssp/cuda, else
/// absent: not_compiled.
template <class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine& m, const graph& g, double delta,
                                                      const memory_plan& needs);

/// What a search takes of the machine's first GPU.
void declare_gpu_search(memory_layout& l, const problem& p);

}  // namespace gossamer::sssp_detail
