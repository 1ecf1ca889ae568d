// The GPU's side of generate(): real in graph/cuda, a stub that throws not_compiled in
// graph/absent.
#pragma once

#include <cstdint>

#include "gossamer/graph/generators.hpp"

namespace gossamer::detail {

/// What a generator dropped to make its graph simple, for graph::steps.
struct generated_rows {
  shared_array<edge_offset> offsets;
  std::variant<shared_array<vertex32>, shared_array<vertex64>> indices;
  std::int64_t self_loops = 0;  ///< edges (v,v) of the list that were dropped
  std::int64_t duplicates = 0;  ///< arcs dropped as duplicates
};

/// Bytes free on a device; usage_error when there is no such device.
std::int64_t cuda_free_bytes(int device);
/// The rows of a spec, made on options.device.
generated_rows generate_rows_cuda(const generator_spec& spec, const generate_options& options,
                                  const generator_plan& plan);

}  // namespace gossamer::detail
