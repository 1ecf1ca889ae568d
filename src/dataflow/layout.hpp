// layout: the lanes of a wiring, and where each has its buffers, headers and counters.
//
// A lane joins one endpoint that sends to one that receives, over a link or over two with a router
// between. Every rank computes the same layout, so that a sender knows where in the receiver's
// windows to write without asking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/dataflow/wiring.hpp"

namespace gossamer::dataflow {

/// Stands beside each segment in a host window of the receiver; put behind the data, before the
/// counter that announces both.
struct segment_header {
  std::uint64_t number, offset, bytes, total, tag;
  std::uint32_t element;
  std::int32_t to;
};

struct lane {
  int out_link = -1, in_link = -1;  ///< the same where no router lies between
  endpoint from, to;
  int from_rank = -1, to_rank = -1;
  std::size_t packet = 0;  ///< bytes of the largest segment
  int buffers = 0;
  bool one_at_a_time = false;  ///< link_options
  std::size_t data_at = 0;     ///< first buffer in the receiving rank's window of bytes
  std::size_t header_at = 0;   ///< first header in its window of headers
  std::size_t arrived = 0;     ///< counter of the receiving rank: segments put so far
  std::size_t ended = 0;  ///< counter of the receiving rank: at the end, segments in all plus one
  std::size_t returned = 0;  ///< counter of the sending rank: buffers given back so far
  /// From one buffer to the next: aligned as arenas are, for any element and any copy engine.
  [[nodiscard]] std::size_t stride() const noexcept { return (packet + 255) / 256 * 256; }
};

struct layout {
  std::vector<lane> lanes;
  // By rank.
  std::vector<std::size_t> bytes, headers, counters;
};

layout lay_out(const wiring& w);

}  // namespace gossamer::dataflow
