// The form for CPU ranks: in-arcs made once, rows in an order that can be predicted, columns padded
// to blocks of equal size for the allgather.
#include "algorithm/pagerank/sync/solver.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/threads_worth.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/layouts/hub_order.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "algorithm/pagerank/sync/gpu_solver.hpp"
#include "algorithm/pagerank/sync/iteration.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::pagerank_detail {

namespace {

template <class Id, class Value>
class typed_solver final : public solver {
 public:
  typed_solver(machine& m, const graph& g, const pagerank_options& options,
               const std::vector<std::int64_t>& first)
      : machine_(m),
        options_(options),
        first_(first),
        symmetric_(g.symmetric && !options.weighted && options.steps == "auto" &&
                   m[0].model == nullptr),
        block_(longest_range(first)),
        inverse_(make_array<Value>(static_cast<std::size_t>(g.vertices()))) {
    const auto weights = out_weights(g, options.weighted, options.run.cancel);
    std::int64_t leading_on = 0;
    for (std::size_t v = 0; v < weights.size(); ++v) {
      inverse_[v] =
          weights[v] > 0 ? static_cast<Value>(options.weighted ? 1 : 1 / weights[v]) : Value{0};
      leading_on += weights[v] > 0 ? 1 : 0;
    }
    first_ranks_ = first_of(g, leading_on);
    const graph in = reversed(g, options);
    offsets_ = in.offsets;
    columns_ = std::get<shared_array<Id>>(in.indices);
    if (options.weighted) shares_ = shares<Value>(in, weights);
    bool skewed = algorithm_detail::degrees_of(g).skewed;
    if (may_sweep(g)) {
      divide_sweeps();
      // Far arcs see what sources were before the sweep, as in a step.
      if (2 * arcs_inside() < g.arcs()) sweeps_.first.clear();
    }
    const bool sweeps = !sweeps_.first.empty();
    skewed &= !sweeps;  // hubs first would tear ranges apart
    order_rows(algorithm_detail::hub_positions<Id>(skewed ? g.offsets.span() : offsets_.span(),
                                                   skewed   ? first_
                                                   : sweeps ? blocks_of(sweeps_.first, block)
                                                            : blocks_of(first_, block),
                                                   algorithm_detail::degree_classes::lengths));
    if (sweeps) point_inside();
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           const run_options& how, pagerank_result& result) override {
    const auto n = inverse_.size();
    const auto of_rows = make_array<Value>(n);
    const auto ranks = make_array<Value>(n);
    const bool started = !start.empty();
    auto from = start.empty() && jumps.empty() ? first_ranks_ : first_ranks{};
    if (start.empty() && from.arc == 0)
      std::fill(of_rows.begin(), of_rows.end(), static_cast<Value>(1 / static_cast<double>(n)));
    for (std::size_t i = 0; i < start.size(); ++i)
      of_rows[i] = static_cast<Value>(start[static_cast<std::size_t>(vertex_[i])]);
    auto jumps_of_rows = jumps;
    if (!jumps.empty()) {
      jumps_of_rows = make_array<double>(n);
      for (std::size_t i = 0; i < n; ++i)
        jumps_of_rows[i] = jumps[static_cast<std::size_t>(vertex_[i])];
    }
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run(
        [&](rank& r) { iterate_on(r, of_rows, ranks, jumps_of_rows, from, started, outcomes); },
        how);
    result.ranks = outcomes.front().in_other ? of_rows : ranks;
    describe(outcomes, result);
  }

 private:
  /// On symmetric graphs a walk without jumps is at a vertex as often as it has arcs. So ranks are
  /// near those of a walk that forgets where it jumped to at its first step. Vertices without arcs
  /// lead nowhere.
  [[nodiscard]] first_ranks first_of(const graph& g, std::int64_t leading_on) const {
    if (!symmetric_ || !(options_.tolerance > 0) || leading_on == 0) return {};
    const auto n = static_cast<double>(g.vertices());
    const double even = (1 - options_.damping) / n;
    const double by_arcs = options_.damping * static_cast<double>(leading_on) / n;
    const double all = even * n + by_arcs;
    return {even / all, by_arcs / static_cast<double>(g.arcs()) / all};
  }

  static graph reversed(const graph& g, const pagerank_options& options) {
    if (options.weighted) return g.transposed(options.run.cancel);
    graph bare = g;
    bare.weights = {};
    return bare.transposed(options.run.cancel);
  }

  /// Each rank's range in blocks: rows that are ordered inside of one stay near their neighbours.
  static std::vector<std::int64_t> blocks_of(const std::vector<std::int64_t>& first,
                                             std::int64_t length) {
    std::vector<std::int64_t> all{first.front()};
    for (std::size_t r = 1; r < first.size(); ++r) {
      while (all.back() + length < first[r]) all.push_back(all.back() + length);
      all.push_back(first[r]);
    }
    return all;
  }

  /// Sweeps are for directed graphs. Their eigenvalues are not real, as Chebyshev's factors need.
  [[nodiscard]] bool may_sweep(const graph& g) const {
    return !g.symmetric && options_.steps == "auto" && options_.tolerance > 0 &&
           options_.damping < 1 && machine_.size() == 1 && machine_[0].model == nullptr &&
           g.vertices() >= sweep_pieces::worth &&
           g.vertices() <= std::numeric_limits<Id>::max() / 2;
  }

  /// Pieces of about as many rows and arcs, by offsets of vertices.
  void divide_sweeps() {
    const auto n = static_cast<std::int64_t>(inverse_.size());
    const auto work = [&](std::int64_t v) { return offsets_[v] + 2 * v; };
    std::int64_t v = 0;
    for (std::int64_t p = 0; p < sweep_pieces::of_all; ++p) {
      const double share = static_cast<double>(p) / static_cast<double>(sweep_pieces::of_all);
      while (v < n && static_cast<double>(work(v)) < share * static_cast<double>(work(n))) ++v;
      sweeps_.first.push_back(v);
    }
    sweeps_.first.push_back(n);
  }

  /// f(range, its first row, the row after its last, its arcs), all ranges of sweeps.
  template <class F>
  void for_sweep_ranges(const F& f) const {
    const int threads =
        algorithm_detail::threads_beside_runs(machine_, static_cast<std::int64_t>(columns_.size()));
    for_pieces({threads}, sweep_pieces::ranges, 1, [&](std::int64_t r, std::int64_t) {
      const auto at = static_cast<std::size_t>(r * sweep_pieces::stages);
      const std::int64_t begin = sweeps_.first[at], end = sweeps_.first[at + sweep_pieces::stages];
      f(r, begin, end,
        columns_.span().subspan(static_cast<std::size_t>(offsets_[begin]),
                                static_cast<std::size_t>(offsets_[end] - offsets_[begin])));
    });
  }

  /// Arcs that stay in their range.
  [[nodiscard]] std::int64_t arcs_inside() const {
    std::array<std::int64_t, sweep_pieces::ranges> inside{};
    for_sweep_ranges(
        [&](std::int64_t r, std::int64_t begin, std::int64_t end, std::span<const Id> columns) {
          inside[static_cast<std::size_t>(r)] =
              std::ranges::count_if(columns, [&](Id u) { return u >= begin && u < end; });
        });
    return std::accumulate(inside.begin(), inside.end(), std::int64_t{0});
  }

  /// Columns of the own range lead to the second array of offers.
  void point_inside() {
    const auto n = static_cast<Id>(inverse_.size());
    for_sweep_ranges(
        [&](std::int64_t, std::int64_t begin, std::int64_t end, std::span<Id> columns) {
          for (Id& u : columns)
            if (u >= begin && u < end) u += n;
        });
  }

  /// Rows lie in the order of offers: `place` says where each vertex offers, inside its rank's
  /// range, which is sent whole. On skewed graphs those with many out-arcs are together, on others
  /// rows of a block that are as long as each other: the end of such rows can be predicted.
  void order_rows(const shared_array<Id>& place) {
    const std::size_t n = place.size();
    vertex_ = make_array<Id>(n);
    for (std::size_t v = 0; v < n; ++v) vertex_[static_cast<std::size_t>(place[v])] = Id(v);
    const auto offsets = make_array<edge_offset>(n + 1);
    const auto inverse = make_array<Value>(n);
    offsets[0] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto v = static_cast<std::size_t>(vertex_[i]);
      offsets[i + 1] = offsets[i] + offsets_[v + 1] - offsets_[v];
      inverse[i] = inverse_[v];
    }
    if (is_padded(first_)) pad(place);
    columns_ = rows_in_order(columns_, offsets, [&](Id u) { return place[u]; });
    if (!shares_.empty()) shares_ = rows_in_order(shares_, offsets, [](Value w) { return w; });
    offsets_ = offsets;
    inverse_ = inverse;
  }
  template <class T, class F>
  [[nodiscard]] shared_array<T> rows_in_order(const shared_array<T>& of_arcs,
                                              const shared_array<edge_offset>& offsets,
                                              const F& value) const {
    auto moved = make_array<T>(of_arcs.size());
    const int threads =
        algorithm_detail::threads_beside_runs(machine_, static_cast<std::int64_t>(moved.size()));
    for_pieces({threads}, static_cast<std::int64_t>(vertex_.size()), block,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t i = first; i < last; ++i)
                   std::transform(of_arcs.begin() + offsets_[vertex_[i]],
                                  of_arcs.begin() + offsets_[vertex_[i] + 1],
                                  moved.begin() + offsets[i], value);
               });
    return moved;
  }

  /// A rank's offers begin at its block, which is as long as that of the rank with most rows.
  void pad(const shared_array<Id>& place) const {
    const auto ranks = static_cast<std::int64_t>(first_.size()) - 1;
    if (block_ * ranks > std::numeric_limits<Id>::max())
      throw capacity_error("pagerank: " + std::to_string(ranks) + " blocks of the largest part's " +
                           std::to_string(block_) + " vertices exceed the graph's ids");
    for (std::int64_t r = 0; r < ranks; ++r)
      for (std::int64_t v = first_[r]; v < first_[r + 1]; ++v)
        place[static_cast<std::size_t>(v)] += static_cast<Id>(r * block_ - first_[r]);
  }

  /// Own ranks from where their rows are to where their vertices are: in the same range.
  void to_vertices(std::int64_t first, std::int64_t last, int threads,
                   const shared_array<Value>& of_rows, const shared_array<Value>& ranks) const {
    constexpr std::int64_t piece = 4096;
    for_pieces({threads}, last - first, piece, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = first + begin; i < first + end; ++i) ranks[vertex_[i]] = of_rows[i];
    });
  }

  void iterate_on(rank& r, const shared_array<Value>& of_rows, const shared_array<Value>& ranks,
                  const shared_array<double>& jumps, const first_ranks& first, bool started,
                  std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const auto n = static_cast<std::int64_t>(inverse_.size());
    part<Id, Value> mine;
    const int threads = algorithm_detail::threads_worth(
        offsets_[first_[me + 1]] - offsets_[first_[me]], r.dev().threads);
    mine.rows = {offsets_.data(), columns_.data(), shares_.empty() ? nullptr : shares_.data(),
                 first_[me],      first_[me + 1],  threads};
    mine.inverse_weight = inverse_.data() + first_[me];
    mine.block = block_;
    mine.vertices = n;
    mine.symmetric = symmetric_;
    mine.first = first;
    mine.sweeps = sweeps_.first.empty() ? nullptr : &sweeps_;
    mine.started = started;
    const auto offered = r.make_window<Value>(static_cast<std::size_t>(mine.block) *
                                              std::max<std::size_t>(outcomes.size(), 2));
    window<Value> whole;
    if (!machine_.all_here()) whole = r.make_window<Value>(inverse_.size(), home::host);
    outcomes[me] = iterate(r, mine, offered, of_rows.data() + first_[me], ranks.data() + first_[me],
                           jumps.empty() ? nullptr : jumps.data(), options_);
    outcome& out = outcomes[me];
    {
      const trace_span span(r, "order");
      if (out.in_other)
        to_vertices(first_[me], first_[me + 1], threads, ranks, of_rows);
      else
        to_vertices(first_[me], first_[me + 1], threads, of_rows, ranks);
    }
    out.seconds = r.clock() - out.begin;
    trace_run(r, "pagerank", out.begin, out.seconds);
    if (machine_.all_here()) return;
    const auto from = static_cast<std::size_t>(first_[me]);
    const std::span<Value> found = (out.in_other ? of_rows : ranks).span();
    gather_ranges<Value>(r, whole, first_[me],
                         found.subspan(from, static_cast<std::size_t>(first_[me + 1]) - from),
                         found);
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  machine& machine_;
  pagerank_options options_;
  std::vector<std::int64_t> first_;
  bool symmetric_;                     ///< all arcs weigh alike, and steps may go beyond; no model
  first_ranks first_ranks_;            ///< where nothing else is asked for
  std::int64_t block_;                 ///< rows of the longest range
  sweep_pieces sweeps_;                ///< none where there are no sweeps
  shared_array<edge_offset> offsets_;  ///< of rows of in-arcs, in the order of `vertex_`
  shared_array<Id> columns_;           ///< where their sources offer
  shared_array<Value> shares_;
  shared_array<Value> inverse_;  ///< of rows: 1 / W, or 1 where arcs have shares; 0 where W is
  shared_array<Id> vertex_;      ///< of each row
};

template <class Value>
std::unique_ptr<solver> make_typed(machine& m, const graph& g, const pagerank_options& options,
                                   const std::vector<std::int64_t>& first) {
  if (g.id_width() == 4)
    return std::make_unique<typed_solver<vertex32, Value>>(m, g, options, first);
  return std::make_unique<typed_solver<vertex64, Value>>(m, g, options, first);
}

}  // namespace

std::unique_ptr<solver> make_solver(const preparation& from) {
  if (from.on[0].is_cuda()) return make_gpu_solver(from);
  if (from.options.precision == 32)
    return make_typed<float>(from.on, from.of, from.options, from.first);
  return make_typed<double>(from.on, from.of, from.options, from.first);
}

}  // namespace gossamer::pagerank_detail
