// The options of a distributed worklist: order, windows, batches and stealing.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/collective/parcel_exchange.hpp"

namespace gossamer {

struct worklist_options {
  std::string name = "worklist";  ///< what errors call it
  /// Work in order of priority, roughly: windows of it, each as wide as `delta`. False: first in,
  /// first out.
  bool soft_priority = true;
  /// Width of the first window, in the unit of priorities; later ones adapt (threshold.hpp).
  double delta = 1;
  /// Items worked on between two looks at what came; 0: all that wait, which takes a list of twice
  /// the length.
  std::int64_t batch = 256;
  parcel_limits parcels;
  /// Idle ranks get work from others (distributed_worklist.hpp); callbacks have to take part.
  bool steal = false;
  std::int64_t least_to_give = 64;  ///< items that wait at a rank that gives some away
};

}  // namespace gossamer
