// Selection in one pass, by CUB (decoupled look-back: Merrill and Garland, 2016): an element is
// read once and, if it is kept, written once.
#include <cuda_runtime.h>

#include <cub/device/device_select.cuh>
#include <limits>

#include "algorithm/filter/cuda/tiles.cuh"
#include "algorithm/filter/gpu.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::filter_detail {

namespace {

template <class T>
struct inside {
  T low, high;
  bool outside;
  __device__ bool operator()(const T& x) const { return (low <= x && x <= high) != outside; }
};

template <class T>
class cub_compactor final : public gpu_compactor<T> {
 public:
  cub_compactor(const device& on, std::size_t most, const filter_interval<T>& keep)
      : keep_{keep.low, keep.high, keep.outside}, most_(most) {
    require(most <= std::numeric_limits<std::int64_t>::max() / sizeof(T),
            "filter: a segment is too long");
    const current_device here(on.ordinal);
    std::size_t bytes = 0;
    select(nullptr, bytes, nullptr, nullptr, most, nullptr);
    require(static_cast<std::int64_t>(bytes) + 512 <= gpu_compactor_bytes(most),
            "filter: selection takes more of the GPU's memory than planned");
    work_ = make_native_buffer<std::byte>(on, bytes);
    end_ = make_native_buffer<unsigned long long>(on, 1);
    count_ = buffer<std::int64_t>(memory_kind::pinned, on.ordinal, 1);
    *count_.data() = 0;
  }

  void compact(std::span<const T> in, std::span<T> out, const stream& on) override {
    require(in.size() <= most_, "filter: a segment longer than was said");
    std::size_t bytes = work_.size();
    select(work_.data(), bytes, in.data(), out.data(), in.size(),
           static_cast<cudaStream_t>(on.native()));
  }
  [[nodiscard]] std::size_t kept() const override {
    return static_cast<std::size_t>(*count_.data());
  }

  void compact_tiles(std::span<const T> in, std::span<T> out, std::span<std::uint64_t> places,
                     const stream& on) override {
    const std::size_t tiles = (in.size() + tile_elements<T> - 1) / tile_elements<T>;
    require(places.size() >= tiles && reinterpret_cast<std::uintptr_t>(in.data()) % 16 == 0,
            "filter: tiles need a place each, and an array aligned to 16 bytes");
    const auto s = static_cast<cudaStream_t>(on.native());
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(end_.data(), 0, sizeof(unsigned long long), s));
    if (tiles > 0)
      cuda::tiles_kernel<<<static_cast<unsigned>(tiles), cuda::tile_threads, 0, s>>>(
          in.data(), in.size(), out.data(), places.data(), end_.data(), keep_);
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(count_.data(), end_.data(), sizeof(std::int64_t),
                                        cudaMemcpyDeviceToHost, s));
  }

 private:
  void select(void* work, std::size_t& bytes, const T* in, T* out, std::size_t n,
              cudaStream_t on) const {
    GOSSAMER_CHECK_CUDA(cub::DeviceSelect::If(work, bytes, in, out, count_.data(),
                                              static_cast<std::int64_t>(n), keep_, on));
  }

  inside<T> keep_;
  std::size_t most_;
  buffer<std::byte> work_;
  buffer<unsigned long long> end_;
  buffer<std::int64_t> count_;  ///< in host memory that the GPU writes
};

}  // namespace

template <class T>
std::unique_ptr<gpu_compactor<T>> make_gpu_compactor(const device& on, std::size_t most,
                                                     const filter_interval<T>& keep) {
  return std::make_unique<cub_compactor<T>>(on, most, keep);
}

/// States of tiles, 16 bytes for each of a thousand elements or more.
std::int64_t gpu_compactor_bytes(std::size_t most) {
  return (std::int64_t{1} << 17) + static_cast<std::int64_t>(most / 32) * 2;
}

GOSSAMER_FILTER_TYPES(GOSSAMER_GPU_COMPACTOR)

}  // namespace gossamer::filter_detail
