// The loop over levels: expand, send every peer its array of parents, merge what arrived, ask
// whether there is more. At the end the whole tree goes to rank 0. The steps are a CPU's or a
// GPU's.
#include "algorithm/bfs/published/published.hpp"

#include <limits>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/fabric/wake_links.hpp"

namespace gossamer::bfs_detail {

namespace {

template <class Id>
std::unique_ptr<published_steps<Id>> make_published_steps(const placed_graph& g, int rank) {
  return g.on()[rank].is_cuda() ? make_cuda_published<Id>(g, rank)
                                : make_cpu_published<Id>(g, rank);
}

}  // namespace

template <class Id>
published<Id>::published(const placed_graph& g, int rank, const bfs_options&)
    : rank_(rank),
      ranks_(g.on().size()),
      gpu_(g.on()[rank].is_cuda()),
      first_(outgoing_parts(g.owners(), rank)),
      steps_(make_published_steps<Id>(g, rank)),
      before_(g.on()[rank].ordinal),
      after_(g.on()[rank].ordinal) {
  for (int r = 0; r < ranks_; ++r) rows_of_.push_back(g.owners().local_size(r));
}

template <class Id>
void published<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  algorithm_detail::array_list taken(r);
  windows_.list(taken, rows_of_, rank_);
  flag_.emplace(r);
  wake_links(r, windows_.inbox);
  steps_->begin(r, windows_, source);
  frontier_ = source < 0 ? 0 : 1;
  r.barrier();
}

template <class Id>
void published<Id>::send(rank& r, std::uint64_t level) {
  const trace_span span(r, "exchange", trace_class::exchange);
  const double begin = r.clock();
  if (gpu_) before_.record(r.stream());
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + step) % ranks_;
    const auto there = static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    const std::span<const std::int32_t> data = windows_.outgoing.subspan(
        static_cast<std::size_t>(first_[static_cast<std::size_t>(peer)]), there);
    r.put_signal(windows_.inbox, peer, static_cast<std::size_t>(rank_) * there, data,
                 windows_.arrived[rank_], level);
    ++sent_.out.messages;
    sent_.out.bytes += static_cast<std::int64_t>(data.size_bytes());
  }
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + ranks_ - step) % ranks_;
    r.wait_signal(windows_.arrived[static_cast<std::size_t>(peer)], level, peer);
  }
  ++sent_.out.rounds;
  if (gpu_)
    after_.record(r.stream());
  else
    sent_.out.seconds += r.clock() - begin;
}

template <class Id>
typename published<Id>::level_found published<Id>::level(rank& r, std::int32_t number) {
  const std::int64_t expanded = frontier_;
  const std::int32_t depth = number + 1;
  steps_->expand(r, windows_, depth);
  if (ranks_ > 1) send(r, static_cast<std::uint64_t>(depth));
  const step_result next = steps_->merge(r, windows_, depth);
  if (gpu_ && ranks_ > 1) sent_.out.seconds += after_.milliseconds_since(before_) * 1e-3;
  r.quiet();  // what was sent is cleared
  steps_->clear(r, windows_);
  frontier_ = next.vertices;
  return {expanded, next.arcs};
}

template <class Id>
bool published<Id>::anybody(rank& r) {
  const trace_span span(r, "agree", trace_class::exchange);
  const double begin = r.clock();
  std::int32_t found = frontier_ > 0 ? 1 : 0;
  r.charge_copy(&found, windows_.inbox.local().data(), sizeof found);  // the kernels' answer
  const bool more = flag_->allreduce(found, reduction::max) != 0;
  ++sent_.flag.rounds;
  sent_.flag.seconds += r.clock() - begin;
  return more;
}

template <class Id>
void published<Id>::send_tree(rank& r) {
  const trace_span span(r, "tree", trace_class::exchange);
  const double begin = r.clock();
  if (rank_ == 0) {
    steps_->tree(r, windows_.tree.local().data());
  } else {
    std::size_t at = 0;
    for (int peer = 0; peer < rank_; ++peer)
      at += static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    steps_->tree(r, windows_.own_tree.data());
    r.put(windows_.tree, 0, at, windows_.own_tree);
    sent_.tree.messages = 1;
    sent_.tree.bytes = static_cast<std::int64_t>(windows_.own_tree.size_bytes());
  }
  r.barrier();
  sent_.tree.seconds = r.clock() - begin;
}

template <class Id>
void published<Id>::traverse(rank& r, traversal& out) {
  std::vector<level_found> mine;
  std::vector<double> times;
  const double begin = r.clock();
  bool more = true;
  while (more) {
    const double from = r.clock();
    const auto number = static_cast<std::int32_t>(mine.size());
    const trace_level traced(r, "top-down", number, frontier_);
    mine.push_back(level(r, number));
    more = anybody(r);
    times.push_back(r.clock() - from);
  }
  if (ranks_ > 1) send_tree(r);
  out.began = begin;
  out.seconds = r.clock() - begin;
  sent_.flag.messages = flag_->messages();
  sent_.flag.bytes = flag_->bytes();
  sent_.tree.rounds = 1;

  // For the report alone, and outside of the search's messages and time.
  std::vector<level_found> all(mine.size() * static_cast<std::size_t>(ranks_));
  r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  for (std::size_t l = 0; l < mine.size(); ++l) {
    level_found sum{0, 0};
    for (std::size_t i = l; i < all.size(); i += mine.size()) {
      sum.vertices += all[i].vertices;
      sum.arcs += all[i].arcs;
    }
    out.reached += sum.vertices;
    out.arcs += sum.arcs;
    out.levels.push_back({sum.vertices, false, times[l] * 1e3});
  }
  windows_ = {};
  flag_.reset();
}

template class published<vertex32>;
template class published<vertex64>;

namespace {

void check(const placed_graph& g, const bfs_options& options) {
  for (int r = 0; r < g.on().size(); ++r) {
    const std::int64_t rows = g.owners().local_size(r);
    if (rows > std::numeric_limits<std::int32_t>::max())
      throw capacity_error("bfs: a rank of engine 'published' can hold 2^31 - 1 vertices, rank " +
                           std::to_string(r) + " would have " + std::to_string(rows));
  }
  require(!options.deterministic, "bfs: engine 'published' keeps the parents that come first");
  require(options.direction != bfs_direction::bottom_up,
          "bfs: engine 'published' goes top-down only");
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p, const bfs_options&) {
  std::vector<std::int64_t> rows_of;
  for (int r = 0; r < p.ranks(); ++r) rows_of.push_back(p.owners.local_size(r));
  algorithm_detail::array_list windows;
  published_windows().list(windows, rows_of, p.self);
  windows.count_agreement(p.ranks());
  auto takes = windows.bytes();
  takes.own = (p.on_gpu() ? cuda_published_bytes(p) : cpu_published_bytes(p)).own;
  declare_search(l, p, takes, p.agreement());
}

}  // namespace

const engine_functions published_engine = {check, declare, make_search_of<published, vertex32>,
                                           make_search_of<published, vertex64>};

}  // namespace gossamer::bfs_detail
