// A generator's graph made where it will lie, in parts: no memory ever holds the edge list or the
// whole graph.
//
// Every rank makes an equal part of the edge list, in rounds of bounded size, and sends each arc to
// the owner of its row. It does so twice: the first time owners count, which gives them the offsets
// and the exact size of the columns; the second time they put every column where it belongs. Then
// rows are sorted, and repeated columns dropped in place. An entry of the list is a pure function
// of its index, so that making it again costs less memory than keeping it and less time than
// sorting it. The slices are those of place(m, generate(spec)), bit for bit.
//
// GPUs send nothing: each makes the whole list and keeps what belongs to its rows
// (gpu_row_maker.hpp).
//
// What a rank takes is its slice before repeated columns are dropped, 16 bytes a row, and buffers
// whose size does not depend on the graph. Vertices are divided in equal ranges, so that placed ids
// are the graph's own.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "gossamer/graph/generators.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

struct generate_placed_options {
  std::int64_t memory = 0;       ///< bytes per device, 0 = configuration / device
  std::int64_t round_edges = 0;  ///< entries a CPU rank makes in one round; 0 = 2^18 / ranks
  std::function<void(double)> progress;  ///< called with 0..1 now and then, by rank 0's thread
  std::stop_token stop;                  ///< cancelled_error soon after a request
};

/// What generate_placed() takes, by rank. Arcs are taken to lie evenly over the ranks, and before
/// repeated ones are dropped.
memory_plan plan_generate_placed(const machine& m, const generator_spec& spec,
                                 const generate_placed_options& options = {});

/// Makes the graph of `spec` on the ranks of `m`, without weights. Its placed_graph is not whole():
/// no host array holds it. Throws capacity_error with the plan, when it is known to be too large
/// (before anything is allocated) or found to be (before the columns are); usage_error for
/// matrices, for CPU ranks and GPUs together, and for fewer than 512 vertices a rank of several.
placed_graph generate_placed(machine& m, const generator_spec& spec,
                             const generate_placed_options& options = {});

}  // namespace gossamer
