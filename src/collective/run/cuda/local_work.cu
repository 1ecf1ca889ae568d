// Copies and reductions of GPU ranks, in stream order.
//
// One kernel a type: which reduction it is, all threads know alike, so the branch costs nothing
// beside the memory traffic. Operands whose addresses and stride allow it are read 16 bytes at a
// time.
#include <cuda_runtime.h>

#include <cstdint>

#include "collective/kernel/cuda/launch.cuh"
#include "collective/kernel/fold_words.hpp"
#include "collective/run/local_work.hpp"
#include "collective/schedule/with_type.hpp"
#include "gossamer/base/check_cuda.hpp"

namespace gossamer::collective_gpu {

namespace {

struct grid_team {
  __device__ std::size_t index() const {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  }
  __device__ std::size_t size() const { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }
};

template <class T, int N>
__global__ void fold_kernel(fold_work work, reduction op) {
  fold_detail::fold_words<T, N>(grid_team{}, work, op);
}

template <class T, int N>
void launch(const fold_work& work, reduction op, const stream& on) {
  constexpr std::size_t block = 256, most_blocks = 4096;
  const std::size_t wanted = (work.count / N + block - 1) / block;
  const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
  fold_kernel<T, N><<<blocks, block, 0, static_cast<cudaStream_t>(on.native())>>>(work, op);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

template <class T>
void fold_typed(const fold_work& work, reduction op, const stream& on) {
  constexpr int n = 16 / sizeof(T);
  if (fold_detail::wide<T>(work))
    launch<T, n>(work, op, on);
  else
    launch<T, 1>(work, op, on);
}

}  // namespace

void fold(element_type type, reduction op, const fold_work& work, const stream& on) {
  if (work.count == 0) return;
  with_type(type, [&]<class T>(T) { fold_typed<T>(work, op, on); });
}

memory_kind kind_of(const void* data) {
  cudaPointerAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaPointerGetAttributes(&attributes, data));
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return memory_kind::device;
    case cudaMemoryTypeHost:
    case cudaMemoryTypeManaged:
      return memory_kind::pinned;
    default:
      return memory_kind::host;
  }
}

}  // namespace gossamer::collective_gpu
