// Copies and reductions of GPU ranks, in stream order.
//
// One kernel a type: which reduction it is, all threads know alike, so the branch costs nothing
// beside the memory traffic. Operands whose addresses and stride allow it are read 16 bytes at a
// time.
#include <cuda_runtime.h>

#include <cstdint>

#include "collective/cuda/launch.cuh"
#include "collective/local_work.hpp"
#include "collective/with_type.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/combine.hpp"

namespace gossamer::collective_gpu {

namespace {

/// What one thread moves at a time: 16 bytes, or one element.
template <class T, int N>
struct alignas(sizeof(T) * N) pack {
  T x[N];
};

template <class T, int N>
__global__ void fold_kernel(fold_work work, reduction op) {
  using word = pack<T, N>;
  const std::size_t words = work.count / N, step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto operand = [&](int k) {
    return static_cast<const word*>(
        k == work.own_part ? work.own
                           : static_cast<const void*>(static_cast<const T*>(work.from) +
                                                      static_cast<std::size_t>(k) * work.stride));
  };
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += step) {
    word sum = operand(0)[i];
    for (int k = 1; k < work.parts; ++k) {
      const word next = operand(k)[i];
      for (int j = 0; j < N; ++j) sum.x[j] = combine(sum.x[j], next.x[j], op);
    }
    static_cast<word*>(work.to)[i] = sum;
  }
}

bool aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
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
  const bool wide = work.count % n == 0 && work.stride % n == 0 && aligned(work.to) &&
                    aligned(work.from) && (work.own_part < 0 || aligned(work.own));
  if (wide)
    launch<T, n>(work, op, on);
  else
    launch<T, 1>(work, op, on);
}

}  // namespace

void prepare() {
  for_each_type([]<class T>(T) {
    load_kernel(fold_kernel<T, 1>);
    load_kernel(fold_kernel<T, 16 / sizeof(T)>);
  });
}

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
