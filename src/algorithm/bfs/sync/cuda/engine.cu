// Set-up of the CUDA engine, its search-wide steps, and the factory.
#include "algorithm/bfs/sync/cuda/engine.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>

#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/smallest_parents/share_depths.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::bfs_detail {

namespace cuda {

template <class Id>
engine<Id>::engine(const placed_graph& g, int rank)
    : graph_(g),
      device_(g.on()[rank]),
      rank_(rank),
      ranks_(g.owners().ranks()),
      slice_(g.slice<Id>(rank)),
      placed_(g.owners().placed()) {
  const std::int64_t rows = slice_.rows;
  if (rows > std::numeric_limits<std::int32_t>::max()) {
    throw capacity_error("bfs: a rank can hold 2^31 - 1 vertices, rank " + std::to_string(rank) +
                         " would have " + std::to_string(rows));
  }
  const current_device here(device_.ordinal);
  const std::int64_t block = std::int64_t{1} << g.owners().view().block_bits;
  for (std::int64_t i = 0; i < rows; i += block) {
    const std::int64_t at = g.owners().global(rank, i);
    if (!runs_.empty() && runs_.back().placed + runs_.back().count == at) {
      runs_.back().count += block;
    } else {
      runs_.push_back({i, at, block});
    }
  }

  pool_ = {device_, rank, rows};
  algorithm_detail::array_list taken(device_);
  arrays_.list(taken, rows, placed_, ranks_);
  outbox_first_.assign(ranks_ + 1, 0);
  for (int d = 0; d < ranks_; ++d) {
    outbox_first_[d + 1] = outbox_first_[d] + (d == rank ? 0 : g.owners().local_size(d));
  }
  copy_bytes(arrays_.outbox_first.data(), outbox_first_.data(),
             outbox_first_.size() * sizeof(std::int64_t));
  const memory_kind pinned = device_.is_cuda() ? memory_kind::pinned : memory_kind::host;
  report_ = buffer<report>(pinned, device_.ordinal, 1);
  mail_ = buffer<long long>(pinned, device_.ordinal, ranks_);
  *report_.data() = {};
  std::fill_n(mail_.data(), ranks_, 0);
  before_ = event(device_.ordinal);
  after_ = event(device_.ordinal);

  view_.rows = rows;
  view_.offsets = slice_.offsets;
  view_.columns = slice_.columns;
  view_.in_offsets = slice_.in_offsets;
  view_.in_columns = slice_.in_columns;
  view_.hubs = arrays_.hubs.data();
  view_.outbox = arrays_.outbox.data();
  view_.outbox_first = arrays_.outbox_first.data();
  view_.outbox_count = arrays_.outbox_count.data();
  view_.count = arrays_.count.data();
  view_.out = report_.data();
  view_.mail = mail_.data();
  view_.own = g.owners_at(rank);
  view_.me = rank;

  survey_slice();
}

template <class Id>
void engine<Id>::survey_slice() {
  const memory_kind kind = native_memory(device_);
  fill_bytes(kind, device_.ordinal, arrays_.closed.data(), 0,
             arrays_.closed.size() * sizeof(std::uint32_t));
  fill_bytes(kind, device_.ordinal, arrays_.outbox_count.data(), 0,
             arrays_.outbox_count.size() * sizeof(unsigned long long));
  fill_bytes(kind, device_.ordinal, arrays_.count.data(), 0, sizeof(counters));
  if (slice_.rows == 0) return;
  const stream own(device_);
  view_.seen = arrays_.closed.data();
  survey(launch_site{own.native(), device_.units, ranks_ > 1}, view_);
  after_.record(own);
  after_.block(stream());  // this thread waits, with a deadline
  counters found;
  copy_bytes(&found, arrays_.count.data(), sizeof(found));
  longest_row_ = static_cast<std::int64_t>(found.longest);
}

template <class Id>
step_result engine<Id>::begin(rank& r, const exchange<Id>* ex, std::int64_t source_local) {
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  if (!clean_) {
    // A run that ended early left counts. Its kernels were in this stream, and have ended.
    r.synchronize();
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(arrays_.count.data(), 0, sizeof(counters), on));
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(arrays_.outbox_count.data(), 0,
                                        arrays_.outbox_count.size() * sizeof(unsigned long long),
                                        on));
  }
  clean_ = false;
  exchange_ = ex;
  sent_to_peers_ = {};
  form_ = form::queue;
  current_ = 0;
  frontier_ = {};
  if (result_.none()) result_ = pool_.take();
  view_.parents = result_.parents();
  view_.depths = result_.depths();
  view_.seen = arrays_.seen.data();
  clear(r);
  if (source_local < 0) return frontier_;
  view_.depth = 0;
  view_.next = queue(current_);
  start(site_of(r), view_, static_cast<std::int32_t>(source_local), ++sequence_);
  await_report(r);
  frontier_ = {report_.data()->vertices, report_.data()->arcs};
  return frontier_;
}

template <class Id>
void engine<Id>::clear(rank& r) {
  const trace_span span(r, "clear", r.stream());
  const auto on = static_cast<cudaStream_t>(r.stream().native());
  const std::size_t rows = slice_.rows;
  if (rows > 0) {
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(view_.parents, 0xff, rows * sizeof(Id), on));
    GOSSAMER_CHECK_CUDA(cudaMemsetAsync(view_.depths, 0xff, rows * sizeof(std::int32_t), on));
  }
  GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(arrays_.seen.data(), arrays_.closed.data(),
                                      arrays_.seen.size() * sizeof(std::uint32_t),
                                      cudaMemcpyDeviceToDevice, on));
}

template <class Id>
void engine<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  if (slice_.in_offsets == nullptr) {
    throw usage_error("bfs: the smallest parents need in-arcs, which this placement does not keep");
  }
  const std::int32_t* all = view_.depths;
  if (ranks_ > 1) {
    share_depths(r, all_depths, graph_.owners().view(), view_.depths, slice_.rows);
    all = all_depths.local().data();
  }
  if (slice_.rows > 0) {
    const trace_span span(r, "smallest parents", r.stream());
    cuda::smallest_parents(site_of(r), view_, all, graph_.vertex_of_placed<Id>(rank_));
  }
  r.synchronize();
}

template <class Id>
void engine<Id>::finish(rank& r) {
  r.synchronize();
  clean_ = true;
}

template class engine<vertex32>;
template class engine<vertex64>;

}  // namespace cuda

template <class Id>
std::unique_ptr<bfs_engine<Id>> make_cuda_engine(const placed_graph& g, int rank,
                                                 const bfs_options&) {
  return std::make_unique<cuda::engine<Id>>(g, rank);
}
GOSSAMER_BFS_ENGINES(make_cuda_engine)

algorithm_detail::listed_bytes cuda_engine_bytes(const planned_rank& p) {
  return p.count<cuda::engine_arrays>(p.rows(), p.placed(), p.ranks());
}

}  // namespace gossamer::bfs_detail
