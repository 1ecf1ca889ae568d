// Kernels of bench_gpu_collectives: allreduce from inside a kernel, stores to a peer.
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/collective/scalar_device.cuh"
#include "gpu_collectives.hpp"

namespace gossamer::bench {

namespace {

__global__ void allreduces(device_scalar<double> scalar, int calls, double value, double* result) {
  scalar_caller<double> all(scalar);
  bool ok = true;
  // Each call's value is the one before's result, so no call can start early.
  for (int i = 0; i < calls && ok; ++i) value = all.allreduce(value, device_max{}, ok);
  if (threadIdx.x == 0) *result = ok ? value : -1;
}

/// Each block takes a contiguous piece, each thread 16 bytes at a time.
__global__ void __launch_bounds__(1024) store_to(uint4* to, const uint4* from, std::size_t n) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const uint4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    to[i] = a;
    to[i + step] = b;
    to[i + 2 * step] = c;
    to[i + 3 * step] = d;
  }
  for (; i < n; i += step) to[i] = from[i];
}

double rate(rank& r, std::size_t bytes, const enqueue& one) {
  constexpr int operations = 10, rounds = 11;
  const auto work = [&](int k, cudaStream_t on) {
    if (r.id() == 0) one(k, on);
  };
  return static_cast<double>(bytes) / time_in_stream(r, work, operations, rounds) * 1e6;
}

}  // namespace

double time_in_kernel(rank& r, int calls) {
  const auto scalar = make_device_scalar<double>(r);
  auto result = r.scratch<double>(1);
  const double time = time_in_stream(
      r,
      [&](int, cudaStream_t on) {
        allreduces<<<1, 32, 0, on>>>(scalar, calls, r.id(), result.data());
        GOSSAMER_CHECK_CUDA(cudaGetLastError());
      },
      1, 11);
  double got = 0;
  copy_bytes(&got, result.data(), sizeof got);
  if (got != r.size() - 1) throw verification_error("allreduce in a kernel: wrong result");
  return time / calls;
}

double store_rate(rank& r, std::size_t bytes) {
  auto w = r.make_window<uint4>(bytes / sizeof(uint4));
  const auto from = r.scratch<uint4>(bytes / sizeof(uint4));
  r.fill(from.data(), 1, from.size_bytes());
  uint4* to = w.direct(1 % r.size()).data();
  return rate(r, bytes, [&](int, cudaStream_t on) {
    store_to<<<132, 1024, 0, on>>>(to, from.data(), from.size());
    GOSSAMER_CHECK_CUDA(cudaGetLastError());
  });
}

double put_rate(rank& r, std::size_t bytes) {
  auto w = r.make_window<std::byte>(bytes);
  const auto from = r.scratch<std::byte>(bytes);
  r.fill(from.data(), 1, bytes);
  return rate(r, bytes, [&](int, cudaStream_t) { r.put(w, 1 % r.size(), 0, from); });
}

}  // namespace gossamer::bench
