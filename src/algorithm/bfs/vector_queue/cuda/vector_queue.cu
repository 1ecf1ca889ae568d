// Set-up of paper A's search on a GPU, its steps, and the factory.
#include "algorithm/bfs/vector_queue/cuda/vector_queue.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "algorithm/bfs/smallest_parents/share_depths.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::bfs_detail {

using algorithm_detail::counted;

namespace cuda {

template <class Id>
vector_queue_arrays<Id>::vector_queue_arrays(const placed_graph& g, int rank, int label_bytes,
                                             bool sorts)
    : arrivals_(arrivals_of<Id>(g, rank)),
      graph_(g),
      device_(g.on()[rank]),
      rank_(rank),
      ranks_(g.owners().ranks()) {
  const current_device here(device_.ordinal);
  const std::int64_t rows = arrivals_.rows, placed = arrivals_.vertices;
  const bool turns = arrivals_.offsets == nullptr;
  algorithm_detail::array_list taken(device_);
  arrays_.list(taken, rows, turns ? placed : 0, arrivals_.arcs, sorts);
  turned_.list(taken, placed, arrivals_.arcs, turns);
  report_ = buffer<queue_report>(memory_kind::pinned, device_.ordinal, 1);
  *report_.data() = {};
  pool_ = {device_, rank, rows};

  view_.rows = rows;
  view_.vertices = placed;
  view_.first = arrivals_.offsets;
  view_.own = arrivals_.ends;
  view_.vector = arrays_.vector.data();
  view_.visited = arrays_.visited.data();
  view_.counts = arrays_.counts.data();
  view_.tally = arrays_.tally.data();
  view_.report = report_.data();
  view_.owners = g.owners_at(rank);
  view_.me = rank;
  view_.label_bytes = label_bytes;
  if (!turns) return;
  view_.first = turned_.offsets.data();
  view_.own = turned_.rows.data();
  fill_bytes(native_memory(device_), device_.ordinal, turned_.offsets.data(), 0,
             turned_.offsets.size() * sizeof(edge_offset));
  if (rows == 0) return;
  const stream own(device_);
  event done(device_.ordinal);
  turn_slice(launch_site{own.native(), std::max(1, device_.units), true}, g.slice<Id>(rank), placed,
             turned_.offsets.data(), turned_.rows.data(), arrays_.counts.data());
  done.record(own);
  done.block(stream());  // this thread waits, with a deadline
}

template <class Id>
void vector_queue_arrays<Id>::begin(rank& r, std::int64_t source_local, std::int64_t* queue) {
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  if (result_.none()) result_ = pool_.take();
  view_.labels = result_.parents();
  view_.depths = result_.depths();
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(arrays_.tally.data(), 0, sizeof(level_tally), on));
  const auto rows = static_cast<std::size_t>(view_.rows);
  if (rows > 0) {
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(view_.labels, 0xff, rows * sizeof(Id), on));
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(view_.depths, 0xff, rows * sizeof(std::int32_t), on));
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(view_.visited, 0, rows, on));
  }
  if (source_local >= 0) enter_source(site_of(r), view_, source_local, queue);
  r.synchronize();
}

template <class Id>
void vector_queue_arrays<Id>::clear(rank& r) {
  r.fill(view_.vector, 0xff, static_cast<std::size_t>(view_.rows) * sizeof(std::int64_t));
}

template <class Id>
void vector_queue_arrays<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  gather_neighbours(site_of(r), view_, queue.data(), static_cast<std::int64_t>(queue.size()));
}

template <class Id>
void vector_queue_arrays<Id>::update(rank& r, std::int32_t depth) {
  if (view_.rows > 0) update_labels(site_of(r), view_, depth);
}

template <class Id>
step_result vector_queue_arrays<Id>::convert(rank& r, std::int64_t* queue, std::uint32_t* finds) {
  if (view_.rows > 0) vector_to_queue(site_of(r), view_, queue, finds);
  r.synchronize();
  return {report_.data()->vertices, report_.data()->arcs};
}

template <class Id>
void vector_queue_arrays<Id>::labels(rank& r, std::int64_t* into) {
  if (view_.rows > 0) widen_parents(site_of(r), view_.labels, view_.rows, into);
  r.synchronize();
}

template <class Id>
found_rows<Id> vector_queue_arrays<Id>::found() const {
  const auto n = static_cast<std::size_t>(view_.rows);
  return {{view_.labels, n}, {view_.depths, n}};
}

template <class Id>
void vector_queue_arrays<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  share_depths(r, all_depths, graph_.owners().view(), view_.depths, view_.rows);
  if (view_.rows > 0)
    smallest_labels(site_of(r), view_, arrivals_.vertices, all_depths.local().data(),
                    graph_.vertex_of_placed<Id>(rank_));
  r.synchronize();
}

template class vector_queue_arrays<vertex32>;
template class vector_queue_arrays<vertex64>;

}  // namespace cuda

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_vector_queue(const placed_graph& g, int rank,
                                                               int label_bytes) {
  return std::make_unique<cuda::vector_queue_arrays<Id>>(g, rank, label_bytes);
}
GOSSAMER_QUEUE_STEPS(make_cuda_vector_queue)

queue_bytes cuda_vector_queue_bytes(const planned_rank& p) {
  return {
      counted<cuda::queue_arrays>(p.rows(), p.turns_rows() ? p.placed() : 0, p.in_arcs, false).own,
      p.id_width == 4 ? turned_slice<buffer, vertex32>::bytes(p)
                      : turned_slice<buffer, vertex64>::bytes(p),
      0};
}

}  // namespace gossamer::bfs_detail
