// The kernel of a program, loaded from its image by CUDA's library functions, which give one handle
// for all devices of the process.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/device.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer::program_detail {

/// Of a GPU: 90 is sm_90.
inline int architecture_of(const device& on) {
  int major = 0, minor = 0;
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on.ordinal));
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, on.ordinal));
  return 10 * major + minor;
}

/// Made while the device that it will run on is current.
class loaded_kernel {
 public:
#if CUDART_VERSION >= 12080
  loaded_kernel(const std::string& image, const char* name) {
    GOSSAMER_CHECK_CUDA(
        cudaLibraryLoadData(&library_, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    cudaKernel_t kernel = nullptr;
    GOSSAMER_CHECK_CUDA(cudaLibraryGetKernel(&kernel, library_, name));
    kernel_ = reinterpret_cast<const void*>(kernel);
    cudaFuncAttributes attributes;  // loads it now, not beside running kernels
    GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel_));
  }
  ~loaded_kernel() {
    if (library_ != nullptr) when_clear(unload, -1, library_);
  }
#else
  loaded_kernel(const std::string&, const char*) {
    throw not_compiled("vertex programs on GPUs", "build with CUDA 12.8 or newer");
  }
#endif
  loaded_kernel(const loaded_kernel&) = delete;
  loaded_kernel& operator=(const loaded_kernel&) = delete;

  [[nodiscard]] const void* get() const noexcept {
    return kernel_;
  }

 private:
#if CUDART_VERSION >= 12080
  static void unload(int, void* library) noexcept {
    static_cast<void>(cudaLibraryUnload(static_cast<cudaLibrary_t>(library)));
  }
  cudaLibrary_t library_ = nullptr;
#endif
  const void* kernel_ = nullptr;
};

}  // namespace gossamer::program_detail
