// What every way of making a generator's graph has in common: the limit before, name and weights
// after. Private to the layer.
#pragma once

#include <string>

#include "gossamer/graph/generators.hpp"

namespace gossamer::detail {

/// Throws capacity_error with the plan when it exceeds options.memory (0: the host's limit).
void require_generator_memory(const generator_spec& spec, const generator_plan& plan,
                              const generate_options& options);

/// Throws cancelled_error when a stop was requested.
void check_generator_stop(const generator_spec& spec, const generate_options& options);

/// Of weights, where they came from, in words.
std::string generated_weights(const generator_spec& spec);

/// Name, and weights where they are asked for; reports the whole of the progress.
void finish_generated(graph& g, const generator_spec& spec, const generate_options& options);

}  // namespace gossamer::detail
