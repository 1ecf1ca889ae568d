// The parents of a whole search (parents.hpp), each rank those of an equal share of the vertices;
// arcs of zero are left to one rank of a process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "algorithm/sssp/parents/parents.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

template <class Distance>
class rank_parents {
 public:
  /// `g`, whose arcs are turned round, must outlive it.
  rank_parents(const machine& m, const graph& g, const std::stop_token& cancel)
      : machine_(m),
        graph_(g),
        reversed_(g.transposed(cancel)),
        pending_(static_cast<std::size_t>(m.size()), 0) {}

  /// Collective, when the distances of all ranks are there; returns its seconds. `whole`: a host
  /// window of all parents where ranks are processes.
  double find(rank& r, std::int64_t source, const shared_array<Distance>& distances,
              const window<std::int64_t>& whole, const shared_array<std::int64_t>& parents) {
    const trace_span span(r, "parents");
    const double from = r.clock();
    const auto [first, last] = share_of(r.id());
    pending_[static_cast<std::size_t>(r.id())] =
        find_between(first, last, threads_of(r), source, distances, parents);
    r.charge(static_cast<double>(graph_.offsets[static_cast<std::size_t>(last)] -
                                 graph_.offsets[static_cast<std::size_t>(first)]) *
                 (static_cast<double>(graph_.id_width()) + 2 * sizeof(Distance)),
             0);
    if (!machine_.all_here())
      gather_ranges<std::int64_t>(r, whole, first,
                                  parents.span().subspan(static_cast<std::size_t>(first),
                                                         static_cast<std::size_t>(last - first)),
                                  parents.span());
    settle(r, distances, parents);
    return r.clock() - from;
  }

  /// Those of all vertices, by one rank with the host's threads.
  double find_alone(rank& r, std::int64_t source, const shared_array<Distance>& distances,
                    const shared_array<std::int64_t>& parents) const {
    const trace_span span(r, "parents");
    const double from = r.clock();
    if (find_between(0, graph_.vertices(), host().cores, source, distances, parents) > 0)
      settle_all(distances, parents);
    return r.clock() - from;
  }

 private:
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> share_of(int rank) const {
    const std::int64_t n = graph_.vertices(), p = machine_.size();
    return {n * rank / p, n * (rank + 1) / p};
  }

  std::int64_t find_between(std::int64_t first, std::int64_t last, int threads, std::int64_t source,
                            const shared_array<Distance>& distances,
                            const shared_array<std::int64_t>& parents) const {
    return reversed_.visit([&](const auto& view) {
      using id = std::remove_const_t<std::remove_reference_t<decltype(view.indices[0])>>;
      return find_parents(rows_of<id, Distance>(reversed_), reversed_.sorted, distances.data(),
                          source, first, last, threads, parents.data());
    });
  }
  void settle_all(const shared_array<Distance>& distances,
                  const shared_array<std::int64_t>& parents) const {
    graph_.visit([&](const auto& view) {
      using id = std::remove_const_t<std::remove_reference_t<decltype(view.indices[0])>>;
      settle_pending(rows_of<id, Distance>(graph_), distances.data(), parents.data());
    });
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
    if (left) settle_all(distances, parents);
  }

  const machine& machine_;
  const graph& graph_;
  graph reversed_;
  std::vector<std::int64_t> pending_;  ///< by rank of this process: left to settle
};

}  // namespace gossamer::sssp_detail
