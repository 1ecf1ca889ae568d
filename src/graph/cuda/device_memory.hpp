// Device memory, the current device and copies back to pageable memory, for the graph layer's
// generator: everything is released when an exception passes.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "gossamer/base/check_cuda.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {

/// Makes `device` current and puts the caller's back; usage_error when there is no such device.
class device_scope {
 public:
  explicit device_scope(int device) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    // "No device" and "no driver" mean the same to a user who asked for one.
    if (code != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      count = 0;
    }
    require(device >= 0 && device < count, "CUDA device " + std::to_string(device) +
                                               " does not exist (there are " +
                                               std::to_string(count) + ")");
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&before_));
    GOSSAMER_CHECK_CUDA(cudaSetDevice(device));
  }
  ~device_scope() { static_cast<void>(cudaSetDevice(before_)); }
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  int before_ = 0;
};

/// `n` elements on the current device.
template <class T>
class device_memory {
 public:
  device_memory() = default;
  explicit device_memory(std::size_t n) {
    if (n != 0) GOSSAMER_CHECK_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
  }
  device_memory(device_memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  device_memory& operator=(device_memory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~device_memory() { static_cast<void>(cudaFree(data_)); }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Copies to pageable memory through two pinned buffers: while one fills from the device, threads
/// empty the other, which also spreads the first touch of the target's pages over them.
class staged_copy {
 public:
  explicit staged_copy(int threads) : threads_(resolve_threads(threads)) {
    try {
      for (int i = 0; i < 2; ++i) {
        GOSSAMER_CHECK_CUDA(cudaMallocHost(&buffer_[i], bytes_each));
        GOSSAMER_CHECK_CUDA(cudaEventCreateWithFlags(&filled_[i], cudaEventDisableTiming));
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~staged_copy() { release(); }
  staged_copy(const staged_copy&) = delete;
  staged_copy& operator=(const staged_copy&) = delete;

  /// Returns when `bytes` bytes at `from` (written by the default stream) are at `to`.
  void to_host(void* to, const void* from, std::size_t bytes) {
    const std::size_t chunks = (bytes + bytes_each - 1) / bytes_each;
    const auto length = [&](std::size_t c) { return std::min(bytes_each, bytes - c * bytes_each); };
    const auto fill = [&](std::size_t c) {
      GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(buffer_[c % 2],
                                          static_cast<const char*>(from) + c * bytes_each,
                                          length(c), cudaMemcpyDeviceToHost, cudaStream_t{}));
      GOSSAMER_CHECK_CUDA(cudaEventRecord(filled_[c % 2], cudaStream_t{}));
    };
    if (chunks > 0) fill(0);
    for (std::size_t c = 0; c < chunks; ++c) {
      if (c + 1 < chunks) fill(c + 1);
      GOSSAMER_CHECK_CUDA(cudaEventSynchronize(filled_[c % 2]));
      constexpr std::size_t piece = std::size_t{1} << 20;
      char* target = static_cast<char*>(to) + c * bytes_each;
      const char* source = static_cast<const char*>(buffer_[c % 2]);
      parallel_blocks(threads_, static_cast<std::int64_t>((length(c) + piece - 1) / piece),
                      [&](int, std::int64_t b) {
                        const std::size_t at = static_cast<std::size_t>(b) * piece;
                        std::memcpy(target + at, source + at, std::min(piece, length(c) - at));
                      });
    }
  }

 private:
  static constexpr std::size_t bytes_each = std::size_t{32} << 20;
  void release() {
    for (int i = 0; i < 2; ++i) {
      if (filled_[i] != nullptr) static_cast<void>(cudaEventDestroy(filled_[i]));
      if (buffer_[i] != nullptr) static_cast<void>(cudaFreeHost(buffer_[i]));
    }
  }
  int threads_;
  void* buffer_[2] = {};
  cudaEvent_t filled_[2] = {};
};

}  // namespace gossamer::detail
