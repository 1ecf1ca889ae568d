#include "streams.hpp"

#include "gossamer/base/check_cuda.hpp"

namespace gossamer_python {

cuda_version_numbers cuda_versions() {
  cuda_version_numbers v;
  if (cudaRuntimeGetVersion(&v.runtime) != cudaSuccess) v.runtime = 0;
  if (cudaDriverGetVersion(&v.driver) != cudaSuccess) v.driver = 0;
  return v;
}

void synchronize_stream(std::uintptr_t stream) {
  // cudaStreamLegacy and cudaStreamPerThread are the handles 1 and 2: no translation is needed.
  GOSSAMER_CHECK_CUDA(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream)));
}

void synchronize_stream_of(int ordinal, std::uintptr_t stream) {
  int before = 0;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&before));
  GOSSAMER_CHECK_CUDA(cudaSetDevice(ordinal));
  const cudaError_t found = cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream));
  GOSSAMER_CHECK_CUDA(cudaSetDevice(before));
  GOSSAMER_CHECK_CUDA(found);
}

void synchronize_device(int ordinal) noexcept {
  int before = 0;
  if (cudaGetDevice(&before) != cudaSuccess || cudaSetDevice(ordinal) != cudaSuccess) return;
  static_cast<void>(cudaDeviceSynchronize());
  static_cast<void>(cudaSetDevice(before));
}

}  // namespace gossamer_python
