// Sets the device and restores it, but asks the driver first whether the one before has a context.
#include "machine/cuda/guard.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string>

#include "gossamer/base/check_cuda.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

/// The driver's own question; asked through the runtime, so that a build needs no libcuda.
bool context_exists(int ordinal) {
  using query = CUresult (*)(CUdevice, unsigned int*, int*);
  static const query ask = [] {
    void* symbol = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &symbol, 7000,
                                         cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
      return query(nullptr);
    return reinterpret_cast<query>(symbol);
  }();
  unsigned int flags = 0;
  int active = 0;
  return ask == nullptr || ask(ordinal, &flags, &active) != CUDA_SUCCESS || active != 0;
}

}  // namespace

device_guard::device_guard(int ordinal) {
  if (ordinal < 0) return;
  if (ordinal >= static_cast<int>(devices().devices.size()))
    throw usage_error("no CUDA device " + std::to_string(ordinal) + ": this host has " +
                      std::to_string(devices().devices.size()));
  int current = 0;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&current));
  if (current == ordinal) return;
  GOSSAMER_CHECK_CUDA(cudaSetDevice(ordinal));
  previous_ = current;
}

device_guard::~device_guard() {
  if (previous_ >= 0 && context_exists(previous_)) static_cast<void>(cudaSetDevice(previous_));
}

}  // namespace gossamer::cuda_backend
