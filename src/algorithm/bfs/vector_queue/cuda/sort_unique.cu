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
sort_unique_arrays<Id>::sort_unique_arrays(const placed_graph& g, int rank, int label_bytes)
    : vector_queue_arrays<Id>(g, rank, label_bytes, true),
      bits_(bits_of_rows(this->arrivals_.rows)) {
  const device& d = g.on()[rank];
  const current_device here(d.ordinal);
  algorithm_detail::array_list taken(d);
  queues_.list(taken, this->arrivals_.rows, this->arrivals_.arcs);
  this->view_.room = this->arrivals_.arcs;
}

template <class Id>
void sort_unique_arrays<Id>::clear(rank&) {
  this->view_.keys = queues_.keys[0].data();
  this->view_.values = queues_.values[0].data();
}

template <class Id>
void sort_unique_arrays<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  append_neighbours(site_of(r), this->view_, queue.data(), static_cast<std::int64_t>(queue.size()));
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
  if (sort_neighbours(site_of(r), queues_.work.data(), queues_.work.size(), queues_.keys[0].data(),
                      queues_.values[0].data(), queues_.keys[1].data(), queues_.values[1].data(),
                      used_, bits_)) {
    this->view_.keys = queues_.keys[1].data();
    this->view_.values = queues_.values[1].data();
  }
  update_sorted(site_of(r), this->view_, used_, depth);
}

template <class Id>
step_result sort_unique_arrays<Id>::convert(rank& r, std::int64_t* queue, std::uint32_t* finds) {
  sorted_to_queue(site_of(r), this->view_, used_, queue, finds);
  r.synchronize();
  return {this->view_.report->vertices, this->view_.report->arcs};
}

}  // namespace cuda

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_sort_unique(const placed_graph& g, int rank,
                                                              int label_bytes) {
  return std::make_unique<cuda::sort_unique_arrays<Id>>(g, rank, label_bytes);
}
GOSSAMER_QUEUE_STEPS(make_cuda_sort_unique)

queue_bytes cuda_sort_unique_bytes(const planned_rank& p) {
  using algorithm_detail::counted;
  queue_bytes b = cuda_vector_queue_bytes(p);
  b.work =
      counted<cuda::queue_arrays>(p.rows(), p.turns_rows() ? p.placed() : 0, p.in_arcs, true).own;
  b.duplicates = counted<cuda::neighbour_queues>(p.rows(), p.in_arcs).own;
  return b;
}

}  // namespace gossamer::bfs_detail
