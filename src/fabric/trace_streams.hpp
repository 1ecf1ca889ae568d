// A GPU rank's part of a recorder: moments in its streams, and the log that its kernels write.
#pragma once

#include <vector>

#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

struct trace_recorder::device_side {
  explicit device_side(const device& d);

  int ordinal;
  std::vector<event> moments;     ///< two for each event
  std::vector<trace_event> what;  ///< by pair of moments, without times
  std::size_t used = 0;           ///< pairs
  buffer<phase_record> log;
  buffer<std::uint32_t> written;
  buffer<std::uint64_t> timer;     ///< pinned: the GPU's global timer
  event base;                      ///< the moment that others are measured from …
  double base_at = 0;              ///< … and when that was, by rank::clock()
  std::int64_t timer_to_host = 0;  ///< ns to add to the global timer
};

}  // namespace gossamer
