// Engines that are one kernel a GPU, with no host between their steps.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer {

/// What such an engine lacks on this machine, where kernels store into each other's memory and wait
/// for each other. Empty: nothing.
std::string lacks_for_one_kernel(const machine& m);

/// Whether kernels of every two ranks have loads, stores and atomics on each other's memory.
bool reach_each_other(const machine& m);

}  // namespace gossamer
