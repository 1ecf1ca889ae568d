// A CPU rank among others: its arrays, the frontier's size, the end of a search. Steps are in
// peer_steps.cpp.
#include "algorithm/bfs/sync/cpu/peer.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/bfs/smallest_parents/smallest_parents.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

template <class Id>
cpu_peer<Id>::cpu_peer(const placed_graph& g, int rank, const bfs_options& options)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      threads_(std::max(1, g.on()[rank].threads)),
      slice_(g.slice<Id>(rank)),
      pool_(words_of(slice_.rows) * 64) {
  const std::int64_t block_words = std::int64_t{1} << (owners_.block_bits - 6);
  for (std::int64_t b = owners_.first[rank]; b < owners_.first[rank + 1]; ++b) {
    const std::int64_t at = owners_.block_at[b] * block_words;
    if (!runs_.empty() && runs_.back().placed + runs_.back().count == at) {
      runs_.back().count += block_words;
    } else {
      runs_.push_back({(b - owners_.first[rank]) * block_words, at, block_words});
    }
  }
  const bool goes_up = may_go_up(slice_, options);
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, slice_.rows, g.owners().placed(), goes_up);
  segment_.assign(ranks_ + 1, 0);
  for (int r = 0; r < ranks_; ++r) {
    segment_[r + 1] = segment_[r] + (r == rank ? 0 : g.owners().local_size(r));
  }
  waiting_.assign(ranks_ * line, 0);
  if (!goes_up) return;
  mark_hubs(g, arrays_.sent.data());
  prepare_bottom_up(slice_, arrays_.sent.data(), threads_, arrays_.tables);
}

template <class Id>
step_result cpu_peer<Id>::begin(rank& r, const exchange<Id>* ex, std::int64_t source) {
  const trace_span span(r, "clear");
  exchange_ = ex;
  sent_to_peers_ = {};
  result_ = pool_.take();
  begin_result(result_, slice_.rows, source,
               source < 0 ? Id{-1} : static_cast<Id>(owners_.global(rank_, source)));
  std::fill(arrays_.sent.begin(), arrays_.sent.end(), 0);
  head_ = tail_ = 0;
  bitmap_ = false;
  if (source >= 0) arrays_.queue[tail_++] = static_cast<Id>(source);
  return frontier();
}

template <class Id>
step_result cpu_peer<Id>::frontier() const {
  step_result sum;
  if (bitmap_) {
    for (std::int64_t w = 0; w < slice_.rows / 64; ++w) {
      sum.vertices += std::popcount(arrays_.found[w]);
      each_bit(arrays_.found[w], [&](int b) { sum.arcs += degree(w * 64 + b); });
    }
    return sum;
  }
  sum.vertices = tail_ - head_;
  for (std::int64_t i = head_; i < tail_; ++i) {
    if (i + 16 < tail_) __builtin_prefetch(&slice_.offsets[arrays_.queue[i + 16]]);
    sum.arcs += degree(arrays_.queue[i]);
  }
  return sum;
}

template <class Id>
void cpu_peer<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  smallest_parents_of(r, graph_, slice_, result_, threads_, all_depths);
}

template class cpu_peer<vertex32>;
template class cpu_peer<vertex64>;

}  // namespace gossamer::bfs_detail
