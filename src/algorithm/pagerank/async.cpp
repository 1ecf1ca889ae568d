#include "algorithm/pagerank/async.hpp"

#include <algorithm>
#include <numeric>

#include "algorithm/gather_rows.hpp"
#include "algorithm/pagerank/cpu_push.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "algorithm/priority_choice.hpp"
#include "algorithm/slowest_rank.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::pagerank_detail {

namespace {

using algorithm_detail::capacities;
using algorithm_detail::range_owners;

template <class Id, class Weight>
class push_solver final : public solver {
 public:
  push_solver(machine& m, const graph& g, const Weight* weights, const pagerank_options& options,
              const std::vector<std::int64_t>& first)
      : machine_(m),
        graph_(g),
        options_(options),
        first_(first),
        shares_(out_weights(g, options.weighted, options.run.cancel)) {
    if (g.vertices() == 0) return;  // never run
    for (double& w : shares_.span()) w = w > 0 ? options.damping / w : 0;
    const push_problem p{options.damping, allowed(), shares_.data(), first_};
    const auto view = graph_.view<Id>();
    const weighted_rows<Id, Weight> rows{g.vertices(), view.offsets.data(), view.indices.data(),
                                         weights};
    for (int r = 0; r < m.size(); ++r)
      if (!m.here(r))
        pushes_.push_back(nullptr);
      else if (m[r].is_cuda())
        pushes_.push_back(make_gpu_push(m[r], rows, p, r));
      else
        pushes_.push_back(std::make_unique<cpu_push<Id, Weight>>(
            rows, p, r, algorithm_detail::worklist_of("pagerank", 1, options)));
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           const run_options& how, pagerank_result& result) override {
    require(start.empty(), "pagerank: engine 'async' begins with no ranks at all; give no start");
    const auto sums = make_array<double>(static_cast<std::size_t>(graph_.vertices()));
    std::vector<push_outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { push_on(r, sums, jumps, outcomes); }, how);
    if (options_.precision == 64)
      result.ranks = sums;
    else
      result.ranks = rounded(sums);
    describe(outcomes, result);
  }

 private:
  /// What residuals known to one rank may add up to. A finer tolerance than the second number makes
  /// no difference that doubles could show.
  [[nodiscard]] double allowed() const {
    return std::clamp(options_.tolerance, 1e-100, 1.0) * (1 - options_.damping) /
           (2 * machine_.size());
  }

  void push_on(rank& r, const shared_array<double>& ranks, const shared_array<double>& jumps,
               std::vector<push_outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const bool whole = machine_.all_here();
    window<double> all;
    if (!whole) all = r.make_window<double>(ranks.size(), home::host);
    const std::int64_t first = first_[me], last = first_[me + 1];
    const double begin = r.clock();
    outcomes[me] = pushes_[me]->run(r, jumps.span(), ranks.span());
    scale(r, outcomes[me].sum,
          ranks.span().subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(last - first)));
    trace_run(r, "pagerank", begin, outcomes[me].seconds);
    if (whole) return;
    algorithm_detail::gather_rows(r, all, first, last - first, ranks.span());
    algorithm_detail::gather_outcomes(r, outcomes);
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

  void describe(const std::vector<push_outcome>& outcomes, pagerank_result& result) const {
    push_outcome all;
    for (const push_outcome& o : outcomes) {
      all.work.add(o.work);
      all.sum += o.sum;
      all.left += o.left;
    }
    const push_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.work = all.work;
    result.iterations = all.work.windows;
    result.converged = true;
    result.change = 2 * all.left / all.sum;
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {
        {"push", algorithm_detail::rest_of(slowest.seconds, {slowest.exchange, slowest.agree})}};
    if (outcomes.size() == 1 || machine_[0].is_cuda()) return;
    result.phases.emplace_back("exchange", slowest.exchange);
    result.phases.emplace_back("agree", slowest.agree);
  }

  machine& machine_;
  graph graph_;
  pagerank_options options_;
  std::vector<std::int64_t> first_;
  shared_array<double> shares_;
  std::vector<std::unique_ptr<residual_push>> pushes_;  ///< of this process's ranks
};

template <class Id>
std::unique_ptr<solver> make_push(machine& m, const graph& g, const pagerank_options& options,
                                  const std::vector<std::int64_t>& first) {
  if (!options.weighted)
    return std::make_unique<push_solver<Id, no_weight>>(m, g, nullptr, options, first);
  return std::visit(
      [&](const auto& weights) -> std::unique_ptr<solver> {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
          out_weights(g, true);  // says that there are none
          return nullptr;
        } else {
          using weight = std::remove_cvref_t<decltype(weights[0])>;
          return std::make_unique<push_solver<Id, weight>>(m, g, weights.data(), options, first);
        }
      },
      g.weights);
}

}  // namespace

void check_async(const pagerank_options& options) {
  require(!options.deterministic,
          "pagerank: engine 'async' adds residuals in the order in which they arrive, which is "
          "another one in every run; for the same bits take engine 'sync'");
  require(options.tolerance > 0, "pagerank: engine 'async' needs a tolerance of more than zero");
  require(options.damping < 1, "pagerank: engine 'async' needs jumps, a damping of less than 1");
}

std::unique_ptr<solver> make_async_solver(machine& m, const graph& g,
                                          const pagerank_options& options,
                                          const std::vector<std::int64_t>& first) {
  if (g.id_width() == 4) return make_push<vertex32>(m, g, options, first);
  return make_push<vertex64>(m, g, options, first);
}

async_bytes async_bytes_on(const machine& m, const std::vector<std::int64_t>& first, int rank,
                           int id_width, const std::string& priority) {
  const auto capacity = capacities(range_owners(first, rank), m.size());
  using narrow = residual_worklist<vertex32, no_weight>;
  using wide = residual_worklist<vertex64, no_weight>;
  const bool soft = algorithm_detail::soft_priority("pagerank", priority);
  async_bytes b;
  b.work = id_width == 4 ? narrow::bytes(rank, capacity, first.back(), soft)
                         : wide::bytes(rank, capacity, first.back(), soft);
  b.windows = narrow::window_bytes(m.size());
  if (!m.all_here()) b.gathered = (first.back() * 8 + 255) / 256 * 256;
  return b;
}

}  // namespace gossamer::pagerank_detail
