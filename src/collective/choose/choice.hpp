// Which algorithm a plan takes: the one asked for, what a modelled system's own software does, or
// what the rules say.
#pragma once

#include <cstddef>
#include <string>

#include "collective/schedule/layout.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer {

/// Bytes of the message, as rules count them.
std::size_t message_bytes(const layout& shape);

/// Whether a rank of the machine is a GPU.
bool any_gpu(const rank& r);

/// On a modelled system that says what its own software does, that, unless someone asked for more.
const model::collective_row* own_software(const rank& r, const layout& shape, bool host,
                                          const plan_options& options);

/// All ranks choose alike.
struct choice {
  std::string name;
  bool library = false;  ///< nobody asked for `name`, and by default NCCL is ahead of it
};
choice choose(const rank& r, const layout& shape, reduction how, const plan_options& options);

}  // namespace gossamer
