// The public questions about GPUs, answered by whichever CUDA backend the build holds.
#include "gossamer/machine/device.hpp"

#include "machine/cuda_backend.hpp"

namespace gossamer {

std::vector<device> cuda_devices() {
  return cuda_backend::devices().devices;
}

std::string cuda_unavailable_reason() {
  return cuda_backend::devices().unavailable;
}

reach cuda_reach(int a, int b) {
  if (a == b) return reach::self;
  return cuda_backend::pair(a, b).how;
}

}  // namespace gossamer
