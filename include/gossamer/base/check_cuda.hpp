// GOSSAMER_CHECK_CUDA: the one way a CUDA runtime call is checked, in every layer.
//
// CUDA reports two kinds of failure. Most are answers to one call (no memory, a bad argument) and
// stay in the thread's "last error" until someone reads it, where the next launch check would find
// it and blame the wrong call: they are cleared here. The others ("sticky": an illegal address, a
// failed launch, …) destroy the context, come back from every later call and cannot be cleared;
// `foreign_error::device_lost()` tells callers that the device is gone for this process.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer {

/// True for errors after which the context cannot be used any more (CUDA runtime API, "This leaves
/// the process in an inconsistent state and any further CUDA work will return the same error").
inline bool cuda_device_lost(cudaError_t code) noexcept {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorMpsClientTerminated:
    case cudaErrorContained:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

/// Throws foreign_error when `code` is a failure: "cudaMalloc(&p, n): cudaErrorMemoryAllocation
/// (out of memory) at FILE:LINE". Clears the thread's last error when it can be cleared.
inline void check_cuda(cudaError_t code, const char* call, const char* file, int line,
                       std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  const bool lost = cuda_device_lost(code);
  if (!lost) static_cast<void>(cudaGetLastError());
  throw foreign_error(std::string(call) + ": " + cudaGetErrorName(code) + " (" +
                          cudaGetErrorString(code) + ") at " + file + ":" + std::to_string(line),
                      static_cast<int>(code), lost, where);
}

}  // namespace gossamer

/// Evaluates a CUDA runtime call once and throws gossamer::foreign_error when it fails. After a
/// kernel launch: GOSSAMER_CHECK_CUDA(cudaGetLastError()).
#define GOSSAMER_CHECK_CUDA(expr) ::gossamer::check_cuda((expr), #expr, __FILE__, __LINE__)
