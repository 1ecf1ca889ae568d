// Kernels and stream operations behind gpu_operations.hpp.
#include <cuda.h>
#include <cuda_runtime.h>

#include "fabric/gpu_operations.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer::gpu {

namespace {

cudaStream_t native(const stream& s) {
  return static_cast<cudaStream_t>(s.native());
}

// Kernels are launched on the stream's device, whichever the thread drives otherwise.
class on_device {
 public:
  explicit on_device(const stream& s) {
    GOSSAMER_CHECK_CUDA(cudaGetDevice(&before_));
    if (before_ != s.ordinal()) GOSSAMER_CHECK_CUDA(cudaSetDevice(s.ordinal()));
    changed_ = before_ != s.ordinal();
  }
  ~on_device() {
    if (changed_) static_cast<void>(cudaSetDevice(before_));
  }

 private:
  int before_ = 0;
  bool changed_ = false;
};

__global__ void raise_kernel(std::uint64_t* counter, std::uint64_t value, bool add) {
  // Puts before it in the stream are complete; the fence makes them visible to other devices
  // before the counter is.
  __threadfence_system();
  if (add)
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(*counter).fetch_add(
        value, cuda::memory_order_release);
  else
    device_detail::store_release(counter, value);
}

__global__ void wait_kernel(device_guard guard, const std::uint64_t* counter, std::uint64_t value,
                            int from, std::uint32_t window, std::uint64_t index) {
  // After a failure the rest of the stream drains at once.
  if (device_detail::load_relaxed(&guard.boards[guard.rank].failed) != 0) return;
  device_wait_bound bound(guard, from);
  while (true) {
    const std::uint64_t seen = device_detail::load_acquire(counter);
    if (seen >= value) break;
    if (!bound.expired()) continue;
    bound.give_up(window, index, value, seen);
    break;
  }
  __threadfence_system();
}

template <class Word>
__device__ std::uint64_t apply(void* address, bool add, std::uint64_t a, std::uint64_t b) {
  cuda::atomic_ref<Word, cuda::thread_scope_system> word(*static_cast<Word*>(address));
  if (add) return word.fetch_add(static_cast<Word>(a), cuda::memory_order_acq_rel);
  Word expected = static_cast<Word>(a);
  word.compare_exchange_strong(expected, static_cast<Word>(b), cuda::memory_order_acq_rel);
  return expected;
}

__global__ void atomic_kernel(void* word, int width, bool add, std::uint64_t a, std::uint64_t b,
                              std::uint64_t* result) {
  *result =
      width == 4 ? apply<std::uint32_t>(word, add, a, b) : apply<std::uint64_t>(word, add, a, b);
  __threadfence_system();
}

__global__ void timer_kernel(std::uint64_t* now) {
  device_detail::store_release(now, device_detail::global_timer());
}

using write_value = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned int);

/// cuStreamWriteValue64, asked for through the runtime, so that a build needs no libcuda; null
/// where the driver has none.
write_value driver_write() {
  static const write_value found = [] {
    void* symbol = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (cudaGetDriverEntryPointByVersion("cuStreamWriteValue64", &symbol, 12000, cudaEnableDefault,
                                         &result) != cudaSuccess ||
        result != cudaDriverEntryPointSuccess)
      return write_value(nullptr);
    return reinterpret_cast<write_value>(symbol);
  }();
  return found;
}

// Runs on a thread of the driver, which may make no CUDA call.
void CUDART_CB raise_on_host(void* argument) {
  auto& todo = *static_cast<host_raise*>(argument);
  std_atomics::fetch_add(*todo.counter, todo.value);
  if (todo.sleeper != nullptr) todo.sleeper->wake();
  std_atomics::store_release(todo.busy, 0u);
}

}  // namespace

void prepare() {
  cudaFuncAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, raise_kernel));
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, wait_kernel));
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, atomic_kernel));
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, timer_kernel));
}

void fill(void* data, int value, std::size_t bytes, const stream& on) {
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(data, value, bytes, native(on)));
}

void raise(std::uint64_t* counter, std::uint64_t value, bool add, const stream& on) {
  on_device here(on);
  raise_kernel<<<1, 1, 0, native(on)>>>(counter, value, add);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void raise_by_driver(std::uint64_t* counter, std::uint64_t value, const stream& on) {
  cudaStreamCaptureStatus capture{};
  GOSSAMER_CHECK_CUDA(cudaStreamIsCapturing(native(on), &capture));
  const write_value write = driver_write();
  if (write == nullptr || capture != cudaStreamCaptureStatusNone)
    return raise(counter, value, false, on);
  on_device here(on);
  // By default the write has a fence of the system's scope before it. The driver's codes are the
  // runtime's.
  const CUresult code = write(native(on), reinterpret_cast<CUdeviceptr>(counter), value,
                              CU_STREAM_WRITE_VALUE_DEFAULT);
  GOSSAMER_CHECK_CUDA(static_cast<cudaError_t>(code));
}

void raise_by_host(host_raise& what, const stream& on) {
  std_atomics::store_relaxed(what.busy, 1u);
  const cudaError_t code = cudaLaunchHostFunc(native(on), raise_on_host, &what);
  if (code != cudaSuccess) std_atomics::store_relaxed(what.busy, 0u);
  GOSSAMER_CHECK_CUDA(code);
}

void wait(const device_guard& guard, const std::uint64_t* counter, std::uint64_t value, int from,
          std::uint32_t window, std::uint64_t index, const stream& on) {
  on_device here(on);
  wait_kernel<<<1, 1, 0, native(on)>>>(guard, counter, value, from, window, index);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void atomic(void* word, int width, bool add, std::uint64_t a, std::uint64_t b,
            std::uint64_t* result, const stream& on) {
  on_device here(on);
  atomic_kernel<<<1, 1, 0, native(on)>>>(word, width, add, a, b, result);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void read_timer(std::uint64_t* now, const stream& on) {
  on_device here(on);
  timer_kernel<<<1, 1, 0, native(on)>>>(now);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer::gpu
