// Counts what the library asks of the CUDA runtime: the linker calls __wrap_F where F is meant.
#include <cuda_runtime_api.h>

#include "unit/fabric/allocations.hpp"

#define GOSSAMER_COUNTED(name, parameters, arguments) \
  cudaError_t __real_##name parameters;               \
  cudaError_t __wrap_##name parameters {              \
    ++gossamer::testing::allocations;                 \
    return __real_##name arguments;                   \
  }

extern "C" {
GOSSAMER_COUNTED(cudaMalloc, (void** p, size_t n), (p, n))
GOSSAMER_COUNTED(cudaMallocHost, (void** p, size_t n), (p, n))
GOSSAMER_COUNTED(cudaMallocAsync, (void** p, size_t n, cudaStream_t s), (p, n, s))
GOSSAMER_COUNTED(cudaHostAlloc, (void** p, size_t n, unsigned f), (p, n, f))
GOSSAMER_COUNTED(cudaHostRegister, (void* p, size_t n, unsigned f), (p, n, f))
GOSSAMER_COUNTED(cudaStreamCreateWithPriority, (cudaStream_t * s, unsigned f, int p), (s, f, p))
GOSSAMER_COUNTED(cudaEventCreateWithFlags, (cudaEvent_t * e, unsigned f), (e, f))
GOSSAMER_COUNTED(cudaFree, (void* p), (p))
GOSSAMER_COUNTED(cudaFreeHost, (void* p), (p))
}
