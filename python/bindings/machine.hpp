// What placements and runs share of a machine.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer_python {

/// A machine in use by any number of Python objects and of work left behind.
using machine_handle = std::shared_ptr<gossamer::machine>;

/// A placed graph and the machine that must outlive it.
struct placed_handle {
  machine_handle machine;
  std::shared_ptr<const gossamer::placed_graph> placed;
};

/// Rows (rank, memory kind, purpose, bytes) and the limits of a plan.
fields plan_to_python(const gossamer::memory_plan& plan);

/// Options from Python's arguments.
gossamer::place_options make_place_options(const std::string& partition,
                                           const std::optional<int32s>& part_of,
                                           const std::string& renumber, bool both_directions,
                                           bool by_columns, std::int64_t memory,
                                           const std::string& spill);

}  // namespace gossamer_python
