// Host side of the engine `single_kernel`.
#include "algorithm/bfs/cuda/persistent/program.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "algorithm/bfs/cuda/current_device.hpp"
#include "algorithm/bfs/cuda/launch.hpp"
#include "algorithm/bfs/cuda/persistent/prepare.cuh"
#include "algorithm/one_kernel.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace cuda {

namespace {

template <class T>
void zero(const device& d, buffer<T>& b) {
  fill_bytes(native_memory(d), d.ordinal, b.data(), 0, b.size() * sizeof(T));
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
  pool_ = std::make_shared<result_pool<Id>>(device_, rows);
  seen_ = make_native_buffer<std::uint32_t>(device_, placed / 32);
  closed_ = make_native_buffer<std::uint32_t>(device_, placed / 32);
  if (ranks_ == 1) bits_ = make_native_buffer<std::uint32_t>(device_, 2 * (placed / 32));
  if (ranks_ > 1) {
    posted_ = make_native_buffer<unsigned long long>(device_, ranks_);
    sent_there_ = make_native_buffer<unsigned long long>(device_, 2);
    rows_of_ = make_native_buffer<std::int64_t>(device_, ranks_);
    std::vector<std::int64_t> rows_of;
    for (int k = 0; k < ranks_; ++k) rows_of.push_back(g.owners().local_size(k));
    copy_bytes(rows_of_.data(), rows_of.data(), rows_of.size() * sizeof(std::int64_t));
    peers_.posted = posted_.data();
    peers_.sent = sent_there_.data();
    peers_.rows_of = rows_of_.data();
  }
  peers_.own = g.owners_at(rank);
  peers_.me = rank;
  peers_.ranks = ranks_;
  queues_ = make_native_buffer<std::int64_t>(device_, 2 * rows);
  sums_ = make_native_buffer<level_sums>(device_, 3);
  arrived_ = make_native_buffer<std::uint32_t>(device_, 4);
  log_ = make_native_buffer<level_entry>(device_, logged_levels);
  state_ = make_native_buffer<search_state>(device_, 1);
  log_here_.resize(logged_levels);
  before_ = event(device_.ordinal);
  after_ = event(device_.ordinal);

  view_.rows = rows;
  view_.words = placed / 32;
  view_.offsets = slice_.offsets;
  view_.columns = slice_.columns;
  view_.in_offsets = slice_.in_offsets;
  view_.in_columns = slice_.in_columns;
  view_.seen = seen_.data();
  view_.closed = closed_.data();
  for (int i = 0; i < 2; ++i) {
    if (ranks_ == 1) view_.bits[i] = bits_.data() + i * view_.words;
    view_.queue[i] = reinterpret_cast<std::int32_t*>(queues_.data() + i * rows);
  }
  view_.turn = {options.alpha, options.beta, g.vertices(),
                options.direction != bfs_direction::top_down && slice_.in_offsets != nullptr,
                options.direction == bfs_direction::bottom_up};
  view_.sums = sums_.data();
  view_.arrived = arrived_.data();
  view_.progress = arrived_.data() + 2;
  view_.log = log_.data();
  view_.state = state_.data();
  prepare();
  // Rows that one lane can walk are a network of high diameter, as like as not: a large cluster
  // for its levels. Others keep every multiprocessor.
  const bool narrow = ranks_ == 1 && view_.longest <= narrow_row;
  for (unsigned cluster = narrow ? most_cluster_blocks : 1; shape_.blocks == 0; cluster /= 2)
    shape_ =
        ranks_ == 1 ? shape_of<Id, false>(device_, cluster) : shape_of<Id, true>(device_, cluster);
}

template <class Id>
single_kernel<Id>::~single_kernel() {
  pool_->close();
}

template <class Id>
void single_kernel<Id>::prepare_classes(buffer<std::uint8_t>& classes) const {
  if (ranks_ == 1) return;  // the kernel that looks at all rows writes them
  std::vector<std::uint8_t> of(classes.size(), 0);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const std::int64_t vertex = graph_.vertex(static_cast<std::int64_t>(i));
    if (vertex >= 0) of[i] = class_of(graph_.degree(vertex));
  }
  copy_bytes(classes.data(), of.data(), of.size());
}

template <class Id>
void single_kernel<Id>::prepare() {
  zero(device_, closed_);
  if (view_.rows == 0) return;
  const auto on = stream(device_);
  const auto s = static_cast<cudaStream_t>(on.native());
  auto classes = make_native_buffer<std::uint8_t>(device_, 32 * view_.words);
  auto longest = make_native_buffer<unsigned long long>(device_, 1);
  zero(device_, longest);
  prepare_classes(classes);
  const auto blocks = [](std::int64_t threads) {
    return static_cast<unsigned>((threads + prepare_threads - 1) / prepare_threads);
  };
  const auto classify = ranks_ == 1 ? classify_kernel<Id, false> : classify_kernel<Id, true>;
  classify<<<blocks(view_.rows), prepare_threads, 0, s>>>(
      view_, peers_, closed_.data(), ranks_ == 1 ? classes.data() : nullptr, longest.data());
  if (view_.turn.may_go_up) {
    favourite_ = make_native_buffer<Id>(device_, view_.rows);
    choose_favourites_kernel<Id>
        <<<blocks(view_.rows), prepare_threads, 0, s>>>(view_, classes.data(), favourite_.data());
    view_.favourite = favourite_.data();
  }
  if (packs_rows(graph_.arcs(), view_.rows, sizeof(Id), ranks_)) {
    packed_ = make_native_buffer<std::int32_t>(device_, 4 * view_.rows);
    pack_rows_kernel<Id><<<blocks(view_.rows), prepare_threads, 0, s>>>(
        view_, reinterpret_cast<int4*>(packed_.data()));
    view_.packed = reinterpret_cast<const int4*>(packed_.data());
  }
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
  after_.record(on);
  after_.block(stream());  // this thread waits, with a deadline
  unsigned long long found = 0;
  copy_bytes(&found, longest.data(), sizeof found);
  view_.longest = static_cast<std::int64_t>(found);
}

template <class Id>
void single_kernel<Id>::begin(rank& r, std::int64_t source_local) {
  if (result_ == nullptr) result_ = pool_->take();
  view_.parents = result_->parents.data();
  view_.depths = result_->depths.data();
  view_.guard = r.guard();
  sent_ = {};
  zero(device_, sums_);
  zero(device_, arrived_);
  search_state s{};
  s.next = way::queue;
  s.source = source_local;
  s.unexplored = static_cast<unsigned long long>(graph_.arcs());
  copy_bytes(state_.data(), &s, sizeof s);
  peers_.source = source_local;
  if (ranks_ > 1) join(r, source_local);
}

template <class Id>
void single_kernel<Id>::join(rank& r, std::int64_t source_local) {
  const auto p = static_cast<std::size_t>(ranks_);
  const auto bits = r.make_window<std::uint32_t>(static_cast<std::size_t>(2 * view_.words));
  const auto inbox = r.make_window<message<Id>>(p * static_cast<std::size_t>(view_.rows));
  const auto mail = r.make_window<std::uint64_t>(p);
  zero(device_, posted_);
  zero(device_, sent_there_);
  r.fill(mail.local().data(), 0, mail.local().size_bytes());
  r.synchronize();
  // Who has the source tells the others its placed id.
  const std::int64_t mine = source_local < 0 ? -1 : graph_.owners().global(rank_, source_local);
  std::vector<std::int64_t> all(p);
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  peers_.source = *std::max_element(all.begin(), all.end());
  peers_.bits = device_handle(bits);
  peers_.inbox = device_handle(inbox);
  peers_.mail = device_handle(mail);
  peers_.across = make_device_scalar<std::uint64_t>(r);  // ends with a barrier
  for (int i = 0; i < 2; ++i) view_.bits[i] = bits.local().data() + i * view_.words;
}

template <class Id>
void single_kernel<Id>::start(rank& r) {
  if (ranks_ == 1)
    launch<Id, false>(shape_, r.stream().native(), view_, peers_);
  else
    launch<Id, true>(shape_, r.stream().native(), view_, peers_);
}

template <class Id>
void single_kernel<Id>::traverse(rank& r, traversal& out) {
  search_state s{};
  std::uint64_t at = 0;
  out.seconds = 0;
  while (s.next != way::finished) {
    const std::int64_t first = s.level;
    before_.record(r.stream());
    {
      const trace_span span(r, "traverse", r.stream());
      start(r);
    }
    after_.record(r.stream());
    r.synchronize();
    copy_bytes(&s, state_.data(), sizeof s);
    out.seconds += after_.milliseconds_since(before_) * 1e-3;
    if (at == 0) {
      at = s.began;
      if (r.tracing() != nullptr) out.began = r.tracing()->at(at);
    }
    read_log(r, first, s.level, at, out);
  }
  out.seconds -= static_cast<double>(s.waited) * 1e-9;
  out.arcs = slice_.arcs - static_cast<std::int64_t>(s.open_arcs);
  if (ranks_ > 1) count_traffic(r, s, out);
}

/// For the report alone, after the search: what was sent, and the arcs of all ranks.
template <class Id>
void single_kernel<Id>::count_traffic(rank& r, const search_state& s, traversal& out) {
  unsigned long long sent[2];
  copy_bytes(sent, sent_there_.data(), sizeof sent);
  sent_.out.messages = static_cast<std::int64_t>(sent[0]);
  sent_.out.bytes = static_cast<std::int64_t>(sent[1]);
  sent_.out.rounds = static_cast<std::int64_t>(out.levels.size());
  sent_.flag.rounds = s.meetings;
  sent_.flag.messages = std::int64_t{s.meetings} * (ranks_ - 1);
  sent_.flag.bytes = 8 * sent_.flag.messages;
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks_));
  r.exchange(std::as_bytes(std::span(&out.arcs, 1)), std::as_writable_bytes(std::span(all)));
  out.arcs = std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

template <class Id>
void single_kernel<Id>::read_log(rank& r, std::int64_t first, std::int64_t last, std::uint64_t& at,
                                 traversal& out) {
  const auto n = static_cast<std::size_t>(last - first);
  if (n == 0) return;
  copy_bytes(log_here_.data(), log_.data(), n * sizeof(level_entry));
  for (std::size_t i = 0; i < n; ++i) {
    const level_entry& e = log_here_[i];
    const auto vertices = static_cast<std::int64_t>(e.frontier / 2);
    out.levels.push_back({vertices, e.frontier % 2 != 0, static_cast<double>(e.ended - at) * 1e-6});
    out.reached += vertices;
    const bool up = out.levels.back().bottom_up;
    trace_kernel_level(r, up ? "bottom-up" : "top-down", first + static_cast<std::int64_t>(i),
                       vertices, at, e.ended);
    at = e.ended;
  }
}

template <class Id>
void single_kernel<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  level_view<Id> v{};
  v.rows = slice_.rows;
  v.in_offsets = slice_.in_offsets;
  v.in_columns = slice_.in_columns;
  v.parents = view_.parents;
  v.depths = view_.depths;
  const std::int32_t* all = view_.depths;
  if (ranks_ > 1) {
    const ownership& owners = graph_.owners();
    const std::int64_t block = std::int64_t{1} << owners.view().block_bits;
    for (int k = 0; k < ranks_; ++k)
      for (std::int64_t i = 0; i < slice_.rows; i += block)
        r.put(all_depths, (rank_ + k) % ranks_, static_cast<std::size_t>(owners.global(rank_, i)),
              std::span<const std::int32_t>(view_.depths + i, static_cast<std::size_t>(block)));
    r.barrier();
    all = all_depths.local().data();
  }
  const launch_site site{r.stream().native(), device_.units, ranks_ > 1};
  if (slice_.rows > 0) cuda::smallest_parents(site, v, all, graph_.vertex_of_placed<Id>(rank_));
  r.synchronize();
}

template <class Id>
bfs_result::part single_kernel<Id>::take_part() {
  return lend_part(*pool_, std::move(result_), rank_, device_.ordinal, slice_.rows);
}

template class single_kernel<vertex32>;
template class single_kernel<vertex64>;

}  // namespace cuda

namespace {

void check(const placed_graph& g, const bfs_options&) {
  const auto lacks = lacks_for_one_kernel(g.on());
  require(lacks.empty(), "bfs: engine 'single_kernel' needs " + lacks);
}

program_bytes bytes(const machine&, const ownership_sizes& owners, const graph_size& size, int rank,
                    int id_width, const bfs_options& options) {
  const auto block = [](std::int64_t n) { return (n + 255) / 256 * 256; };
  const std::int64_t rows = owners.local_size(rank), bitmap = owners.placed() / 8;
  const std::int64_t p = owners.ranks();
  program_bytes all;
  all.own.work = 2 * block(bitmap) + block(2 * rows * 8) + block(3 * sizeof(cuda::level_sums)) +
                 block(16) + block(cuda::logged_levels * sizeof(cuda::level_entry)) +
                 block(sizeof(cuda::search_state));
  if (options.direction != bfs_direction::top_down) all.own.work += block(rows * id_width);
  if (cuda::packs_rows(size.arcs, rows, id_width, owners.ranks())) all.own.work += block(rows * 16);
  all.own.result = block(rows * id_width) + block(rows * 4);
  if (p == 1) {
    all.own.work += block(2 * bitmap);
    return all;
  }
  const std::int64_t message_bytes =
      id_width == 4 ? sizeof(message<vertex32>) : sizeof(message<vertex64>);
  all.own.work += 2 * block(p * 8) + block(16);
  // Bitmaps, inbox, mail, and the slots and the epoch of the agreement.
  all.windows = block(2 * bitmap) + block(p * rows * message_bytes) + block(p * 8) +
                block(2 * p * 2 * 8) + block(4);
  return all;
}

}  // namespace

const program_kind single_kernel_program = {"single_kernel", check, bytes,
                                            make_program_of<cuda::single_kernel, vertex32>,
                                            make_program_of<cuda::single_kernel, vertex64>};

}  // namespace gossamer::bfs_detail
