// The levels on one CPU rank: expand the own queue, send every peer its array of parents, merge
// what arrived. At the end the whole tree goes to rank 0.
#include "algorithm/bfs/published/published.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace {
std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}
}  // namespace

/// Made at the start of a traversal. Parents travel as 4 bytes: the width is the paper's, and what
/// an engine of 32-bit ids holds.
template <class Id>
struct cpu_published<Id>::windows {
  window<std::int32_t> inbox;  ///< [ranks][own rows]
  signal_set arrived;          ///< [ranks]
  window<std::int64_t> tree;   ///< rank 0: parents of all placed ids, in order of rank
  std::vector<std::span<std::int32_t>> outgoing;  ///< [ranks] one entry a row of the peer
  scalar_plan<std::int32_t> flag;

  windows(rank& r, std::int64_t placed, const std::vector<std::int64_t>& rows_of)
      : inbox(r.make_window<std::int32_t>(static_cast<std::size_t>(r.size()) *
                                          static_cast<std::size_t>(rows_of[r.id()]))),
        arrived(r.make_signals(static_cast<std::size_t>(r.size()))),
        tree(r.make_window<std::int64_t>(r.id() == 0 ? static_cast<std::size_t>(placed) : 0)),
        flag(r) {
    for (int peer = 0; peer < r.size(); ++peer)
      outgoing.push_back(r.scratch<std::int32_t>(
          peer == r.id() ? 0 : static_cast<std::size_t>(rows_of[static_cast<std::size_t>(peer)])));
  }
};

template <class Id>
cpu_published<Id>::cpu_published(const placed_graph& g, int rank, const bfs_options&)
    : owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      slice_(g.slice<Id>(rank)),
      placed_(g.owners().placed()),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  if (sizeof(Id) != 4)
    throw not_compiled("engine 'published' of bfs with 64-bit ids",
                       "its messages hold 32-bit vertices");
  for (int r = 0; r < ranks_; ++r) rows_of_.push_back(g.owners().local_size(r));
  queue_ = make_array<Id>(slice_.rows + 1);
}

template <class Id>
cpu_published<Id>::~cpu_published() = default;

template <class Id>
void cpu_published<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  windows_ = std::make_unique<windows>(r, placed_, rows_of_);
  for (auto& to : windows_->outgoing) std::fill(to.begin(), to.end(), -1);
  result_ = pool_.take();
  begin_result(result_, slice_.rows, source,
               source < 0 ? Id{-1} : static_cast<Id>(owners_.global(rank_, source)));
  head_ = tail_ = 0;
  if (source >= 0) queue_[tail_++] = static_cast<Id>(source);
  r.barrier();
}

template <class Id>
void cpu_published<Id>::expand(rank& r, windows& w, std::int32_t depth) {
  const trace_span span(r, "expand");
  const std::int64_t end = tail_;
  expanded_ = 0;
  for (; head_ < end; ++head_) {
    const Id u = queue_[head_];
    const auto parent = static_cast<Id>(owners_.global(rank_, u));
    expanded_ += slice_.offsets[u + 1] - slice_.offsets[u];
    for (edge_offset e = slice_.offsets[u]; e < slice_.offsets[u + 1]; ++e) {
      const Id v = slice_.columns[e];
      const int owner = owners_.owner(v);
      const std::int64_t local = owners_.local(v);
      if (owner != rank_) {
        w.outgoing[static_cast<std::size_t>(owner)][static_cast<std::size_t>(local)] =
            static_cast<std::int32_t>(parent);
      } else if (result_.parents[local] < 0) {
        result_.parents[local] = parent;
        result_.depths[local] = depth;
        queue_[tail_++] = static_cast<Id>(local);
      }
    }
  }
  r.charge(static_cast<double>(expanded_) * (sizeof(Id) + sector), 0);
}

template <class Id>
void cpu_published<Id>::send(rank& r, windows& w, std::uint64_t level) {
  const trace_span span(r, "exchange", trace_class::exchange);
  const double begin = r.clock();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + step) % ranks_;
    const auto there = static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    const std::span<const std::int32_t> data = w.outgoing[static_cast<std::size_t>(peer)];
    r.put_signal(w.inbox, peer, static_cast<std::size_t>(rank_) * there, data, w.arrived[rank_],
                 level);
    ++sent_.out.messages;
    sent_.out.bytes += static_cast<std::int64_t>(data.size_bytes());
  }
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + ranks_ - step) % ranks_;
    r.wait_signal(w.arrived[static_cast<std::size_t>(peer)], level, peer);
  }
  ++sent_.out.rounds;
  sent_.out.seconds += r.clock() - begin;
}

template <class Id>
void cpu_published<Id>::merge(rank& r, windows& w, std::int32_t depth) {
  const trace_span span(r, "merge");
  const auto inbox = w.inbox.local();
  for (int peer = 0; peer < ranks_; ++peer) {
    if (peer == rank_) continue;
    const std::int32_t* parents = inbox.data() + peer * slice_.rows;
    for (std::int64_t v = 0; v < slice_.rows; ++v) {
      if (parents[v] < 0 || result_.parents[v] >= 0) continue;
      result_.parents[v] = static_cast<Id>(parents[v]);
      result_.depths[v] = depth;
      queue_[tail_++] = static_cast<Id>(v);
    }
  }
  // What was received and the own parents, read; then what is sent next, cleared.
  r.charge(static_cast<double>(slice_.rows) * 4 * ranks_, 0);
  r.quiet();
  for (auto& out : w.outgoing) std::fill(out.begin(), out.end(), -1);
  r.charge(static_cast<double>(placed_ - slice_.rows) * 4, 0);
}

template <class Id>
bool cpu_published<Id>::anybody(rank& r, windows& w) {
  const trace_span span(r, "agree", trace_class::exchange);
  const double begin = r.clock();
  std::int32_t found = tail_ > head_ ? 1 : 0;
  r.charge_copy(&found, w.inbox.local().data(), sizeof found);  // the kernels' answer
  const bool more = w.flag.allreduce(found, reduction::max) != 0;
  ++sent_.flag.rounds;
  sent_.flag.seconds += r.clock() - begin;
  return more;
}

template <class Id>
void cpu_published<Id>::send_tree(rank& r, windows& w) {
  const trace_span span(r, "tree", trace_class::exchange);
  const double begin = r.clock();
  if (ranks_ > 1) {
    std::size_t at = 0;
    for (int peer = 0; peer < rank_; ++peer)
      at += static_cast<std::size_t>(rows_of_[static_cast<std::size_t>(peer)]);
    const auto mine = r.scratch<std::int64_t>(static_cast<std::size_t>(slice_.rows));
    std::copy_n(result_.parents.data(), slice_.rows, mine.begin());
    if (rank_ == 0) {
      std::copy(mine.begin(), mine.end(), w.tree.local().begin());
    } else {
      r.put(w.tree, 0, at, mine);
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
  windows& w = *windows_;
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
    expand(r, w, level + 1);
    mine.push_back({frontier, expanded_});
    if (ranks_ > 1) send(r, w, static_cast<std::uint64_t>(level) + 1);
    merge(r, w, level + 1);
    more = anybody(r, w);
    times.push_back(r.clock() - from);
  }
  sent_.flag.messages = w.flag.messages();
  sent_.flag.bytes = w.flag.bytes();
  send_tree(r, w);

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
  windows_.reset();
}

template class cpu_published<vertex32>;
template class cpu_published<vertex64>;

namespace {

void check(const placed_graph&, const bfs_options& options) {
  require(!options.deterministic, "bfs: engine 'published' keeps the parents that come first");
  require(options.direction != bfs_direction::bottom_up,
          "bfs: engine 'published' goes top-down only");
}

search_bytes bytes(const machine& m, const ownership_sizes& owners, const graph_size&, int rank,
                   int id_width, const bfs_options&) {
  const auto p = static_cast<std::size_t>(owners.ranks());
  const auto rows = static_cast<std::size_t>(owners.local_size(rank));
  const auto placed = static_cast<std::size_t>(owners.placed());
  // Where a modelled system has collectives of its own, the flag keeps a few lines in either
  // memory.
  const std::size_t flag = m[rank].model != nullptr ? 65536 : 0;
  std::size_t windows = aligned(p * rows * 4) + aligned(p * 8);
  if (rank == 0) windows += aligned(placed * 8);
  // Outgoing vectors and the own parents as 8 bytes, each with its alignment.
  windows += placed * 4 + rows * 8 + (p + 4) * 256 + flag;
  search_bytes all;
  all.own.work = static_cast<std::int64_t>(rows + 1) * id_width;  // the queue
  all.own.result = static_cast<std::int64_t>(rows) * (id_width + 4);
  all.windows = static_cast<std::int64_t>(windows);
  all.host_windows = static_cast<std::int64_t>(aligned(2 * p * 2 * 8) + flag);
  return all;
}

}  // namespace

const engine_functions published_engine = {check, bytes, make_search_of<cpu_published, vertex32>,
                                           make_search_of<cpu_published, vertex64>};

}  // namespace gossamer::bfs_detail
