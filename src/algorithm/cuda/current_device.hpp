// The device that CUDA calls of a scope mean.
#pragma once

#include <cuda_runtime_api.h>

#include "gossamer/base/check_cuda.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer::algorithm_detail::cuda {

/// Makes a device current for a scope: engines are made by whichever thread makes the search, and
/// load kernels there, which no run whose kernels wait for each other may meet.
class current_device {
 public:
  explicit current_device(int ordinal) {
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&before_));
    GOSSAMER_CHECK_CUDA(cudaSetDevice(ordinal));
  }
  ~current_device() { static_cast<void>(cudaSetDevice(before_)); }
  current_device(const current_device&) = delete;
  current_device& operator=(const current_device&) = delete;

 private:
  driver_pause pause_;
  int before_ = 0;
};

}  // namespace gossamer::algorithm_detail::cuda
