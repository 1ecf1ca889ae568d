// A stream whose work the calling thread waits for, and what is small enough to be waited for at
// once: sums and single numbers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/executor_cuda.cuh"
#include "gossamer/machine/memory.hpp"

namespace gossamer::detail {

/// The device of a CUDA ordinal, as far as memory and streams need it.
inline device gpu_of(int ordinal) {
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = ordinal;
  return d;
}

/// Waits have a deadline. The stream's device must be the calling thread's current one.
class waited_stream {
 public:
  explicit waited_stream(const device& d) : on_(d), done_(d.ordinal) {}
  [[nodiscard]] cudaStream_t native() const { return static_cast<cudaStream_t>(on_.native()); }
  [[nodiscard]] cuda_stream executor() const { return cuda_stream(on_); }
  /// What is queued from now on begins after what `other` of the same GPU has by now.
  void begin_after(cudaStream_t other) {
    cudaEvent_t moment = nullptr;
    GOSSAMER_CHECK_CUDA(cudaEventCreateWithFlags(&moment, cudaEventDisableTiming));
    cudaError_t code = cudaEventRecord(moment, other);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(native(), moment, 0);
    static_cast<void>(cudaEventDestroy(moment));  // which goes once it was reached
    GOSSAMER_CHECK_CUDA(code);
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

/// A reduction or scan of CUB with the memory it asks for, waited for.
template <class Call>
void with_space(const device& d, waited_stream& on, const Call& call) {
  std::size_t bytes = 0;
  GOSSAMER_CHECK_CUDA(call(nullptr, bytes));
  const auto space = make_native_buffer<char>(d, std::max<std::size_t>(bytes, 1));
  GOSSAMER_CHECK_CUDA(call(space.data(), bytes));
  on.wait();
}

/// One number of a GPU's memory.
template <class T>
T value_at(const T* data, std::int64_t index) {
  T value{};
  copy_bytes(&value, data + index, sizeof value);
  return value;
}

}  // namespace gossamer::detail
