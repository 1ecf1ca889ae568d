// Engine async of PageRank on a CPU rank: the operator of async.hpp, and a distributed worklist.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/pagerank/async/push.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::pagerank_detail {

struct rank_and_residual {
  double rank = 0, residual = 0;
  double least = 0;  ///< residual that is worth work
};

/// The operator.
template <class Id>
struct push_residuals {
  using value = rank_and_residual;
  const double* share = nullptr;  ///< [n] damping over the sum of out-weights

  GOSSAMER_HD bool update(value& at, const value& incoming) const {
    at.residual += incoming.residual;
    return at.residual >= at.least;
  }
  GOSSAMER_HD value take(value& at) const {
    const double taken = at.residual;
    at.rank += taken;
    at.residual = 0;
    return {0, taken, 0};
  }
  template <class Arc>
  GOSSAMER_HD value propagate(const value& from, const Arc& along) const {
    const double offered = from.residual * share[along.from];
    if constexpr (requires { along.weight + 0.0; })
      return {0, offered * static_cast<double>(along.weight), 0};
    else
      return {0, offered, 0};
  }
  /// Less is sooner: one for each halving. What is not negative has no sign bit.
  GOSSAMER_HD static double priority(const value& at) {
    return -static_cast<double>(std::bit_cast<std::uint64_t>(at.residual / at.least) >> 52);
  }
};

template <class Id, class Weight>
using residual_worklist = vertex_worklist<push_residuals<Id>, Id, Weight, ownership_view>;

/// On a CPU rank.
template <class Id, class Weight>
class cpu_push final : public residual_push {
 public:
  /// `weights`: of the slice's columns.
  cpu_push(const placed_graph& g, int self, const Weight* weights, const push_problem& p,
           const worklist_options& options)
      : problem_(p),
        least_(p.least()),
        ids_(g.bounds().back()),
        begin_(g.bounds()[static_cast<std::size_t>(self)]),
        end_(g.bounds()[static_cast<std::size_t>(self) + 1]),
        list_({p.shares},
              weighted_rows<Id, Weight>{end_ - begin_, g.slice<Id>(self).offsets,
                                        g.slice<Id>(self).columns, weights},
              g.owners().view(), self, algorithm_detail::capacities(g.bounds()), ids_, options) {}

  algorithm_detail::worklist_outcome run(rank& r, std::span<const double> jumps,
                                         std::span<double> ranks) override {
    const double from = r.clock();
    list_.begin_each(r, [&](std::int64_t v) -> rank_and_residual { return {0, 0, least(v)}; });
    const double uniform = 1 / static_cast<double>(problem_.vertices);
    for (std::int64_t v = begin_; v < end_; ++v) {
      const double jump = jumps.empty() ? uniform : jumps[static_cast<std::size_t>(v)];
      list_.start(static_cast<Id>(v), {0, (1 - problem_.damping) * jump, 0});
    }
    {
      const trace_span span(r, "push");
      list_.run();
    }
    double sum = 0, left = 0;
    for (std::int64_t v = begin_; v < end_; ++v) {
      ranks[static_cast<std::size_t>(v)] = list_[v].rank;
      sum += list_[v].rank;
    }
    for (std::int64_t v = 0; v < ids_; ++v) left += list_[v].residual;
    r.charge(static_cast<double>(end_ - begin_) * (2 * sizeof(rank_and_residual) + 8), 0);
    const parcel_traffic& t = list_.traffic();
    return {list_.counters(), r.clock() - from, t.sending, t.waiting, sum, left};
  }

 private:
  /// Work costs a vertex's arcs: the more there are, the more has to have arrived. By Groute's rule
  /// it is the same for every vertex, and its owner decides: all that goes elsewhere is sent.
  [[nodiscard]] double least(std::int64_t v) const {
    if (problem_.by_residual())
      return v >= begin_ && v < end_ ? least_ : std::numeric_limits<double>::min();
    return least_ * static_cast<double>(problem_.degree(v) + 1);
  }

  push_problem problem_;
  double least_;  ///< of a share of the tolerance
  std::int64_t ids_, begin_, end_;
  residual_worklist<Id, Weight> list_;
};

}  // namespace gossamer::pagerank_detail
