// What a schedule holds behind its public interface: the layout of its request and the algorithm's
// number.
#pragma once

#include "collective/schedule/layout.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

struct schedule::state {
  layout shape;
  std::size_t algorithm;  ///< algorithm_at
};

}  // namespace gossamer
