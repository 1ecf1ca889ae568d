#include "algorithm/pagerank/async.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "algorithm/gather_rows.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "algorithm/range_owners.hpp"
#include "algorithm/row_ranges.hpp"
#include "algorithm/vertex_worklist.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::pagerank_detail {

namespace {

using algorithm_detail::capacities;
using algorithm_detail::range_owners;

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
using residual_worklist =
    algorithm_detail::vertex_worklist<push_residuals<Id>, Id, Weight, range_owners>;

/// What one rank brings back.
struct outcome {
  worklist_counters work;
  double sum = 0, left = 0;  ///< |y| of own vertices, |r| of all known here
  double seconds = 0, exchange = 0, agree = 0;
};

template <class Id, class Weight>
class typed_solver final : public solver {
 public:
  typed_solver(machine& m, const graph& g, const Weight* weights, const pagerank_options& options)
      : machine_(m),
        graph_(g),
        options_(options),
        first_(algorithm_detail::arc_ranges(graph_.offsets.span(), m.size())),
        allowed_(std::min(options.tolerance, 1.0) * (1 - options.damping) / (2 * m.size())),
        shares_(out_weights(g, options.weighted, options.run.cancel)) {
    for (double& w : shares_.span()) w = w > 0 ? options.damping / w : 0;
    const push_residuals<Id> by{shares_.data()};
    const auto rows = graph_.view<Id>();
    for (int r = 0; r < m.size(); ++r) {
      const range_owners owners(first_, r);
      lists_.push_back(m.here(r) ? std::make_unique<residual_worklist<Id, Weight>>(
                                       by,
                                       weighted_rows<Id, Weight>{g.vertices(), rows.offsets.data(),
                                                                 rows.indices.data(), weights},
                                       owners, r, capacities(owners, m.size()), g.vertices(),
                                       algorithm_detail::named_worklist("pagerank"))
                                 : nullptr);
    }
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           pagerank_result& result) override {
    require(start.empty(), "pagerank: engine 'async' begins with no ranks at all; give no start");
    const auto sums = make_array<double>(static_cast<std::size_t>(graph_.vertices()));
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { push_on(r, sums, jumps, outcomes); }, options_.run);
    if (options_.precision == 64)
      result.ranks = sums;
    else
      result.ranks = rounded(sums);
    describe(outcomes, result);
  }

 private:
  void push_on(rank& r, const shared_array<double>& ranks, const shared_array<double>& jumps,
               std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const bool whole = machine_.all_here();
    window<double> all;
    if (!whole) all = r.make_window<double>(ranks.size(), home::host);
    outcome& out = outcomes[me];
    auto& list = *lists_[me];
    const std::int64_t first = first_[me], last = first_[me + 1];
    const double begin = r.clock();
    list.begin_each(r, [&](std::int64_t v) -> rank_and_residual { return {0, 0, least(v)}; });
    const double uniform = 1 / static_cast<double>(graph_.vertices());
    for (std::int64_t v = first; v < last; ++v) {
      const double jump = jumps.empty() ? uniform : jumps[static_cast<std::size_t>(v)];
      list.start(static_cast<Id>(v), {0, (1 - options_.damping) * jump, 0});
    }
    {
      const trace_span span(r, "push");
      list.run();
    }
    out.work = list.counters();
    scale(r, list, first, last, ranks.span(), out);
    out.exchange = list.traffic().sending;
    out.agree = list.traffic().waiting;
    out.seconds = r.clock() - begin;
    trace_run(r, "pagerank", begin, out.seconds);
    if (whole) return;
    algorithm_detail::gather_rows(r, all, first, last - first, ranks.span());
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  /// Work costs a vertex's arcs: the more there are, the more has to have arrived.
  [[nodiscard]] double least(std::int64_t v) const {
    const double share = static_cast<double>(graph_.degree(v) + 1) /
                         static_cast<double>(graph_.arcs() + graph_.vertices());
    return allowed_ * share;
  }

  /// Own ranks, over the sum of everybody's.
  void scale(rank& r, const residual_worklist<Id, Weight>& list, std::int64_t first,
             std::int64_t last, std::span<double> ranks, outcome& out) const {
    for (std::int64_t v = first; v < last; ++v) out.sum += list[v].rank;
    for (std::int64_t v = 0; v < graph_.vertices(); ++v) out.left += list[v].residual;
    std::vector<double> sums(static_cast<std::size_t>(r.size()));
    r.exchange(std::as_bytes(std::span(&out.sum, 1)), std::as_writable_bytes(std::span(sums)));
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    for (std::int64_t v = first; v < last; ++v)
      ranks[static_cast<std::size_t>(v)] = list[v].rank / sum;
    r.charge(static_cast<double>(last - first) * (2 * sizeof(rank_and_residual) + 8), 0);
  }

  static shared_array<float> rounded(const shared_array<double>& sums) {
    const auto ranks = make_array<float>(sums.size());
    std::transform(sums.begin(), sums.end(), ranks.begin(),
                   [](double x) { return static_cast<float>(x); });
    return ranks;
  }

  static void describe(const std::vector<outcome>& outcomes, pagerank_result& result) {
    outcome all;
    for (const outcome& o : outcomes) {
      all.work.add(o.work);
      all.sum += o.sum;
      all.left += o.left;
      all.seconds = std::max(all.seconds, o.seconds);
      all.exchange = std::max(all.exchange, o.exchange);
      all.agree = std::max(all.agree, o.agree);
    }
    result.work = all.work;
    result.iterations = all.work.windows;
    result.converged = true;
    result.change = 2 * all.left / all.sum;
    result.milliseconds = all.seconds * 1e3;
    result.phases = {{"push", std::max(0.0, all.seconds - all.exchange - all.agree)}};
    if (outcomes.size() == 1) return;
    result.phases.emplace_back("exchange", all.exchange);
    result.phases.emplace_back("agree", all.agree);
  }

  machine& machine_;
  graph graph_;
  pagerank_options options_;
  std::vector<std::int64_t> first_;
  double allowed_;  ///< what residuals known to one rank may add up to
  shared_array<double> shares_;
  std::vector<std::unique_ptr<residual_worklist<Id, Weight>>> lists_;  ///< of this process's ranks
};

template <class Id>
std::unique_ptr<solver> make_typed(machine& m, const graph& g, const pagerank_options& options) {
  if (!options.weighted)
    return std::make_unique<typed_solver<Id, no_weight>>(m, g, nullptr, options);
  return std::visit(
      [&](const auto& weights) -> std::unique_ptr<solver> {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
          out_weights(g, true);  // says that there are none
          return nullptr;
        } else {
          using weight = std::remove_cvref_t<decltype(weights[0])>;
          return std::make_unique<typed_solver<Id, weight>>(m, g, weights.data(), options);
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
                                          const pagerank_options& options) {
  if (g.id_width() == 4) return make_typed<vertex32>(m, g, options);
  return make_typed<vertex64>(m, g, options);
}

async_bytes async_bytes_on(const machine& m, const std::vector<std::int64_t>& first, int rank,
                           int id_width) {
  const auto capacity = capacities(range_owners(first, rank), m.size());
  using narrow = residual_worklist<vertex32, no_weight>;
  using wide = residual_worklist<vertex64, no_weight>;
  async_bytes b;
  b.work = id_width == 4 ? narrow::bytes(rank, capacity, first.back())
                         : wide::bytes(rank, capacity, first.back());
  b.windows = narrow::window_bytes(m.size());
  if (!m.all_here()) b.gathered = (first.back() * 8 + 255) / 256 * 256;
  return b;
}

}  // namespace gossamer::pagerank_detail
