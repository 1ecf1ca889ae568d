// A kernel that looks positions up, then CUB's segmented sort, so that each row reads its copies in
// ascending order.
#include <cub/device/device_segmented_sort.cuh>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/vertex_steps/cuda/translate.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/memory.hpp"
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
void translate_columns(const device& on, const rows_to_translate<Id>& rows, const int* position,
                       int* positions, void* weights) {
  using namespace algorithm_detail::cuda;
  if (rows.arcs == 0) return;
  const stream queue(on);
  const auto native = static_cast<cudaStream_t>(queue.native());
  const auto loose = make_native_buffer<int>(on, static_cast<std::size_t>(rows.arcs));
  translate<<<blocks_for(rows.arcs, threads), threads, 0, native>>>(rows.columns, rows.arcs,
                                                                    position, loose.data());
  launched();
  const auto sorted = [&](auto weight) {
    return [&](void* room, std::size_t& bytes) {
      using word = decltype(weight);
      return cub::DeviceSegmentedSort::SortPairs(room, bytes, loose.data(), positions,
                                                 static_cast<const word*>(rows.weights),
                                                 static_cast<word*>(weights), rows.arcs, rows.rows,
                                                 rows.offsets, rows.offsets + 1, native);
    };
  };
  std::size_t bytes = 0;
  const auto sort = [&](void* room) {
    if (rows.weights == nullptr)
      GOSSAMER_CHECK_CUDA(cub::DeviceSegmentedSort::SortKeys(room, bytes, loose.data(), positions,
                                                             rows.arcs, rows.rows, rows.offsets,
                                                             rows.offsets + 1, native));
    else if (rows.weight_bytes == 4)
      GOSSAMER_CHECK_CUDA(sorted(std::uint32_t{})(room, bytes));
    else
      GOSSAMER_CHECK_CUDA(sorted(std::uint64_t{})(room, bytes));
  };
  sort(nullptr);
  const auto room = make_native_buffer<std::byte>(on, bytes + 1);
  sort(room.data());
  event done(on.ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
}

template void translate_columns(const device&, const rows_to_translate<vertex32>&, const int*, int*,
                                void*);
template void translate_columns(const device&, const rows_to_translate<vertex64>&, const int*, int*,
                                void*);

}  // namespace gossamer::steps_detail
