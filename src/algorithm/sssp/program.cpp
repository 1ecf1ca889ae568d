// Picks the form of search by engine and machine (one CPU rank, several, GPUs), keeps it prepared,
// runs it, and finds parents afterwards where they are wanted.
#include "algorithm/sssp/program.hpp"

#include <algorithm>

#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/async/async.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/outcome.hpp"
#include "algorithm/sssp/parents/rank_parents.hpp"
#include "algorithm/sssp/planning.hpp"
#include "algorithm/sssp/sync/peer.hpp"
#include "algorithm/sssp/sync/solo.hpp"
#include "algorithm/sssp/tasks/tasks.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/device_csr.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

namespace {

/// `Id`: of placed ids, else of the graph.
template <class Id, class Distance>
class typed_program final : public sssp_program {
 public:
  typed_program(machine& m, const graph& g, std::shared_ptr<const placed_graph> placed,
                const sssp_options& options, double delta, const weight_facts& facts)
      : machine_(m),
        graph_(g),
        placed_(std::move(placed)),
        how_(placement_of(options)),
        options_(options),
        facts_(facts) {
    // A GPU finds those of symmetric graphs, as a rule.
    if (options.parents && !(placed_ == nullptr && m[0].is_cuda() && g.symmetric))
      parents_ = std::make_unique<rank_parents<Distance>>(m, graph_, options.run.cancel);
    const bucket_width width(delta, facts.largest);
    if (placed_ == nullptr && m[0].is_cuda()) {
      gpu_ = make_gpu_search<Distance>(m, graph_, delta);
    } else if (placed_ == nullptr) {
      solo_ = std::make_unique<solo_search<Id, Distance>>(rows_of<Id, Distance>(graph_), width,
                                                          facts.largest, m[0].threads);
    } else if (m[0].is_cuda()) {
      make_worklists(delta);
    } else {
      make_searches(delta, width);
    }
  }

  void run(std::int64_t source, const run_options& how, sssp_result& result) override {
    if (options_.parents)
      result.parents = make_array<std::int64_t>(static_cast<std::size_t>(graph_.vertices()));
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    if (gpu_ != nullptr) return run_on_gpu(source, how, outcomes, result);
    const auto distances = solo_ != nullptr ? run_solo(source, how, outcomes, result)
                                            : run_placed(source, how, outcomes, result);
    describe(outcomes, options_, machine_[0], result);
    finish(source, distances, result);
    result.distances = distances;
  }

 private:
  template <class Search>
  using of_ranks = std::vector<std::unique_ptr<Search>>;

  /// One for each CPU rank of this process.
  void make_searches(double delta, bucket_width width) {
    const auto& weights = std::get<shared_array<weight_of<Distance>>>(graph_.weights);
    for (int r = 0; r < machine_.size(); ++r) {
      const bool here = machine_.here(r);
      const graph_slice<Id>& slice = placed_->template slice<Id>(r);
      weights_.push_back(here ? slice_weights<Id>(*placed_, r, weights)
                              : shared_array<weight_of<Distance>>());
      const weighted_rows<Id, Distance> rows{slice.offsets, slice.columns, weights_.back().data(),
                                             placed_->bounds().back(),
                                             placed_->bounds()[static_cast<std::size_t>(r)]};
      if (options_.engine == "async")
        asyncs_.push_back(
            here ? std::make_unique<async_search<Id, Distance>>(
                       rows, *placed_, r, algorithm_detail::worklist_of("sssp", delta, options_))
                 : nullptr);
      else if (options_.engine == "tasks")
        by_tasks_.push_back(
            here ? std::make_unique<task_search<Id, Distance>>(rows, *placed_, r, width) : nullptr);
      else
        peers_.push_back(here ? std::make_unique<peer_search<Id, Distance>>(
                                    rows, placed_->bounds(), r, width, facts_.largest)
                              : nullptr);
    }
  }

  /// One for each GPU rank of this process.
  void make_worklists(double delta) {
    const bool short_rows = dataflow::has_short_rows(graph_.vertices(), graph_.arcs(),
                                                     algorithm_detail::degrees_of(graph_).longest);
    const weighted_placement on{graph_, *placed_, how_};
    const auto how = algorithm_detail::drive_of("sssp", options_, options_.engine, delta);
    for (int r = 0; r < machine_.size(); ++r)
      asyncs_.push_back(machine_.here(r) ? make_gpu_worklist<Distance>(on, r, how, short_rows)
                                         : nullptr);
  }

  shared_array<Distance> run_solo(std::int64_t source, const run_options& how,
                                  std::vector<outcome>& outcomes, sssp_result& result) {
    const auto distances = make_array<Distance>(static_cast<std::size_t>(graph_.vertices()));
    machine_.run(
        [&](rank& r) {
          outcome& out = outcomes.front();
          const double begin = r.clock();
          {
            const trace_span span(r, "relax");
            out.counts = solo_->run(r, source, distances.data());
          }
          out.seconds = r.clock() - begin;
          add_parents(r, source, distances, {}, result.parents, out);
          trace_run(r, "sssp", begin, out.seconds);
        },
        how);
    return distances;
  }

  shared_array<Distance> run_placed(std::int64_t source, const run_options& how,
                                    std::vector<outcome>& outcomes, sssp_result& result) {
    const vertex_values<Distance> distances(*placed_);
    const std::int64_t start = placed_->placed_id(source);
    machine_.run([&](rank& r) { search(r, source, start, distances, result.parents, outcomes); },
                 how);
    return distances.by_vertex();
  }

  /// `start`: the placed id of `source`.
  void search(rank& r, std::int64_t source, std::int64_t start,
              const vertex_values<Distance>& distances, const shared_array<std::int64_t>& parents,
              std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    outcome& out = outcomes[me];
    const bool whole = machine_.all_here();
    const auto all_distances = distances.open(r);
    window<std::int64_t> all_parents;
    if (!whole && options_.parents)
      all_parents = r.make_window<std::int64_t>(parents.size(), home::host);
    Distance* const found = distances.by_id().data();
    const double begin = r.clock();
    if (!peers_.empty()) {
      out.counts = peers_[me]->run(r, start, found, out.times);
    } else if (!by_tasks_.empty()) {
      out.counts = by_tasks_[me]->run(r, start, found, out.times);
    } else {
      out.counts = asyncs_[me]->run(r, start, found, out.times, out.seconds);
      out.work = asyncs_[me]->work();
    }
    if (asyncs_.empty() || !r.dev().is_cuda()) out.seconds = r.clock() - begin;
    distances.close(r, all_distances);
    if (options_.parents) r.barrier();  // the distances of all ranks are there
    add_parents(r, source, distances.by_vertex(), all_parents, parents, out);
    trace_run(r, "sssp", begin, out.seconds);
    if (!whole) algorithm_detail::gather_outcomes(r, outcomes);
  }

  /// Where they are asked for.
  void add_parents(rank& r, std::int64_t source, const shared_array<Distance>& distances,
                   const window<std::int64_t>& all, const shared_array<std::int64_t>& parents,
                   outcome& out) {
    if (parents_ == nullptr) return;
    out.parents = parents_->find(r, source, distances, all, parents);
    out.seconds += out.parents;
  }

  /// On the GPU that searched, or by the host's threads; returns its seconds.
  double add_parents_of(rank& r, std::int64_t source, const gpu_found<Distance>& found,
                        sssp_result& result) {
    const double from = r.clock();
    if (parents_ == nullptr && !gpu_->find_parents(r, found, source, result.parents)) {
      host_copy_ = on_host(graph_);
      parents_ = std::make_unique<rank_parents<Distance>>(machine_, host_copy_, std::stop_token());
    }
    if (parents_ != nullptr)
      parents_->find_alone(r, source, std::get<shared_array<Distance>>(result.distances.get()),
                           result.parents);
    return r.clock() - from;
  }

  /// Distances by the first GPU, where they stay; then parents.
  void run_on_gpu(std::int64_t source, const run_options& how, std::vector<outcome>& outcomes,
                  sssp_result& result) {
    gpu_found<Distance> found;
    machine_.run(
        [&](rank& r) {
          if (r.id() != 0) return;
          outcome& out = outcomes.front();
          const double begin = r.clock();
          found = gpu_->run(r, source);
          out.counts = found.counts;
          out.seconds = found.seconds;
          result.distances = result_values<distance_array>::on_gpu<Distance>(found.distances);
          if (options_.parents) {
            out.parents = add_parents_of(r, source, found, result);
            out.seconds += out.parents;
          }
          trace_run(r, "sssp", begin, out.seconds);
        },
        how);
    describe(outcomes, options_, machine_[0], result);
    result.reached += found.reached;
    if (may_have_missed(found.farthest))
      check_missed(source, std::get<shared_array<Distance>>(result.distances.get()));
  }

  /// Counts what was reached; refuses what did not fit the type.
  void finish(std::int64_t source, const shared_array<Distance>& distances, sssp_result& result) {
    Distance farthest = 0;
    std::int64_t reached = 0;
    const auto n = static_cast<std::int64_t>(distances.size());
    [[maybe_unused]] const int threads = algorithm_detail::threads_after_run(machine_, n);
#pragma omp parallel for num_threads(threads) reduction(+ : reached) reduction(max : farthest)
    for (std::int64_t v = 0; v < n; ++v) {
      const Distance d = distances[static_cast<std::size_t>(v)];
      if (d == unreached<Distance>) continue;
      ++reached;
      farthest = std::max(farthest, d);
    }
    result.reached += reached;
    if (may_have_missed(farthest)) check_missed(source, distances);
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
  graph graph_, host_copy_;
  std::shared_ptr<const placed_graph> placed_;  ///< of several ranks
  place_options how_;
  sssp_options options_;
  weight_facts facts_;
  std::unique_ptr<rank_parents<Distance>> parents_;  ///< where they are asked for
  std::unique_ptr<solo_search<Id, Distance>> solo_;
  std::unique_ptr<gpu_search<Distance>> gpu_;               ///< of rank 0, which searches alone
  std::vector<shared_array<weight_of<Distance>>> weights_;  ///< [CPU ranks] of their slices
  of_ranks<peer_search<Id, Distance>> peers_;
  of_ranks<worklist_search<Distance>> asyncs_;  ///< engine host, too
  of_ranks<task_search<Id, Distance>> by_tasks_;
};

template <class Distance>
std::unique_ptr<sssp_program> make_typed(machine& m, const graph& g,
                                         std::shared_ptr<const placed_graph> placed,
                                         const sssp_options& options, double delta,
                                         const weight_facts& facts) {
  if ((placed != nullptr ? placed->id_width() : g.id_width()) == 4)
    return std::make_unique<typed_program<vertex32, Distance>>(m, g, std::move(placed), options,
                                                               delta, facts);
  return std::make_unique<typed_program<vertex64, Distance>>(m, g, std::move(placed), options,
                                                             delta, facts);
}

}  // namespace

bool searches_placed(const machine& m, const sssp_options& options) {
  return options.engine != "sync" || (m.size() > 1 && !m[0].is_cuda());
}

place_options placement_of(const sssp_options& options) {
  return algorithm_detail::placement_by_arcs(options);
}

std::unique_ptr<sssp_program> make_program(machine& m, const graph& g,
                                           std::shared_ptr<const placed_graph> placed,
                                           const sssp_options& options, double delta,
                                           const weight_facts& facts) {
  if (std::holds_alternative<shared_array<std::int32_t>>(g.weights))
    return make_typed<std::uint32_t>(m, g, std::move(placed), options, delta, facts);
  if (std::holds_alternative<shared_array<float>>(g.weights))
    return make_typed<float>(m, g, std::move(placed), options, delta, facts);
  return make_typed<double>(m, g, std::move(placed), options, delta, facts);
}

}  // namespace gossamer::sssp_detail
