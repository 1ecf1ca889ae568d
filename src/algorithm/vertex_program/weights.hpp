// A graph's weights as a program's values.
#pragma once

#include <stop_token>

#include "gossamer/algorithm/vertex_program.hpp"

namespace gossamer::program_detail {

struct converted_weights {
  program_values values;  ///< [arcs], the graph's own where the types agree; empty: none
  double mean = 0;        ///< of their sizes, without signs
  bool negative = false;  ///< one of them
};

/// The graph is weighted. Integers must be held exactly, input_error naming the first arc that is
/// not; floats are rounded. cancelled_error soon after a stop is requested.
converted_weights convert_weights(const graph& g, program_type type, const std::stop_token& stop);

/// arc_error naming the first arc whose weight is negative, where one is.
void refuse_negative(const graph& g);

/// Bytes that it takes.
std::int64_t converted_bytes(const graph& g, program_type type);

}  // namespace gossamer::program_detail
