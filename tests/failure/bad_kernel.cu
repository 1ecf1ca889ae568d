// See bad_kernel.hpp.
#include "failure/bad_kernel.hpp"

#include "gossamer/base/check_cuda.hpp"

namespace gossamer {

namespace {
__global__ void store_to(int* nowhere) {
  *nowhere = 1;
}
}  // namespace

void queue_illegal_access(rank& r) {
  store_to<<<1, 1, 0, static_cast<cudaStream_t>(r.stream().native())>>>(
      reinterpret_cast<int*>(0x10));
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer
