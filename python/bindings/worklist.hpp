// What a worklist counted, as the fields of WorklistCounters
// (python/gossamer/algorithm/prepared.py).
#pragma once

#include <optional>

#include "bindings.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"

namespace gossamer_python {

/// A tuple in the order of the fields; None for engines without a worklist.
inline stated<"tuple[int, ...] | None"> worklist_to_python(
    const std::optional<gossamer::worklist_counters>& work) {
  if (!work) return nb::none();
  const auto& w = *work;
  return nb::make_tuple(w.items, w.repeated, w.useless, w.filtered, w.sent, w.bytes, w.parcels,
                        w.deferred, w.windows, w.rounds, w.arcs, w.stolen, w.given_bytes,
                        w.most_arcs);
}

}  // namespace gossamer_python
