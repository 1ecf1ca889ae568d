// CUDA left out of the build: no GPU can be current.
#include "gossamer/machine/current_device.hpp"

#include "gossamer/base/error.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

current_device::current_device(int) {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
current_device::~current_device() = default;

}  // namespace gossamer
