// What a traced search's kernel says of its time: between two meetings of all blocks, what the
// first block did, and how long it then waited for the others and the other ranks.
#pragma once

#include <array>
#include <cstdint>

#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail::cuda {

enum class search_phase : std::int32_t {
  assemble,
  clear,
  narrow,
  thin,
  settle,
  survey,
  gather,
  expand,
  absorb,
  clear_bits,
  set_bits,
  spread_bits,
  bottom_up,
  rest,
  close,
  agree
};

/// By search_phase. Setting bits is work on own data; telling them is for peers.
inline constexpr std::array<trace_phase, 16> search_phase_names = {{
    {"begin", trace_class::compute},
    {"clear", trace_class::compute},
    {"narrow levels", trace_class::compute},
    {"thin levels", trace_class::compute},
    {"settle results", trace_class::compute},
    {"survey the queue", trace_class::compute},
    {"bitmap to queue", trace_class::compute},
    {"expand", trace_class::compute},
    {"absorb", trace_class::compute},
    {"clear the bitmap", trace_class::compute},
    {"queue to bitmap", trace_class::compute},
    {"spread the bitmap", trace_class::exchange},
    {"search rows", trace_class::compute},
    {"search long rows", trace_class::compute},
    {"close results", trace_class::compute},
    {"agree", trace_class::wait},
}};

}  // namespace gossamer::bfs_detail::cuda
