// Which GPU calls of a thread mean: of those that are not there, every call says it itself.
#include "gossamer/machine/current_device.hpp"

#include "machine/driver_gate.hpp"

namespace gossamer {

current_device::current_device(int ordinal) : before_(ordinal) {}
current_device::~current_device() = default;

}  // namespace gossamer
