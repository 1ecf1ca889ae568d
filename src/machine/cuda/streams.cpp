// Streams and events of GPUs. All streams are non-blocking: the default stream orders nothing here.
#include <cuda_runtime_api.h>

#include "gossamer/base/check_cuda.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {

cudaStream_t as_stream(void* stream) {
  return static_cast<cudaStream_t>(stream);
}
cudaEvent_t as_event(void* event) {
  return static_cast<cudaEvent_t>(event);
}

/// A query's answer. "Not ready" is one too, but stays behind as the thread's last error, where the
/// next check of a launch would find it; a launch error that was there before is left alone.
bool reached(cudaError_t code, const char* call, int line) {
  if (code != cudaErrorNotReady) {
    check_cuda(code, call, __FILE__, line);
    return true;
  }
  if (cudaPeekAtLastError() == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
  return false;
}

}  // namespace

void* create_stream(int ordinal, bool high_priority) {
  const device_guard guard(ordinal);
  int least = 0;
  int greatest = 0;
  GOSSAMER_CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  GOSSAMER_CHECK_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                                   high_priority ? greatest : least));
  return stream;
}

void destroy_stream(void* stream) noexcept {
  if (cudaStreamDestroy(as_stream(stream)) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

bool stream_idle(void* stream) {
  return reached(cudaStreamQuery(as_stream(stream)), "cudaStreamQuery(stream)", __LINE__);
}

void* create_event(int ordinal) {
  const device_guard guard(ordinal);
  cudaEvent_t event = nullptr;
  GOSSAMER_CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDefault));
  return event;
}

void destroy_event(void* event) noexcept {
  if (cudaEventDestroy(as_event(event)) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

void record_event(void* event, void* stream) {
  GOSSAMER_CHECK_CUDA(cudaEventRecord(as_event(event), as_stream(stream)));
}

bool event_done(void* event) {
  return reached(cudaEventQuery(as_event(event)), "cudaEventQuery(event)", __LINE__);
}

void block_stream(void* stream, void* event) {
  GOSSAMER_CHECK_CUDA(cudaStreamWaitEvent(as_stream(stream), as_event(event), 0));
}

double milliseconds_between(void* earlier, void* later) {
  float milliseconds = 0;
  GOSSAMER_CHECK_CUDA(cudaEventElapsedTime(&milliseconds, as_event(earlier), as_event(later)));
  return milliseconds;
}

}  // namespace gossamer::cuda_backend
