// The parents of a whole search (parents.hpp), each rank those of its own vertices; arcs of zero
// are left to one rank of a process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "algorithm/gather_rows.hpp"
#include "algorithm/sssp/parents.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
class rank_parents {
 public:
  /// `g`, whose arcs are turned round, and `vertices`, [ranks + 1] of which each rank finds the
  /// parents, must outlive it.
  rank_parents(const machine& m, const graph& g, const std::vector<std::int64_t>& vertices,
               const std::stop_token& cancel)
      : machine_(m),
        reversed_(g.transposed(cancel)),
        in_rows_(rows_of<Id, Distance>(reversed_)),
        out_rows_(rows_of<Id, Distance>(g)),
        vertices_(vertices),
        pending_(static_cast<std::size_t>(m.size()), 0) {}

  /// Collective, when the distances of all ranks are there; returns its seconds. `whole`: a host
  /// window of all parents where ranks are processes.
  double find(rank& r, std::int64_t source, const shared_array<Distance>& distances,
              const window<std::int64_t>& whole, const shared_array<std::int64_t>& parents) {
    const auto me = static_cast<std::size_t>(r.id());
    const trace_span span(r, "parents");
    const double from = r.clock();
    find_own(r, source, distances, parents);
    if (!machine_.all_here())
      algorithm_detail::gather_rows(r, whole, vertices_[me], vertices_[me + 1] - vertices_[me],
                                    parents.span());
    settle(r, distances, parents);
    return r.clock() - from;
  }

  /// Those of all vertices, by one rank with the host's threads.
  double find_alone(rank& r, std::int64_t source, const shared_array<Distance>& distances,
                    const shared_array<std::int64_t>& parents) const {
    const trace_span span(r, "parents");
    const double from = r.clock();
    if (find_parents(in_rows_, reversed_.sorted, distances.data(), source, 0, in_rows_.vertices,
                     host().cores, parents.data()) > 0)
      settle_pending(out_rows_, distances.data(), parents.data());
    return r.clock() - from;
  }

 private:
  void find_own(rank& r, std::int64_t source, const shared_array<Distance>& distances,
                const shared_array<std::int64_t>& parents) {
    const auto me = static_cast<std::size_t>(r.id());
    const std::int64_t first = vertices_[me], last = vertices_[me + 1];
    pending_[me] = find_parents(in_rows_, reversed_.sorted, distances.data(), source, first, last,
                                threads_of(r), parents.data());
    r.charge(static_cast<double>(out_rows_.offsets[last] - out_rows_.offsets[first]) *
                 (sizeof(Id) + 2 * sizeof(Distance)),
             0);
  }

  /// GPU ranks share those of the host.
  [[nodiscard]] static int threads_of(const rank& r) {
    return r.dev().is_cuda() ? std::max(1, host().cores / r.size()) : r.dev().threads;
  }

  /// The parents along arcs of zero: in each process one rank finds those of all.
  void settle(rank& r, const shared_array<Distance>& distances,
              const shared_array<std::int64_t>& parents) {
    const bool whole = machine_.all_here();
    r.barrier();
    if (whole && r.id() != 0) return;
    const bool left =
        whole ? std::any_of(pending_.begin(), pending_.end(), [](auto k) { return k > 0; })
              : std::find(parents.begin(), parents.end(), pending) != parents.end();
    if (left) settle_pending(out_rows_, distances.data(), parents.data());
  }

  const machine& machine_;
  graph reversed_;
  weighted_rows<Id, Distance> in_rows_, out_rows_;
  const std::vector<std::int64_t>& vertices_;
  std::vector<std::int64_t> pending_;  ///< by rank of this process: left to settle
};

}  // namespace gossamer::sssp_detail
