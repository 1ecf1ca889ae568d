// The queues of neighbours in a GPU's memory, the calls that sort them, and what they take. The
// kernels are in sort_unique_kernels.cu.
#include "algorithm/bfs/vector_queue/cuda/sort_unique.hpp"

#include <cuda_runtime_api.h>

#include <bit>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::bfs_detail {

namespace cuda {

int bits_of_rows(std::int64_t rows) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))));
}

template <class Id>
sort_unique_arrays<Id>::sort_unique_arrays(const placed_graph& g, int rank)
    : vector_queue_arrays<Id>(g, rank, true), bits_(bits_of_rows(this->slice_.rows)) {
  const device& d = g.on()[rank];
  const current_device here(d.ordinal);
  const std::int64_t most = arrivals_of<Id>(g, rank);
  for (auto* b : {&keys_[0], &keys_[1], &values_[0], &values_[1]})
    *b = make_native_buffer<std::int64_t>(d, static_cast<std::size_t>(most));
  work_ = make_native_buffer<std::byte>(d, sort_bytes(most, bits_));
}

template <class Id>
void sort_unique_arrays<Id>::clear(rank&) {
  this->view_.keys = keys_[0].data();
  this->view_.values = values_[0].data();
}

template <class Id>
void sort_unique_arrays<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  append_neighbours(this->site(r), this->view_, queue.data(),
                    static_cast<std::int64_t>(queue.size()));
}

// The host has to know how many there are to launch the sort.
template <class Id>
void sort_unique_arrays<Id>::update(rank& r, std::int32_t depth) {
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  auto* const report = this->view_.report;
  GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(&report->neighbours, &this->view_.tally->neighbours,
                                      sizeof report->neighbours, cudaMemcpyDeviceToHost, on));
  r.synchronize();
  used_ = static_cast<std::int64_t>(report->neighbours);
  if (used_ == 0) return;
  if (sort_neighbours(this->site(r), work_.data(), work_.size(), keys_[0].data(), values_[0].data(),
                      keys_[1].data(), values_[1].data(), used_, bits_)) {
    this->view_.keys = keys_[1].data();
    this->view_.values = values_[1].data();
  }
  update_sorted(this->site(r), this->view_, used_, depth);
}

template <class Id>
step_result sort_unique_arrays<Id>::convert(rank& r, std::int64_t* queue, std::uint32_t* finds) {
  sorted_to_queue(this->site(r), this->view_, used_, queue, finds);
  r.synchronize();
  return {this->view_.report->vertices, this->view_.report->arcs};
}

}  // namespace cuda

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_sort_unique(const placed_graph& g, int rank) {
  return std::make_unique<cuda::sort_unique_arrays<Id>>(g, rank);
}
GOSSAMER_QUEUE_STEPS(make_cuda_sort_unique)

vector_queue_bytes cuda_sort_unique_bytes(std::int64_t rows, std::int64_t placed,
                                          std::int64_t in_arcs, int id_width, int ranks) {
  const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  vector_queue_bytes b = cuda_vector_queue_bytes(rows, placed, in_arcs, id_width, ranks);
  const std::int64_t counts = cuda::counts_needed(rows, placed, in_arcs, ranks, false) * 8;
  b.work -= block(rows * 8) + block(counts);
  b.duplicates =
      block(cuda::counts_needed(rows, placed, in_arcs, ranks, true) * 8) + 4 * block(in_arcs * 8) +
      block(static_cast<std::int64_t>(cuda::sort_bytes(in_arcs, cuda::bits_of_rows(rows))));
  return b;
}

}  // namespace gossamer::bfs_detail
