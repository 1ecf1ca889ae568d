#include "algorithm/cuda/launch.cuh"
#include "algorithm/vertex_steps/cuda/translate.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::steps_detail {

namespace {

constexpr int threads = 512;

template <class Id>
__global__ void __launch_bounds__(threads)
    translate(const Id* columns, std::int64_t n, const int* position, int* positions) {
  const std::int64_t k = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (k < n) positions[k] = position[columns[k]];
}

}  // namespace

template <class Id>
void translate_columns(const device& on, const Id* columns, std::int64_t n, const int* position,
                       int* positions) {
  using namespace algorithm_detail::cuda;
  const stream queue(on);
  translate<<<blocks_for(n, threads), threads, 0, static_cast<cudaStream_t>(queue.native())>>>(
      columns, n, position, positions);
  launched();
  event done(on.ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
}

template void translate_columns(const device&, const vertex32*, std::int64_t, const int*, int*);
template void translate_columns(const device&, const vertex64*, std::int64_t, const int*, int*);

}  // namespace gossamer::steps_detail
