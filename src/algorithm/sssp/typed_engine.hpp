// What engines of shortest paths share, by type of distance: parents where they are asked for,
// counts of what was reached, and the search of ranks that own rows.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/sssp/engine.hpp"
#include "algorithm/sssp/outcome.hpp"
#include "algorithm/sssp/parents/rank_parents.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/device_csr.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

/// Calls `make` for the type of placed ids, else of the graph's, and for that of distances.
template <class Make>
std::unique_ptr<engine> of_types(const preparation& from, const Make& make) {
  const int width = from.placed != nullptr ? from.placed->id_width() : from.of.id_width();
  const auto by_id = [&]<class Distance>(Distance) -> std::unique_ptr<engine> {
    if (width == 4) return make.template operator()<vertex32, Distance>();
    return make.template operator()<vertex64, Distance>();
  };
  if (std::holds_alternative<shared_array<std::int32_t>>(from.of.weights))
    return by_id(std::uint32_t{});
  if (std::holds_alternative<shared_array<float>>(from.of.weights)) return by_id(float{});
  return by_id(double{});
}

template <class Distance>
class typed_engine : public engine {
 protected:
  /// `parents_later`: an engine asks for them itself.
  explicit typed_engine(const preparation& from, bool parents_later = false)
      : machine_(from.on), graph_(from.of), options_(from.options), facts_(from.facts) {
    if (options_.parents && !parents_later)
      parents_ = std::make_unique<rank_parents<Distance>>(machine_, graph_, options_.run.cancel);
  }

  void make_parents(sssp_result& result) const {
    if (options_.parents)
      result.parents = make_array<std::int64_t>(static_cast<std::size_t>(graph_.vertices()));
  }

  /// Where they are asked for.
  void add_parents(rank& r, std::int64_t source, const shared_array<Distance>& distances,
                   const window<std::int64_t>& all, const shared_array<std::int64_t>& parents,
                   outcome& out) {
    if (parents_ == nullptr) return;
    out.parents = parents_->find(r, source, distances, all, parents);
    out.seconds += out.parents;
  }

  /// Counts what was reached; refuses what did not fit the type.
  void finish(std::int64_t source, const shared_array<Distance>& distances, sssp_result& result) {
    struct seen {
      std::int64_t reached = 0;
      Distance farthest = 0;
      void operator+=(const seen& more) {
        reached += more.reached;
        farthest = std::max(farthest, more.farthest);
      }
    };
    constexpr std::int64_t piece = 4096;
    const auto n = static_cast<std::int64_t>(distances.size());
    const auto look = [&](std::int64_t first, std::int64_t last, seen& own) {
      for (std::int64_t v = first; v < last; ++v) {
        const Distance d = distances[v];
        if (d == unreached<Distance>) continue;
        ++own.reached;
        own.farthest = std::max(own.farthest, d);
      }
    };
    const seen all =
        sum_pieces<seen>({algorithm_detail::threads_beside_runs(machine_, n)}, n, piece, look);
    result.reached += all.reached;
    if (may_have_missed(all.farthest)) check_missed(source, distances);
  }

  /// Whether a sum may have left the type.
  [[nodiscard]] bool may_have_missed(Distance farthest) const {
    return static_cast<double>(farthest) + facts_.largest >=
           static_cast<double>(std::numeric_limits<Distance>::max());
  }

  void check_missed(std::int64_t source, const shared_array<Distance>& distances) const {
    on_host(graph_).visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < rows.vertices(); ++u) {
        if (distances[static_cast<std::size_t>(u)] == unreached<Distance>) continue;
        for (const std::int64_t v : rows.row(u)) {
          if (distances[static_cast<std::size_t>(v)] != unreached<Distance>) continue;
          throw usage_error("sssp: the distance from " + name(source) + " to " + name(v) + " of " +
                            graph_.name + " does not fit " + type_name() +
                            "; give the weights as double");
        }
      }
    });
  }
  [[nodiscard]] std::string name(std::int64_t v) const {
    return std::to_string(graph_.names.name(v));
  }
  static const char* type_name() {
    if (std::is_same_v<Distance, std::uint32_t>) return "32 bits without a sign";
    return std::is_same_v<Distance, float> ? "a float" : "a double";
  }

  machine& machine_;
  graph graph_;
  sssp_options options_;
  weight_facts facts_;
  std::unique_ptr<rank_parents<Distance>> parents_;  ///< where they are asked for
};

/// Whose distances come to the host.
template <class Distance>
class host_engine : public typed_engine<Distance> {
 public:
  void run(std::int64_t source, const run_options& how, sssp_result& result) override {
    this->make_parents(result);
    std::vector<outcome> outcomes(static_cast<std::size_t>(this->machine_.size()));
    const auto distances = search(source, how, outcomes, result.parents);
    describe(outcomes, this->options_.parents, !algorithm_detail::has_gpus(this->machine_), result);
    this->finish(source, distances, result);
    result.distances = distances;
  }

 protected:
  using typed_engine<Distance>::typed_engine;

  /// One search: the distances by vertex.
  virtual shared_array<Distance> search(std::int64_t source, const run_options& how,
                                        std::vector<outcome>& outcomes,
                                        const shared_array<std::int64_t>& parents) = 0;
};

/// Several ranks, each with its rows, each by a search of its own.
template <class Distance>
class placed_engine final : public host_engine<Distance> {
 public:
  /// `make(r, weights)`: of a rank of this process; `weights` is kept for its rows.
  template <class Make>
  placed_engine(const preparation& from, const Make& make)
      : host_engine<Distance>(from), placed_(from.placed) {
    for (int r = 0; r < from.on.size(); ++r) {
      auto& weights = weights_.emplace_back();
      searches_.push_back(from.on.here(r) ? make(r, weights) : nullptr);
    }
  }

 private:
  using host_engine<Distance>::machine_;

  shared_array<Distance> search(std::int64_t source, const run_options& how,
                                std::vector<outcome>& outcomes,
                                const shared_array<std::int64_t>& parents) override {
    const vertex_values<Distance> distances(*placed_);
    const std::int64_t start = placed_->placed_id(source);
    machine_.run([&](rank& r) { work(r, source, start, distances, parents, outcomes); }, how);
    return distances.by_vertex();
  }

  /// `start`: the placed id of `source`.
  void work(rank& r, std::int64_t source, std::int64_t start,
            const vertex_values<Distance>& distances, const shared_array<std::int64_t>& parents,
            std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    outcome& out = outcomes[me];
    const bool whole = machine_.all_here(), with_parents = this->options_.parents;
    const auto all_distances = distances.open(r);
    window<std::int64_t> all_parents;
    if (!whole && with_parents)
      all_parents = r.make_window<std::int64_t>(parents.size(), home::host);
    const double begin = r.clock();
    searches_[me]->run(r, start, distances.by_id().data(), out);
    if (!r.dev().is_cuda()) out.seconds = r.clock() - begin;
    distances.close(r, all_distances);
    if (with_parents) r.barrier();  // the distances of all ranks are there
    this->add_parents(r, source, distances.by_vertex(), all_parents, parents, out);
    trace_run(r, "sssp", begin, out.seconds);
    if (!whole) algorithm_detail::gather_outcomes(r, outcomes);
  }

  std::shared_ptr<const placed_graph> placed_;
  std::vector<shared_array<weight_of<Distance>>> weights_;        ///< of slices of CPU ranks
  std::vector<std::unique_ptr<rank_search<Distance>>> searches_;  ///< of this process's ranks
};

/// The rows of one CPU rank; `weights` gets theirs, and keeps them.
template <class Id, class Distance>
weighted_rows<Id, Distance> rows_of_rank(const preparation& from, int r,
                                         shared_array<weight_of<Distance>>& weights) {
  const placed_graph& g = *from.placed;
  weights = slice_weights<Id>(g, r, std::get<shared_array<weight_of<Distance>>>(from.of.weights));
  const graph_slice<Id>& slice = g.slice<Id>(r);
  return {slice.offsets, slice.columns, weights.data(), g.bounds().back(),
          g.bounds()[static_cast<std::size_t>(r)]};
}

}  // namespace gossamer::sssp_detail
