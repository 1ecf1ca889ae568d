// Memory of GPUs and pinned memory of the host.
//
// Copies and fills use the calling thread's own stream (cudaStreamPerThread), never the default
// stream, which would order them with every blocking stream of the process.
#include <cuda_runtime_api.h>

#include <cstring>
#include <string>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/wait.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

std::string in_words(std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 62;
  return configuration::format_bytes(static_cast<std::int64_t>(bytes < most ? bytes : most));
}

/// Waits for the calling thread's own stream, unlike the driver's call not for ever.
void finish(const char* what, int ordinal) {
  const auto deadline = configuration::default_deadline();
  const auto start = steady::now();
  for (backoff pause; !stream_idle(cudaStreamPerThread);)
    if (pause.pause() && steady::now() - start > deadline)
      throw rank_error(std::string(what) + " on cuda:" + std::to_string(ordinal) +
                           " did not end within " + std::to_string(deadline.count() / 1'000'000) +
                           " ms",
                       -1, -1, true);
}

}  // namespace

void* allocate_device(int ordinal, std::size_t bytes) {
  if (ordinal < 0) throw usage_error("device memory: no CUDA device " + std::to_string(ordinal));
  const device_guard guard(ordinal);
  void* data = nullptr;
  const cudaError_t code = cudaMalloc(&data, bytes);
  if (code == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    std::size_t left = 0;
    std::size_t total = 0;
    static_cast<void>(cudaMemGetInfo(&left, &total));
    throw capacity_error("cuda:" + std::to_string(ordinal) + " (" +
                         devices().devices[static_cast<std::size_t>(ordinal)].name + "): wanted " +
                         in_words(bytes) + ", free " + in_words(left) + " of " + in_words(total));
  }
  check_cuda(code, "cudaMalloc(&data, bytes)", __FILE__, __LINE__);
  return data;
}

void* allocate_pinned(int ordinal, std::size_t bytes) {
  const device_guard guard(ordinal);
  void* data = nullptr;
  const cudaError_t code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  if (code == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw capacity_error("pinned host memory: wanted " + in_words(bytes) + ", available " +
                         configuration::format_bytes(host_memory_limit().bytes));
  }
  check_cuda(code, "cudaHostAlloc(&data, bytes, portable | mapped)", __FILE__, __LINE__);
  return data;
}

void release_device(int ordinal, void* data) noexcept {
  try {
    const device_guard guard(ordinal);
    // A lost device, or a process that is ending, has released it already.
    if (cudaFree(data) != cudaSuccess) static_cast<void>(cudaGetLastError());
  } catch (...) {
  }
}

void release_pinned(void* data) noexcept {
  if (cudaFreeHost(data) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

void pin(int ordinal, void* data, std::size_t bytes) {
  const device_guard guard(ordinal);
  const cudaError_t code =
      cudaHostRegister(data, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (code == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw capacity_error("pinned host memory: wanted " + in_words(bytes) + ", available " +
                         configuration::format_bytes(host_memory_limit().bytes));
  }
  check_cuda(code, "cudaHostRegister(data, bytes, portable | mapped)", __FILE__, __LINE__);
}

void unpin(void* data) noexcept {
  if (cudaHostUnregister(data) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

int home_of(const void* data) {
  cudaPointerAttributes attributes{};
  GOSSAMER_CHECK_CUDA(cudaPointerGetAttributes(&attributes, data));
  const bool on_gpu =
      attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  return on_gpu ? attributes.device : -1;
}

void copy(void* to, const void* from, std::size_t bytes) {
  const int target = home_of(to);
  const int source = home_of(from);
  if (target < 0 && source < 0) {
    std::memmove(to, from, bytes);
    return;
  }
  if (copy_by_pieces(to, from, bytes, target, source)) return;
  const device_guard guard(target >= 0 ? target : source);
  GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cudaStreamPerThread));
  finish("a copy", target >= 0 ? target : source);
}

void fill_device(int ordinal, void* data, int value, std::size_t bytes) {
  const device_guard guard(ordinal);
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(data, value, bytes, cudaStreamPerThread));
  finish("a fill", ordinal);
}

}  // namespace gossamer::cuda_backend
