// What the library asks of the CUDA runtime, which may fail as if the GPU had no memory left. The
// linker sends f to __wrap_f.
#include <cuda_runtime_api.h>

#include "failure/faults.hpp"

namespace {

using gossamer::faults::blocks_on_a_gpu;

cudaError_t taken(cudaError_t code) {
  if (code == cudaSuccess) ++blocks_on_a_gpu;
  return code;
}
cudaError_t given_back(const void* what, cudaError_t code) {
  if (what != nullptr && code == cudaSuccess) --blocks_on_a_gpu;
  return code;
}

}  // namespace

#define GOSSAMER_TAKES(name, parameters, arguments)                \
  cudaError_t __real_##name parameters;                            \
  cudaError_t __wrap_##name parameters {                           \
    if (gossamer::faults::fails(gossamer::faults::kind::on_a_gpu)) \
      return cudaErrorMemoryAllocation;                            \
    return taken(__real_##name arguments);                         \
  }
#define GOSSAMER_GIVES_BACK(name, type)           \
  cudaError_t __real_##name(type what);           \
  cudaError_t __wrap_##name(type what) {          \
    return given_back(what, __real_##name(what)); \
  }

extern "C" {
GOSSAMER_TAKES(cudaMalloc, (void** p, size_t n), (p, n))
GOSSAMER_TAKES(cudaMallocHost, (void** p, size_t n), (p, n))
GOSSAMER_TAKES(cudaHostAlloc, (void** p, size_t n, unsigned f), (p, n, f))
GOSSAMER_TAKES(cudaHostRegister, (void* p, size_t n, unsigned f), (p, n, f))
GOSSAMER_TAKES(cudaStreamCreateWithPriority, (cudaStream_t * s, unsigned f, int p), (s, f, p))
GOSSAMER_TAKES(cudaEventCreateWithFlags, (cudaEvent_t * e, unsigned f), (e, f))
GOSSAMER_GIVES_BACK(cudaFree, void*)
GOSSAMER_GIVES_BACK(cudaFreeHost, void*)
GOSSAMER_GIVES_BACK(cudaHostUnregister, void*)
GOSSAMER_GIVES_BACK(cudaStreamDestroy, cudaStream_t)
GOSSAMER_GIVES_BACK(cudaEventDestroy, cudaEvent_t)
}
