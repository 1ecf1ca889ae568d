// Engine, bytes by rank and purpose, and arenas of compiled programs.
#pragma once

#include <vector>

#include "algorithm/driver/engine_choice.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::program_detail {

/// not_compiled for machines that run no programs, and for a program without code for the machine.
algorithm_detail::engine_choice choose_engine(const machine& m, const vertex_program& program);

/// How a graph is placed for one.
place_options placement_of(const program_options& options);

/// What it takes.
algorithm_detail::memory_layout layout_of(const machine& m, const graph& g,
                                          const planned_rows& rows, const vertex_program& program,
                                          const program_options& options);

}  // namespace gossamer::program_detail
