// What rows are built with on a GPU: a stream that is waited for, and a sorter of pairs.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cub/cub.cuh>

#include "algorithm/pagerank/sync/cuda/arc_steps.cuh"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/executor_cuda.cuh"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::pagerank_detail::cuda {

/// A stream of the current device whose work the calling thread waits for, with a deadline.
class build_stream {
 public:
  explicit build_stream(const device& d) : on_(d), done_(d.ordinal) {}
  [[nodiscard]] cudaStream_t native() const { return static_cast<cudaStream_t>(on_.native()); }
  template <class F>
  void each(std::int64_t n, const F& f) const {
    for_each(cuda_stream(on_), n, f);
  }
  void fill(void* data, int value, std::size_t bytes) const {
    if (bytes != 0) GOSSAMER_CHECK_CUDA(cudaMemsetAsync(data, value, bytes, native()));
  }
  template <class T>
  void copy(T* to, const T* from, std::int64_t n) const {
    if (n != 0)
      GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(T),
                                          cudaMemcpyDeviceToDevice, native()));
  }
  void wait() {
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
    done_.record(on_);
    done_.block(stream());
  }

 private:
  stream on_;
  event done_;
};

/// Room for `capacity` pairs, twice, and what a stable sort of them by their keys takes beside it.
class pair_sorter {
 public:
  pair_sorter(const device& d, std::int64_t capacity)
      : keys_{make_native_buffer<std::uint32_t>(d, static_cast<std::size_t>(capacity)),
              make_native_buffer<std::uint32_t>(d, static_cast<std::size_t>(capacity))},
        values_{make_native_buffer<vertex32>(d, static_cast<std::size_t>(capacity)),
                make_native_buffer<vertex32>(d, static_cast<std::size_t>(capacity))} {
    cub::DoubleBuffer<std::uint32_t> keys(nullptr, nullptr);
    cub::DoubleBuffer<vertex32> values(nullptr, nullptr);
    GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(
        nullptr, space_bytes_, keys, values, static_cast<std::uint32_t>(capacity), 0, 32));
    space_ = make_native_buffer<char>(d, std::max<std::size_t>(space_bytes_, 1));
  }

  /// Where pairs are put before sort().
  [[nodiscard]] arc_lot input() const { return {keys_[0].data(), values_[0].data()}; }
  /// The first `count` pairs by their keys' low `bits`.
  [[nodiscard]] arc_lot sort(std::int64_t count, int bits, const build_stream& on) {
    cub::DoubleBuffer<std::uint32_t> keys(keys_[0].data(), keys_[1].data());
    cub::DoubleBuffer<vertex32> values(values_[0].data(), values_[1].data());
    std::size_t bytes = space_bytes_;
    if (count > 0)
      GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(space_.data(), bytes, keys, values,
                                                          static_cast<std::uint32_t>(count), 0,
                                                          bits, on.native()));
    return {keys.Current(), values.Current()};
  }

 private:
  buffer<std::uint32_t> keys_[2];
  buffer<vertex32> values_[2];
  buffer<char> space_;
  std::size_t space_bytes_ = 0;
};

}  // namespace gossamer::pagerank_detail::cuda
