// What a plan says that memory is for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// How many entries of the plan are for `purpose`.
inline std::int64_t entries_for(const memory_plan& plan, const std::string& purpose) {
  return std::count_if(plan.entries.begin(), plan.entries.end(),
                       [&](const auto& e) { return e.purpose == purpose; });
}

}  // namespace gossamer
