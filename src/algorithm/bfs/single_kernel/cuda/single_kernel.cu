// Engine `single_kernel`: what a rank keeps, and what is made of its slice once. search.cu runs
// searches.
#include "algorithm/bfs/single_kernel/cuda/single_kernel.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "algorithm/bfs/cuda/launch.hpp"
#include "algorithm/bfs/single_kernel/cuda/prepare.cuh"
#include "algorithm/driver/one_kernel.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::bfs_detail {

namespace cuda {

namespace {

/// Going up, an open row looks at its arcs until one leads to the frontier. Where a hub is in the
/// frontier, its favourite mostly does. Without hubs a share x of the arcs left finds a row after
/// 1 / x arcs, if neighbours are anywhere, and never, if all are near: going up must wait. Several
/// ranks wait less, since going down sends a message for most vertices found. That takes as long as
/// some 70 looks.
double alpha_without_hubs(const placed_graph& g, std::int64_t longest, double alpha) {
  const double mean =
      static_cast<double>(g.arcs()) / static_cast<double>(std::max<std::int64_t>(1, g.vertices()));
  if (static_cast<double>(longest) > 16 * mean) return alpha;
  if (g.owners().ranks() > 1) return std::clamp(mean, 2.0, 70.0);
  return std::min(alpha, std::max(2.0, std::sqrt(mean) / 2));
}

}  // namespace

template <class Id>
single_kernel<Id>::single_kernel(const placed_graph& g, int rank, const bfs_options& options)
    : graph_(g),
      device_(g.on()[rank]),
      rank_(rank),
      ranks_(g.owners().ranks()),
      slice_(g.slice<Id>(rank)) {
  const std::int64_t rows = slice_.rows, placed = g.owners().placed();
  require(rows <= std::numeric_limits<std::int32_t>::max(),
          "bfs: a rank can hold 2^31 - 1 vertices");
  const current_device here(device_.ordinal);
  pool_ = {device_, rank, rows};
  const bool goes_up =
      options.direction != bfs_direction::top_down && slice_.in_offsets != nullptr && rows > 0;
  const bool packs = packs_rows(g.arcs(), placed, sizeof(Id), ranks_) && rows > 0;
  algorithm_detail::array_list taken(device_);
  arrays_.list(taken, rows, placed, ranks_, goes_up, packs);
  if (ranks_ > 1) {
    std::vector<std::int64_t> rows_of;
    for (int k = 0; k < ranks_; ++k) rows_of.push_back(g.owners().local_size(k));
    copy_bytes(arrays_.rows_of.data(), rows_of.data(), rows_of.size() * sizeof(std::int64_t));
    peers_.posted = arrays_.posted.data();
    peers_.sent = arrays_.sent.data();
    peers_.rows_of = arrays_.rows_of.data();
  }
  peers_.own = g.owners_at(rank);
  peers_.me = rank;
  peers_.ranks = ranks_;
  if (g.owners().contiguous() && rows > 0) {
    peers_.range_first = g.owners().global(rank, 0);
    peers_.range_rows = rows;
  }
  log_here_.resize(logged_levels);
  before_ = event(device_.ordinal);
  after_ = event(device_.ordinal);

  view_.rows = rows;
  view_.words = placed / 32;
  view_.offsets = slice_.offsets;
  view_.columns = slice_.columns;
  view_.in_offsets = slice_.in_offsets;
  view_.in_columns = slice_.in_columns;
  view_.closed = arrays_.closed.data();
  view_.turn = {options.alpha, options.beta, g.vertices(),
                options.direction != bfs_direction::top_down && slice_.in_offsets != nullptr,
                options.direction == bfs_direction::bottom_up};
  view_.sums = arrays_.sums.data();
  view_.arrived = arrays_.arrived.data();
  view_.progress = arrays_.arrived.data() + 2;
  view_.log = arrays_.log.data();
  view_.settled = arrays_.settled.data();
  view_.state = arrays_.state.data();
  prepare();
  if (options.alpha == bfs_options().alpha)
    view_.turn.alpha = alpha_without_hubs(g, view_.longest, options.alpha);
  // Rows that one lane can walk most likely belong to a network of high diameter: it gets a large
  // cluster for its levels. Other graphs keep every multiprocessor.
  view_.narrow = view_.longest <= narrow_row && ranks_ <= trade_ranks &&
                 placed <= std::numeric_limits<std::int32_t>::max();
  for (unsigned cluster = view_.narrow ? most_cluster_blocks : 1; shape_.blocks == 0; cluster /= 2)
    shape_ =
        ranks_ == 1 ? shape_of<Id, false>(device_, cluster) : shape_of<Id, true>(device_, cluster);
}

namespace {

unsigned blocks_for_rows(std::int64_t rows) {
  return static_cast<unsigned>((rows + prepare_threads - 1) / prepare_threads);
}

/// Whether this GPU can read all ranks' offsets, and rows lie in order of placed ids.
bool rows_in_reach(const placed_graph& g) {
  return g.on().all_here() && (g.owners().ranks() == 1 || g.owners().contiguous());
}

/// Classes of all rows by placed id, as the host knows them. Returns the longest row.
std::int64_t classify_on_host(const placed_graph& g, buffer<std::uint8_t>& classes) {
  std::vector<std::uint8_t> of(classes.size(), 0);
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const std::int64_t vertex = g.vertex(static_cast<std::int64_t>(i));
    if (vertex < 0) continue;
    longest = std::max(longest, g.degree(vertex));
    of[i] = class_of(g.degree(vertex));
  }
  copy_bytes(classes.data(), of.data(), of.size());
  return longest;
}

}  // namespace

template <class Id>
void single_kernel<Id>::classify(buffer<std::uint8_t>& classes, unsigned long long* longest,
                                 void* native) const {
  const auto s = static_cast<cudaStream_t>(native);
  for (int k = 0; k < ranks_; ++k) {
    const graph_slice<Id>& of = graph_.slice<Id>(k);
    if (of.rows == 0) continue;
    const std::int64_t first = ranks_ == 1 ? 0 : graph_.owners().global(k, 0);
    classify_kernel<<<blocks_for_rows(of.rows), prepare_threads, 0, s>>>(
        of.offsets, of.rows, classes.data() + first, longest);
  }
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

template <class Id>
void single_kernel<Id>::prepare() {
  zero(device_, arrays_.closed);
  auto classes = make_native_buffer<std::uint8_t>(device_, 32 * view_.words);
  auto longest = make_native_buffer<unsigned long long>(device_, 1);
  zero(device_, longest);
  const auto on = stream(device_);
  const auto s = static_cast<cudaStream_t>(on.native());
  const bool in_reach = rows_in_reach(graph_);
  if (in_reach)
    classify(classes, longest.data(), on.native());
  else
    view_.longest = classify_on_host(graph_, classes);
  if (view_.rows > 0) {
    const auto close = ranks_ == 1 ? close_kernel<Id, false> : close_kernel<Id, true>;
    close<<<blocks_for_rows(view_.rows), prepare_threads, 0, s>>>(view_, peers_,
                                                                  arrays_.closed.data());
  }
  if (view_.turn.may_go_up && view_.rows > 0) {
    choose_favourites_kernel<Id><<<blocks_for_rows(view_.rows), prepare_threads, 0, s>>>(
        view_, classes.data(), arrays_.favourite.data());
    view_.favourite = arrays_.favourite.data();
  }
  if (arrays_.packed.size() > 0) {
    pack_rows_kernel<Id><<<blocks_for_rows(view_.rows), prepare_threads, 0, s>>>(
        view_, ranks_ == 1, reinterpret_cast<int4*>(arrays_.packed.data()));
    view_.packed = reinterpret_cast<const int4*>(arrays_.packed.data());
  }
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
  after_.record(on);
  after_.block(stream());  // this thread waits, with a deadline
  if (!in_reach) return;
  unsigned long long found = 0;
  copy_bytes(&found, longest.data(), sizeof found);
  view_.longest = static_cast<std::int64_t>(found);
}

template class single_kernel<vertex32>;
template class single_kernel<vertex64>;

}  // namespace cuda

namespace {

void check(const placed_graph& g, const bfs_options&) {
  const auto lacks = lacks_for_one_kernel(g.on());
  require(lacks.empty(), "bfs: engine 'single_kernel' needs " + lacks);
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p,
             const bfs_options& options) {
  const bool goes_up = options.direction != bfs_direction::top_down;
  const std::int64_t rows = p.rows(), placed = p.placed();
  const int ranks = p.ranks();
  auto takes = p.count<cuda::single_arrays>(rows, placed, ranks, goes_up,
                                            cuda::packs_rows(p.arcs, placed, p.id_width, ranks));
  takes.window += algorithm_detail::counted<cuda::single_scratch>(rows, placed, ranks).window;
  if (ranks == 1) {
    takes.own += algorithm_detail::aligned(placed);  // classes of rows, while it is made
  } else {
    algorithm_detail::array_list agreed;
    agreed.count_device_agreement(ranks);
    takes.window +=
        p.count<cuda::single_windows>(rows, placed, ranks, ranks <= cuda::trade_ranks).window +
        agreed.bytes().window;
  }
  declare_search(l, p, takes);
}

}  // namespace

const engine_functions single_kernel_engine = {check, declare,
                                               make_search_of<cuda::single_kernel, vertex32>,
                                               make_search_of<cuda::single_kernel, vertex64>};

}  // namespace gossamer::bfs_detail
