// What a distributed worklist is told.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/collective/parcel_exchange.hpp"
#include "gossamer/dataflow/balance.hpp"

namespace gossamer {

struct worklist_options {
  std::string name = "worklist";  ///< what errors call it
  /// Work in order of priority, roughly: windows of it, each as wide as `delta`. False: first in,
  /// first out.
  bool soft_priority = true;
  /// Width of the first window, in the unit of priorities; later ones adapt (threshold.hpp).
  double delta = 1;
  std::int64_t batch = 256;  ///< items worked on between two looks at what came
  parcel_limits parcels;
  balance_options balance;  ///< how idle ranks get work; callbacks have to take part
};

}  // namespace gossamer
