// Components without phases: every vertex's label is the smallest that has reached it, along arcs
// in both directions, by a distributed worklist (dataflow/operator_worklist.hpp).
//
// The label is also the soft priority, which is what makes label propagation cheap. Started from
// all vertices at once, a label travels only to be overtaken by smaller ones, again and again.
// Here the first window holds the smallest label alone: it floods its whole component before
// another one moves, and what it has reached is done. Later windows double while they hold little
// (dataflow/threshold.hpp), so that the remaining small components need few.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "algorithm/components/program.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

/// `g`: with in-arcs. A directed graph's rows are written down in both directions. `asked`:
/// checked; `engine`: async or host.
std::unique_ptr<components_program> make_async(std::shared_ptr<const placed_graph> g,
                                               const components_options& asked,
                                               const std::string& engine);

/// What it takes, in bytes.
struct async_bytes {
  std::int64_t work = 0;      ///< of a rank: a label and a state of every vertex, and lists
  std::int64_t windows = 0;   ///< of a rank, in the native arena
  std::int64_t gathered = 0;  ///< in the host arena, where ranks are processes
  std::int64_t arcs = 0;      ///< of a rank: of a directed graph, in both directions
};
/// `in_arcs`: that end at the rank's vertices.
async_bytes async_bytes_on(const machine& m, const planned_rows& rows, int rank,
                           std::int64_t in_arcs, bool symmetric, int id_width,
                           const std::string& priority);

}  // namespace gossamer::components_detail
