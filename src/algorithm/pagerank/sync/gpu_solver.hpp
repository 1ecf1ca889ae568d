// The form of `solver` whose ranks are GPUs of this process, and what it takes.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/pagerank/planning.hpp"
#include "algorithm/pagerank/sync/solver.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::pagerank_detail {

/// Whether rows can be built on the GPU, from a placement of the graph: on one, of a graph that its
/// placement keeps as it is. Else the host lays them out.
bool builds_rows(const machine& m, std::int64_t vertices);

/// `options.run.arenas` is planned. Builds rows, or lays them out and uploads them; capacity_error
/// for more vertices than 32-bit columns name.
std::unique_ptr<solver> make_gpu_solver(const preparation& from);

/// How make_gpu_solver() places a graph.
place_options placement_of(const pagerank_options& options);

/// What a rank takes: of rows at most, since their lengths decide.
void declare_gpu_rank(memory_layout& l, const machine& m, const problem& p, int rank,
                      const pagerank_options& options, certainty rows);
/// Bytes of host memory while rows are laid out; a run takes fewer.
std::int64_t gpu_layout_bytes(int ranks, std::int64_t vertices, std::int64_t arcs, bool symmetric,
                              const pagerank_options& options);

}  // namespace gossamer::pagerank_detail
