// Switches the thread's current device back and forth and keeps runs whose kernels wait from
// beginning meanwhile (driver_gate.hpp).
#include "gossamer/machine/current_device.hpp"

#include <cuda_runtime_api.h>

#include "gossamer/base/check_cuda.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

current_device::current_device(int ordinal) : pause_(std::make_unique<driver_pause>()) {
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&before_));
  GOSSAMER_CHECK_CUDA(cudaSetDevice(ordinal));
}

current_device::~current_device() {
  static_cast<void>(cudaSetDevice(before_));
}

}  // namespace gossamer
