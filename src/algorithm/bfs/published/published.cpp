// The levels on one CPU rank: expand the own queue, send every peer its array of parents, merge
// what arrived. At the end the whole tree goes to rank 0.
#include "algorithm/bfs/published/published.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

template <class Id>
cpu_published<Id>::cpu_published(const placed_graph& g, int rank, const bfs_options&)
    : owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      slice_(g.slice<Id>(rank)),
      placed_(g.owners().placed()),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  for (int r = 0; r < ranks_; ++r) rows_of_.push_back(g.owners().local_size(r));
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, slice_.rows);
}

template <class Id>
void cpu_published<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  algorithm_detail::array_list taken(r);
  windows_.list(taken, rows_of_, rank_);
  flag_.emplace(r);
  for (auto& to : windows_.outgoing) std::fill(to.begin(), to.end(), -1);
  result_ = pool_.take();
  begin_result(result_, slice_.rows, source,
               source < 0 ? Id{-1} : static_cast<Id>(owners_.global(rank_, source)));
  head_ = tail_ = 0;
  if (source >= 0) arrays_.queue[tail_++] = static_cast<Id>(source);
  r.barrier();
}

template <class Id>
void cpu_published<Id>::expand(rank& r, std::int32_t depth) {
  const trace_span span(r, "expand");
  const std::int64_t end = tail_;
  expanded_ = 0;
  for (; head_ < end; ++head_) {
    const Id u = arrays_.queue[head_];
    const auto parent = static_cast<Id>(owners_.global(rank_, u));
    expanded_ += slice_.offsets[u + 1] - slice_.offsets[u];
    for (edge_offset e = slice_.offsets[u]; e < slice_.offsets[u + 1]; ++e) {
      const Id v = slice_.columns[e];
      const int owner = owners_.owner(v);
      const std::int64_t local = owners_.local(v);
      if (owner != rank_) {
        windows_.outgoing[static_cast<std::size_t>(owner)][static_cast<std::size_t>(local)] =
            static_cast<std::int32_t>(u);
      } else if (result_.parents[local] < 0) {
        result_.parents[local] = parent;
        result_.depths[local] = depth;
        arrays_.queue[tail_++] = static_cast<Id>(local);
      }
    }
  }
  r.charge(static_cast<double>(expanded_) * (sizeof(Id) + sector), 0);
}

template <class Id>
void cpu_published<Id>::send(rank& r, std::uint64_t level) {
  const trace_span span(r, "exchange", trace_class::exchange);
  const double begin = r.clock();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + step) % ranks_;
    const auto there = static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    const std::span<const std::int32_t> data = windows_.outgoing[static_cast<std::size_t>(peer)];
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
  sent_.out.seconds += r.clock() - begin;
}

template <class Id>
void cpu_published<Id>::merge(rank& r, std::int32_t depth) {
  const trace_span span(r, "merge");
  const auto inbox = windows_.inbox.local();
  for (int peer = 0; peer < ranks_; ++peer) {
    if (peer == rank_) continue;
    const std::int32_t* parents = inbox.data() + peer * slice_.rows;
    for (std::int64_t v = 0; v < slice_.rows; ++v) {
      if (parents[v] < 0 || result_.parents[v] >= 0) continue;
      result_.parents[v] = static_cast<Id>(owners_.global(peer, parents[v]));
      result_.depths[v] = depth;
      arrays_.queue[tail_++] = static_cast<Id>(v);
    }
  }
  // What was received and the own parents, read; then what is sent next, cleared.
  r.charge(static_cast<double>(slice_.rows) * 4 * ranks_, 0);
  r.quiet();
  for (auto& out : windows_.outgoing) std::fill(out.begin(), out.end(), -1);
  r.charge(static_cast<double>(placed_ - slice_.rows) * 4, 0);
}

template <class Id>
bool cpu_published<Id>::anybody(rank& r) {
  const trace_span span(r, "agree", trace_class::exchange);
  const double begin = r.clock();
  std::int32_t found = tail_ > head_ ? 1 : 0;
  r.charge_copy(&found, windows_.inbox.local().data(), sizeof found);  // the kernels' answer
  const bool more = flag_->allreduce(found, reduction::max) != 0;
  ++sent_.flag.rounds;
  sent_.flag.seconds += r.clock() - begin;
  return more;
}

template <class Id>
void cpu_published<Id>::send_tree(rank& r) {
  const trace_span span(r, "tree", trace_class::exchange);
  const double begin = r.clock();
  if (ranks_ > 1) {
    std::size_t at = 0;
    for (int peer = 0; peer < rank_; ++peer)
      at += static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    const auto mine = windows_.own_tree;
    std::copy_n(result_.parents.data(), slice_.rows, mine.begin());
    if (rank_ == 0) {
      std::copy(mine.begin(), mine.end(), windows_.tree.local().begin());
    } else {
      r.put(windows_.tree, 0, at, mine);
      sent_.tree.messages = 1;
      sent_.tree.bytes = static_cast<std::int64_t>(mine.size_bytes());
    }
    r.barrier();
  }
  sent_.tree.rounds = 1;
  sent_.tree.seconds = r.clock() - begin;
}

template <class Id>
void cpu_published<Id>::traverse(rank& r, traversal& out) {
  struct level_found {
    std::int64_t vertices, arcs;
  };
  std::vector<level_found> mine;
  std::vector<double> times;
  bool more = true;
  for (std::int32_t level = 0; more; ++level) {
    const double from = r.clock();
    const std::int64_t frontier = tail_ - head_;
    const trace_level traced(r, "top-down", level, frontier);
    expand(r, level + 1);
    mine.push_back({frontier, expanded_});
    if (ranks_ > 1) send(r, static_cast<std::uint64_t>(level) + 1);
    merge(r, level + 1);
    more = anybody(r);
    times.push_back(r.clock() - from);
  }
  sent_.flag.messages = flag_->messages();
  sent_.flag.bytes = flag_->bytes();
  send_tree(r);

  // Sizes of frontiers are for the report alone, and are summed outside of the search's messages.
  std::vector<level_found> all(mine.size() * static_cast<std::size_t>(ranks_));
  r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  for (std::size_t l = 0; l < mine.size(); ++l) {
    level_found sum{0, 0};
    for (int k = 0; k < ranks_; ++k) {
      const auto& of = all[static_cast<std::size_t>(k) * mine.size() + l];
      sum.vertices += of.vertices;
      sum.arcs += of.arcs;
    }
    out.reached += sum.vertices;
    out.arcs += sum.arcs;
    out.levels.push_back({sum.vertices, false, times[l] * 1e3});
  }
  windows_ = {};
  flag_.reset();
}

template class cpu_published<vertex32>;
template class cpu_published<vertex64>;

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
  takes.own = p.count<published_arrays>(p.rows()).own;
  declare_search(l, p, takes, p.agreement());
}

}  // namespace

const engine_functions published_engine = {check, declare, make_search_of<cpu_published, vertex32>,
                                           make_search_of<cpu_published, vertex64>};

}  // namespace gossamer::bfs_detail
