// Copies in stream order that hold up nobody else's.
//
// The driver gives a copy to an engine of the GPU whose memory it concerns, whatever the stream: to
// the source's between two GPUs, to the peer's between host and peer. Engines take their work in
// order from a few queues. A copy whose stream has not got that far stands in the way of all behind
// it. Measured on two H200 (24 streams that wait in a kernel, then pull from the peer): not one
// copy that the peer had queued for itself began. If the first GPU waits for a signal that the
// second raises after such a copy, both wait for ever.
//
// So an engine is given a copy only if it is that of the stream's GPU and no other rank feeds it; a
// kernel in the stream does all others. Short ones too: changing between kernels and an engine
// costs more than the copy. Between two places in host memory the driver would even hold the
// calling thread until the stream has got there.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "gossamer/base/check_cuda.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

constexpr std::size_t short_copy = std::size_t{64} << 10;
constexpr unsigned block = 512, most_blocks = 64;

template <class Word>
__global__ void __launch_bounds__(block) copy_kernel(Word* to, const Word* from, std::size_t n) {
  const std::size_t step = std::size_t{gridDim.x} * block;
  for (std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x; i < n; i += step)
    to[i] = from[i];
}

template <class Word>
void launch(void* to, const void* from, std::size_t bytes, cudaStream_t on) {
  const std::size_t n = bytes / sizeof(Word);
  const auto blocks =
      static_cast<unsigned>(std::min<std::size_t>((n + block - 1) / block, most_blocks));
  copy_kernel<<<blocks, block, 0, on>>>(static_cast<Word*>(to), static_cast<const Word*>(from), n);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

bool aligned(const void* to, const void* from, std::size_t bytes, std::size_t unit) {
  return (reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes) %
             unit ==
         0;
}

enum class place : std::uint8_t { pageable, host, own, peer };

place place_of(const void* data, int ordinal) {
  cudaPointerAttributes is{};
  GOSSAMER_CHECK_CUDA(cudaPointerGetAttributes(&is, data));
  if (is.type == cudaMemoryTypeUnregistered) return place::pageable;
  if (is.type == cudaMemoryTypeHost) return place::host;
  return is.device == ordinal ? place::own : place::peer;
}

bool wants_engine(place to, place from, std::size_t bytes, bool own_engines) {
  // Kernels cannot address it; the driver waits for the stream before it begins.
  if (to == place::pageable || from == place::pageable) return true;
  const bool nearest = from == place::own || (from == place::host && to == place::own);
  return nearest && own_engines && bytes > short_copy;
}

}  // namespace

void copy_in_order(void* to, const void* from, std::size_t bytes, void* stream, int ordinal,
                   bool own_engines, copier by) {
  const device_guard here(ordinal);  // kernels need their stream's device to be the current one
  auto* on = static_cast<cudaStream_t>(stream);
  if (by == copier::engine ||
      (by == copier::automatic &&
       wants_engine(place_of(to, ordinal), place_of(from, ordinal), bytes, own_engines))) {
    GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on));
    return;
  }
  if (aligned(to, from, bytes, sizeof(uint4))) return launch<uint4>(to, from, bytes, on);
  if (aligned(to, from, bytes, 8)) return launch<std::uint64_t>(to, from, bytes, on);
  if (aligned(to, from, bytes, 4)) return launch<std::uint32_t>(to, from, bytes, on);
  launch<unsigned char>(to, from, bytes, on);
}

}  // namespace gossamer::cuda_backend
