// Where kernels that run for long write what they did and when (trace.hpp makes events of it).
// Known to programs that are compiled at run time, which have this header as text.
#pragma once

#include <cstdint>

namespace gossamer {

/// One phase of a kernel, as kernels write it (trace_device.cuh).
struct phase_record {
  std::uint64_t begin = 0, end = 0;  ///< ns of the GPU's global timer; CPU ranks: of rank::clock()
  std::int64_t bytes = 0;            ///< of a copy; of a level its vertices
  std::int32_t phase = 0;            ///< index into the names given to trace_phases()
  std::int32_t level = -1, peer = -1;
  std::int32_t padding = 0;
};
/// Where a kernel writes them; passed by value. `records` null: nothing is recorded.
struct phase_log {
  phase_record* records = nullptr;
  std::uint32_t* written = nullptr;  ///< how many were asked for, also beyond `capacity`
  std::uint32_t capacity = 0;
};

}  // namespace gossamer
