// Engine, bytes by rank and purpose, and arenas of compiled programs.
#pragma once

#include <vector>

#include "algorithm/engine_choice.hpp"
#include "gossamer/algorithm/compiled_program.hpp"

namespace gossamer::program_detail {

/// worklist or rounds; not_compiled for machines that run neither, and for code that the program
/// lacks.
algorithm_detail::engine_choice choose_engine(const machine& m, const compiled_program& program);

memory_plan make_plan(const machine& m, const graph& g, const std::vector<std::int64_t>& first,
                      const compiled_program& program, const program_options& options);
std::vector<arena_plan> make_arenas(const machine& m, const graph& g,
                                    const std::vector<std::int64_t>& first,
                                    const compiled_program& program);

}  // namespace gossamer::program_detail
