// Prepares the worklists of all ranks, CPU or GPU, with each vertex's share by placed id, and runs
// them until no residual is larger than allowed.
#include "algorithm/pagerank/async/async.hpp"

#include <algorithm>
#include <numeric>

#include "algorithm/pagerank/async/cpu_push.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/base/shown.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::pagerank_detail {

namespace {

/// [ids + 1] where rows begin, of all ranks.
shared_array<edge_offset> offsets_by_id(const placed_graph& g) {
  const graph& source = g.source();
  if (g.identity()) return source.offsets;
  auto offsets = make_array<edge_offset>(static_cast<std::size_t>(g.bounds().back()) + 1);
  offsets[0] = 0;
  for (std::int64_t id = 0; id < g.bounds().back(); ++id) {
    const std::int64_t v = g.vertex(id);
    offsets[static_cast<std::size_t>(id) + 1] =
        offsets[static_cast<std::size_t>(id)] + (v < 0 ? 0 : source.degree(v));
  }
  return offsets;
}

/// `of_vertex`, with 0 where no vertex is; the same array where ids are vertices.
shared_array<double> by_id(const placed_graph& g, const shared_array<double>& of_vertex) {
  if (g.identity()) return of_vertex;
  auto values = make_array<double>(static_cast<std::size_t>(g.bounds().back()));
  for (std::int64_t id = 0; id < g.bounds().back(); ++id) {
    const std::int64_t v = g.vertex(id);
    values[static_cast<std::size_t>(id)] = v < 0 ? 0 : of_vertex[static_cast<std::size_t>(v)];
  }
  return values;
}

template <class Id, class Weight>
class push_solver final : public solver {
 public:
  /// `g` has the weights that `placed` has not.
  push_solver(std::shared_ptr<const placed_graph> placed, const graph& g,
              const shared_array<Weight>& weights, const pagerank_options& options)
      : graph_(std::move(placed)),
        machine_(graph_->on()),
        options_(options),
        offsets_(offsets_by_id(*graph_)) {
    const std::int64_t n = g.vertices();
    if (n == 0) return;  // never run
    const auto shares = out_weights(g, options.weighted, options.run.cancel);
    for (double& w : shares.span()) w = w > 0 ? options.damping / w : 0;
    shares_ = by_id(*graph_, shares);
    if (!graph_->identity()) {
      everywhere_ = make_array<double>(static_cast<std::size_t>(n));
      std::fill(everywhere_.begin(), everywhere_.end(), 1 / static_cast<double>(n));
      everywhere_ = by_id(*graph_, everywhere_);
    }
    const push_problem p{options.damping, allowed(), residual(), shares_.data(),
                         offsets_.data(), n,         g.arcs()};
    for (int r = 0; r < machine_.size(); ++r) {
      if (!machine_.here(r)) {
        pushes_.push_back(nullptr);
        continue;
      }
      weights_.push_back(weights.empty() ? weights : slice_weights<Id>(*graph_, r, weights));
      const Weight* const along = weights_.back().data();
      if (machine_[r].is_cuda())
        pushes_.push_back(make_gpu_push<Id>(
            *graph_, r, along, p,
            algorithm_detail::drive_of("pagerank", options, options.engine, first_window)));
      else
        pushes_.push_back(std::make_unique<cpu_push<Id, Weight>>(
            *graph_, r, along, p, algorithm_detail::worklist_of(machine_, "pagerank", 1, options)));
      if (machine_[r].is_cuda()) weights_.pop_back();  // they lie there
    }
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           const run_options& how, pagerank_result& result) override {
    require(start.empty(), "pagerank: engine '" + options_.engine +
                               "' begins with no ranks at all; give no start");
    const vertex_values<double> sums(*graph_);
    const auto jumps_by_id = jumps.empty() ? everywhere_ : by_id(*graph_, jumps);
    std::vector<algorithm_detail::worklist_outcome> outcomes(
        static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { push_on(r, sums, jumps_by_id, outcomes); }, how);
    if (options_.precision == 64)
      result.ranks = sums.by_vertex();
    else
      result.ranks = rounded(sums.by_vertex());
    describe(outcomes, result);
  }

 private:
  /// What residuals known to one rank may add up to. A finer tolerance than the second number makes
  /// no difference that doubles could show.
  [[nodiscard]] double allowed() const {
    return std::clamp(options_.tolerance, 1e-100, 1.0) * (1 - options_.damping) /
           (2 * machine_.size());
  }

  /// Of one vertex, as fine as that.
  [[nodiscard]] double residual() const {
    return options_.residual > 0 ? std::max(options_.residual, 1e-100) : 0;
  }

  void push_on(rank& r, const vertex_values<double>& ranks, const shared_array<double>& jumps,
               std::vector<algorithm_detail::worklist_outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const auto first = static_cast<std::size_t>(graph_->bounds()[me]);
    const auto own =
        ranks.by_id().subspan(first, static_cast<std::size_t>(graph_->bounds()[me + 1]) - first);
    algorithm_detail::run_worklist(r, "pagerank", ranks, outcomes, [&] {
      const auto out = pushes_[me]->run(r, jumps.span(), ranks.by_id());
      scale(r, out.sum, own);
      return out;
    });
  }

  /// Own ranks, over the sum of everybody's.
  static void scale(rank& r, double own, std::span<double> ranks) {
    std::vector<double> sums(static_cast<std::size_t>(r.size()));
    r.exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(sums)));
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    for (double& x : ranks) x /= sum;
  }

  static shared_array<float> rounded(const shared_array<double>& sums) {
    const auto ranks = make_array<float>(sums.size());
    std::transform(sums.begin(), sums.end(), ranks.begin(),
                   [](double x) { return static_cast<float>(x); });
    return ranks;
  }

  void describe(const std::vector<algorithm_detail::worklist_outcome>& outcomes,
                pagerank_result& result) const {
    algorithm_detail::describe_worklists(outcomes, "push", machine_[0].is_cuda(), result);
    double sum = 0, left = 0;
    for (const auto& o : outcomes) {
      sum += o.sum;
      left += o.left;
    }
    result.iterations = result.work->windows;
    result.converged = true;
    result.change = 2 * left / sum;
  }

  std::shared_ptr<const placed_graph> graph_;
  machine& machine_;
  pagerank_options options_;
  shared_array<edge_offset> offsets_;          ///< by id
  shared_array<double> shares_, everywhere_;   ///< by id; everywhere_: jumps where there are holes
  std::vector<shared_array<Weight>> weights_;  ///< of CPU ranks' slices
  std::vector<std::unique_ptr<residual_push>> pushes_;  ///< of this process's ranks
};

template <class Id>
std::unique_ptr<solver> make_push(const std::shared_ptr<const placed_graph>& placed, const graph& g,
                                  const pagerank_options& options) {
  if (!options.weighted)
    return std::make_unique<push_solver<Id, no_weight>>(placed, g, shared_array<no_weight>(),
                                                        options);
  return std::visit(
      [&](const auto& weights) -> std::unique_ptr<solver> {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
          require_weights(g);  // says that there are none
          return nullptr;
        } else {
          using weight = std::remove_cvref_t<decltype(weights[0])>;
          return std::make_unique<push_solver<Id, weight>>(placed, g, weights, options);
        }
      },
      g.weights);
}

}  // namespace

void check_async(const pagerank_options& options, const std::string& engine) {
  const std::string it = "pagerank: engine '" + engine + "' ";
  require(!options.deterministic,
          it + "adds residuals in the order in which they arrive, which is another one in every "
               "run; for the same bits take engine 'sync'");
  require(options.tolerance > 0, it + "needs a tolerance of more than zero");
  require(options.damping < 1, it + "needs jumps, a damping of less than 1");
  // Somebody's jumps are worth work then: the mean is 1 - damping over the number of vertices.
  require(2 * options.residual <= 1 - options.damping,
          it + "needs a residual of half of 1 - damping at most, and " + shown(options.residual) +
              " is more");
}

std::unique_ptr<solver> make_async_solver(const std::shared_ptr<const placed_graph>& placed,
                                          const graph& g, const pagerank_options& options) {
  if (placed->id_width() == 4) return make_push<vertex32>(placed, g, options);
  return make_push<vertex64>(placed, g, options);
}

}  // namespace gossamer::pagerank_detail
