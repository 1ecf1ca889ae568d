#include "algorithm/bfs/published/cpu/steps.hpp"

#include <algorithm>

#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

template <class Id>
cpu_published<Id>::cpu_published(const placed_graph& g, int rank)
    : owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      slice_(g.slice<Id>(rank)),
      first_(outgoing_parts(g.owners(), rank)),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, slice_.rows);
}

template <class Id>
void cpu_published<Id>::begin(rank&, const published_windows& w, std::int64_t source) {
  std::fill(w.outgoing.begin(), w.outgoing.end(), -1);
  result_ = pool_.take();
  begin_result(result_, slice_.rows, source,
               source < 0 ? Id{-1} : static_cast<Id>(owners_.global(rank_, source)));
  head_ = tail_ = 0;
  if (source >= 0) arrays_.queue[tail_++] = static_cast<Id>(source);
}

template <class Id>
void cpu_published<Id>::expand(rank& r, const published_windows& w, std::int32_t depth) {
  const trace_span span(r, "expand");
  const std::int64_t end = tail_;
  expanded_ = 0;
  for (; head_ < end; ++head_) {
    const Id u = arrays_.queue[head_];
    const std::int64_t parent = owners_.global(rank_, u);
    expanded_ += slice_.offsets[u + 1] - slice_.offsets[u];
    for (edge_offset e = slice_.offsets[u]; e < slice_.offsets[u + 1]; ++e) {
      const Id v = slice_.columns[e];
      const int owner = owners_.owner(v);
      const std::int64_t local = owners_.local(v);
      if (owner != rank_) {
        const std::int64_t at = first_[static_cast<std::size_t>(owner)] + local;
        w.outgoing[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(u);
      } else if (result_.parents[local] < 0) {
        enter(local, parent, depth);
      }
    }
  }
  r.charge(static_cast<double>(expanded_) * (sizeof(Id) + sector), 0);
}

template <class Id>
step_result cpu_published<Id>::merge(rank& r, const published_windows& w, std::int32_t depth) {
  const trace_span span(r, "merge");
  for (int peer = 0; peer < ranks_; ++peer) {
    if (peer == rank_) continue;
    const std::int32_t* parents = w.inbox.local().data() + peer * slice_.rows;
    for (std::int64_t v = 0; v < slice_.rows; ++v)
      if (parents[v] >= 0 && result_.parents[v] < 0)
        enter(v, owners_.global(peer, parents[v]), depth);
  }
  // What was received, and the own parents.
  r.charge(static_cast<double>(slice_.rows) * 4 * ranks_, 0);
  return {tail_ - head_, expanded_};
}

template <class Id>
void cpu_published<Id>::clear(rank& r, const published_windows& w) {
  const trace_span span(r, "clear");
  std::fill(w.outgoing.begin(), w.outgoing.end(), -1);
  r.charge(static_cast<double>(w.outgoing.size_bytes()), 0);
}

// A modelled GPU has them as 8 bytes already: nothing is charged.
template <class Id>
void cpu_published<Id>::tree(rank&, std::int64_t* into) {
  std::copy_n(result_.parents.data(), slice_.rows, into);
}

template <class Id>
std::unique_ptr<published_steps<Id>> make_cpu_published(const placed_graph& g, int rank) {
  return std::make_unique<cpu_published<Id>>(g, rank);
}
GOSSAMER_PUBLISHED_STEPS(make_cpu_published)

algorithm_detail::listed_bytes cpu_published_bytes(const planned_rank& p) {
  return p.count<published_arrays>(p.rows());
}

}  // namespace gossamer::bfs_detail
