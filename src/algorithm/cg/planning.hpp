// Bytes of a solve: the entries of its plan, and the arenas of its runs.
#pragma once

#include <vector>

#include "algorithm/cg/iteration.hpp"
#include "algorithm/cg/layout.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/placement/ordered_rows.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::cg_detail {

/// What an engine is.
struct engine_kind {
  engine_info info;
  method loop;
  bool libraries = false;  ///< SpMV, dot products and axpy are cuSPARSE's and cuBLAS's
};
/// Of the engine that the options name; table.cpp lists them.
const engine_kind& kind_of(const cg_options& options);

/// How rows are divided.
place_options ranges_of(const cg_options& options);
/// Adds the memory that puts rows, right-hand sides and solutions in the order of their ranks.
void plan_order(memory_plan& plan, const machine& m, const graph& matrix,
                const vertex_ranges& ranges, const cg_options& options);
/// What it takes; nothing is allocated. `ranges`: of the layout.
algorithm_detail::memory_layout layout_of(const machine& m, const graph& matrix, const layout& l,
                                          const vertex_ranges& ranges, const cg_options& options);

}  // namespace gossamer::cg_detail
