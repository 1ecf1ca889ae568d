// Pointer chasing on a modelled node: its processors, and what lies between them and memory.
#pragma once

#include "gossamer/algorithm/pointer_chase.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::pointer_chase {

/// Virtual seconds of `cores` that go `steps` on along each of their lists. Deterministic.
double modelled_seconds(const model::chips& on, int cores, std::int64_t steps,
                        const chase_options& options);

}  // namespace gossamer::pointer_chase
