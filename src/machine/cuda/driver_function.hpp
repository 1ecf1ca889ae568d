// Functions of the CUDA driver, asked for through the runtime, so that a build needs no libcuda.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::cuda_backend {

/// The function as CUDA `since` (12040: 12.4) has it. foreign_error where the driver has none:
/// "`what` needs a driver of …".
template <class F>
F driver_function(const char* name, unsigned since, const char* what) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  GOSSAMER_CHECK_CUDA(
      cudaGetDriverEntryPointByVersion(name, &found, since, cudaEnableDefault, &result));
  if (result != cudaDriverEntryPointSuccess)
    throw foreign_error(std::string(what) + " needs a driver of CUDA " +
                            std::to_string(since / 1000) + "." + std::to_string(since / 10 % 100) +
                            " or newer; this one has no " + name,
                        0, false);
  return reinterpret_cast<F>(found);
}

inline void check_driver(CUresult code, const char* call) {
  check_cuda(static_cast<cudaError_t>(code), call, __FILE__, __LINE__);  // the codes are the same
}

}  // namespace gossamer::cuda_backend
