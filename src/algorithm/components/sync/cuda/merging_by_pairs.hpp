// Labels of the whole graph on each rank, merged by pairs of ranks until rank 0 has all that is
// known.
//
// What both ranks of a pair know is joined, what the other one knows alone is copied.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/sync/cuda/passes.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::components_detail::cuda {

template <class Id>
class merging_by_pairs {
 public:
  /// `spans`: what each rank may have touched. `piece`: room for labels of others, where ranks
  /// cannot address each other's memory.
  merging_by_pairs(rank& r, const launch_site& on, const std::vector<vertex_span>& spans,
                   const window<Id>& all, std::span<Id> piece)
      : r_(r), on_(on), spans_(spans), all_(all), piece_(piece) {}

  /// Afterwards rank 0's labels are those of the whole graph, uncompressed (sync.hpp's pairs).
  /// `ready`: a signal for each rank.
  void join(const signal_set& ready) {
    for (int s = 1; s < r_.size(); s *= 2) {
      const int peer = r_.id() + s;
      if (r_.id() % (2 * s) != 0)
        return r_.raise(ready[static_cast<std::size_t>(r_.id())], r_.id() - s, 1);
      if (peer >= r_.size()) continue;
      const trace_span traced(r_, "merge", trace_class::exchange);
      r_.wait_signal(ready[static_cast<std::size_t>(peer)], 1, peer);
      take_labels(peer, known_by(r_.id(), s), known_by(peer, s));
    }
  }

 private:
  /// What ranks from..from+count-1 have touched, as far as there are so many. Ranges of rows are
  /// adjacent, so that spans leave no gap.
  [[nodiscard]] vertex_span known_by(int from, int count) const {
    const int end = std::min(from + count, static_cast<int>(spans_.size()));
    vertex_span all = spans_[static_cast<std::size_t>(from)];
    for (int r = from + 1; r < end; ++r) {
      const vertex_span s = spans_[static_cast<std::size_t>(r)];
      all = {std::min(all.from, s.from), std::max(all.to, s.to)};
    }
    return all;
  }

  void take_labels(int peer, vertex_span known, vertex_span theirs) {
    const std::int64_t lowest = std::min(known.from, theirs.from);
    Id* labels = all_.local().data();
    const auto taken = [&](vertex_span of, const Id* found) {
      adopt(on_, of, lowest, found, labels);
    };
    const auto joined = [&](vertex_span of, const Id* found) {
      merge(on_, of, lowest, found, labels);
    };
    // First what is new here: joining follows labels to it.
    fetch(peer, {theirs.from, std::min(known.from, theirs.to)}, taken);
    fetch(peer, {std::max(known.to, theirs.from), theirs.to}, taken);
    fetch(peer, {std::max(known.from, theirs.from), std::min(known.to, theirs.to)}, joined);
  }

  /// use(part of `of`, the peer's labels of it), in stream order; an empty `of` ends where it
  /// begins or before.
  template <class Use>
  void fetch(int peer, vertex_span of, const Use& use) {
    if (of.size() <= 0) return;
    if (const auto there = all_.direct(peer); !there.empty())
      return use(of, there.data() + of.from);
    for (std::int64_t v = of.from; v < of.to; v += fetched_by_gpu) {
      const vertex_span part{v, std::min(v + fetched_by_gpu, of.to)};
      r_.get(all_, peer, static_cast<std::size_t>(v),
             piece_.first(static_cast<std::size_t>(part.size())));
      use(part, piece_.data());
    }
  }

  rank& r_;
  launch_site on_;
  const std::vector<vertex_span>& spans_;
  window<Id> all_;
  std::span<Id> piece_;
};

}  // namespace gossamer::components_detail::cuda
