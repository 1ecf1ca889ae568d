#include "algorithm/sssp/program.hpp"

#include <algorithm>

#include "algorithm/common_terms.hpp"
#include "algorithm/degree_facts.hpp"
#include "algorithm/gather_rows.hpp"
#include "algorithm/priority_choice.hpp"
#include "algorithm/row_ranges.hpp"
#include "algorithm/short_rows.hpp"
#include "algorithm/sssp/async.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/host_search.hpp"
#include "algorithm/sssp/outcome.hpp"
#include "algorithm/sssp/peer.hpp"
#include "algorithm/sssp/planning.hpp"
#include "algorithm/sssp/rank_parents.hpp"
#include "algorithm/sssp/solo.hpp"
#include "algorithm/sssp/tasks.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::parted_graph;

namespace {

template <class Id, class Distance>
class typed_program final : public sssp_program {
 public:
  typed_program(machine& m, const graph& g, const parted_graph& parted, const sssp_options& options,
                double delta, const weight_facts& facts)
      : machine_(m),
        graph_(g),
        parted_(parted),
        options_(options),
        facts_(facts),
        rows_(rows_of<Id, Distance>(parted_.rows())),
        out_rows_(rows_of<Id, Distance>(graph_)),
        vertices_(algorithm_detail::arc_ranges(graph_.offsets.span(), m.size())),
        first_(parted_.first().empty() ? vertices_ : parted_.first()) {
    if (options.parents)
      parents_ =
          std::make_unique<rank_parents<Id, Distance>>(m, graph_, vertices_, options.run.cancel);
    if (options.engine == "async" || options.engine == "host") {
      make_worklists(delta);
    } else if (options.engine == "tasks") {
      make_searches(by_tasks_, bucket_width(delta, facts.largest));
    } else if (m[0].is_cuda()) {
      gpu_ = make_gpu_search<Distance>(m, graph_, delta);
    } else if (m.size() == 1) {
      solo_ = std::make_unique<solo_search<Id, Distance>>(rows_, bucket_width(delta, facts.largest),
                                                          facts.largest, m[0].threads);
    } else {
      make_searches(peers_, bucket_width(delta, facts.largest), facts.largest);
    }
  }

  void run(std::int64_t source, const run_options& how, sssp_result& result) override {
    const auto n = static_cast<std::size_t>(rows_.vertices);
    if (options_.parents) result.parents = make_array<std::int64_t>(n);
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    if (gpu_ != nullptr) return run_on_gpu(source, how, outcomes, result);
    const auto distances = make_array<Distance>(n);
    const auto found = parted_.moved() ? make_array<Distance>(n) : distances;
    machine_.run([&](rank& r) { search(r, source, found, distances, result.parents, outcomes); },
                 how);
    describe(outcomes, options_, machine_[0], result);
    finish(source, distances, result);
    result.distances = distances;
  }

 private:
  template <class Search>
  using of_ranks = std::vector<std::unique_ptr<Search>>;

  /// One for each rank of this process.
  template <class Search, class... Options>
  void make_searches(of_ranks<Search>& into, const Options&... options) {
    for (int r = 0; r < machine_.size(); ++r)
      into.push_back(machine_.here(r) ? std::make_unique<Search>(rows_, first_, r, options...)
                                      : nullptr);
  }

  void make_worklists(double delta) {
    const bool short_rows = algorithm_detail::has_short_rows(
        graph_.vertices(), graph_.arcs(), algorithm_detail::degrees_of(graph_).longest);
    for (int r = 0; r < machine_.size(); ++r)
      if (!machine_.here(r))
        asyncs_.push_back(nullptr);
      else if (options_.engine == "host")
        asyncs_.push_back(make_host_worklist(machine_, rows_, first_, r,
                                             host_options(options_, delta), short_rows));
      else if (machine_[r].is_cuda())
        asyncs_.push_back(make_gpu_worklist(machine_[r], rows_, first_, r, delta, short_rows));
      else
        asyncs_.push_back(std::make_unique<async_search<Id, Distance>>(
            rows_, first_, r, algorithm_detail::worklist_of("sssp", delta, options_)));
  }

  /// `found`: distances by row; `distances`: by vertex, the same where no row was moved.
  void search(rank& r, std::int64_t source, const shared_array<Distance>& found,
              const shared_array<Distance>& distances, const shared_array<std::int64_t>& parents,
              std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    outcome& out = outcomes[me];
    const bool whole = machine_.all_here();
    window<Distance> all_distances;
    window<std::int64_t> all_parents;
    if (!whole) {
      all_distances = r.make_window<Distance>(distances.size(), home::host);
      if (options_.parents) all_parents = r.make_window<std::int64_t>(distances.size(), home::host);
    }
    const std::int64_t start = parted_.row_of(source);
    const double begin = r.clock();
    if (solo_ != nullptr) {
      const trace_span span(r, "relax");
      out.counts = solo_->run(r, start, found.data());
    } else if (!peers_.empty()) {
      out.counts = peers_[me]->run(r, start, found.data(), out.times);
    } else if (!by_tasks_.empty()) {
      out.counts = by_tasks_[me]->run(r, start, found.data(), out.times);
    } else {
      out.counts = asyncs_[me]->run(r, start, found.data(), out.times, out.seconds);
      out.work = asyncs_[me]->work();
    }
    if (asyncs_.empty() || !r.dev().is_cuda()) out.seconds = r.clock() - begin;
    const std::int64_t first = first_[me], last = first_[me + 1];
    if (!whole) algorithm_detail::gather_rows(r, all_distances, first, last - first, found.span());
    if (parted_.moved())
      parted_.put_back(found, whole ? first : 0, whole ? last : rows_.vertices, distances);
    if (options_.parents) {
      r.barrier();  // the distances of all ranks are there
      out.parents = parents_->find(r, source, distances, all_parents, parents);
      out.seconds += out.parents;
    }
    trace_run(r, "sssp", begin, out.seconds);
    if (!whole) algorithm_detail::gather_outcomes(r, outcomes);
  }

  /// Distances by the first GPU, where they stay; then parents by the host's threads.
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
            const auto& here = std::get<shared_array<Distance>>(result.distances.get());
            out.parents = parents_->find_alone(r, source, here, result.parents);
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
#ifdef _OPENMP
    const int threads = algorithm_detail::threads_after_run(machine_);
#pragma omp parallel for num_threads(threads) reduction(+ : reached) reduction(max : farthest)
#endif
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
    for (std::int64_t u = 0; u < out_rows_.vertices; ++u) {
      if (distances[static_cast<std::size_t>(u)] == unreached<Distance>) continue;
      for (edge_offset k = out_rows_.offsets[u]; k < out_rows_.offsets[u + 1]; ++k) {
        const auto v = static_cast<std::size_t>(out_rows_.columns[k]);
        if (distances[v] != unreached<Distance>) continue;
        throw usage_error("sssp: the distance from " + name(source) + " to " +
                          name(static_cast<std::int64_t>(v)) + " of " + graph_.name +
                          " does not fit " + type_name() + "; give the weights as double");
      }
    }
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
  parted_graph parted_;
  sssp_options options_;
  weight_facts facts_;
  weighted_rows<Id, Distance> rows_;      ///< that are searched: of parted_
  weighted_rows<Id, Distance> out_rows_;  ///< the caller's
  std::vector<std::int64_t> vertices_;    ///< [ranks + 1] of which each rank finds the parents
  std::vector<std::int64_t> first_;       ///< [ranks + 1] row ranges
  std::unique_ptr<rank_parents<Id, Distance>> parents_;  ///< where they are asked for
  std::unique_ptr<solo_search<Id, Distance>> solo_;
  std::unique_ptr<gpu_search<Distance>> gpu_;  ///< of rank 0, which searches alone
  of_ranks<peer_search<Id, Distance>> peers_;
  of_ranks<worklist_search<Distance>> asyncs_;  ///< engine host, too
  of_ranks<task_search<Id, Distance>> by_tasks_;
};

template <class Distance>
std::unique_ptr<sssp_program> make_typed(machine& m, const graph& g, const parted_graph& parted,
                                         const sssp_options& options, double delta,
                                         const weight_facts& facts) {
  if (g.id_width() == 4)
    return std::make_unique<typed_program<vertex32, Distance>>(m, g, parted, options, delta, facts);
  return std::make_unique<typed_program<vertex64, Distance>>(m, g, parted, options, delta, facts);
}

}  // namespace

std::unique_ptr<sssp_program> make_program(machine& m, const graph& g, const parted_graph& parted,
                                           const sssp_options& options, double delta,
                                           const weight_facts& facts) {
  if (std::holds_alternative<shared_array<std::int32_t>>(g.weights))
    return make_typed<std::uint32_t>(m, g, parted, options, delta, facts);
  if (std::holds_alternative<shared_array<float>>(g.weights))
    return make_typed<float>(m, g, parted, options, delta, facts);
  return make_typed<double>(m, g, parted, options, delta, facts);
}

}  // namespace gossamer::sssp_detail
