#include "algorithm/pagerank/solver.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "algorithm/gather_rows.hpp"
#include "algorithm/hub_order.hpp"
#include "algorithm/pagerank/gpu_solver.hpp"
#include "algorithm/pagerank/iteration.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "algorithm/row_ranges.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::pagerank_detail {

namespace {

template <class Id, class Value>
class typed_solver final : public solver {
 public:
  typed_solver(machine& m, const graph& g, const pagerank_options& options,
               const std::vector<std::int64_t>& first)
      : machine_(m),
        in_(reversed(g, options)),
        options_(options),
        first_(first),
        block_(algorithm_detail::longest_range(first)),
        inverse_(make_array<Value>(static_cast<std::size_t>(g.vertices()))) {
    const auto weights = out_weights(g, options.weighted, options.run.cancel);
    for (std::size_t v = 0; v < weights.size(); ++v)
      inverse_[v] =
          weights[v] > 0 ? static_cast<Value>(options.weighted ? 1 : 1 / weights[v]) : Value{0};
    if (options.weighted) shares_ = shares<Value>(in_, weights);
    const bool padded = algorithm_detail::is_padded(first_);
    if (algorithm_detail::is_skewed(g.offsets.span()))
      position_ = algorithm_detail::hub_positions<Id>(g.offsets.span(), first_);
    else if (padded)
      position_ = own_positions(g.vertices());
    if (padded) pad_positions();
    if (!position_.empty()) order_columns();
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           pagerank_result& result) override {
    const auto n = inverse_.size();
    const auto ranks = make_array<Value>(n);
    if (start.empty())
      std::fill(ranks.begin(), ranks.end(), static_cast<Value>(1 / static_cast<double>(n)));
    else
      std::transform(start.begin(), start.end(), ranks.begin(),
                     [](double x) { return static_cast<Value>(x); });
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { iterate_on(r, ranks, jumps, outcomes); }, options_.run);
    result.ranks = ranks;
    describe(outcomes, result);
  }

 private:
  static graph reversed(const graph& g, const pagerank_options& options) {
    if (options.weighted) return g.transposed(options.run.cancel);
    graph bare = g;
    bare.weights = {};
    return bare.transposed(options.run.cancel);
  }

  static shared_array<Id> own_positions(std::int64_t n) {
    auto position = make_array<Id>(static_cast<std::size_t>(n));
    std::iota(position.begin(), position.end(), Id{0});
    return position;
  }

  /// A rank's offers begin at its block, which is as long as that of the rank with most rows.
  void pad_positions() {
    const auto ranks = static_cast<std::int64_t>(first_.size()) - 1;
    if (block_ * ranks > std::numeric_limits<Id>::max())
      throw capacity_error("pagerank: " + std::to_string(ranks) + " blocks of the largest part's " +
                           std::to_string(block_) + " vertices exceed the graph's ids");
    for (std::int64_t r = 0; r < ranks; ++r)
      for (std::int64_t v = first_[r]; v < first_[r + 1]; ++v)
        position_[static_cast<std::size_t>(v)] += static_cast<Id>(r * block_ - first_[r]);
  }

  /// Vertices with many out-arcs offer side by side. Inside each rank's range: it is sent whole.
  void order_columns() {
    const auto old = in_.view<Id>().indices;
    columns_ = make_array<Id>(old.size());
    for (std::size_t k = 0; k < old.size(); ++k)
      columns_[k] = position_[static_cast<std::size_t>(old[k])];
  }

  void iterate_on(rank& r, const shared_array<Value>& ranks, const shared_array<double>& jumps,
                  std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const auto n = static_cast<std::int64_t>(inverse_.size());
    part<Id, Value> mine;
    const auto in = in_.view<Id>();
    mine.rows = {in,
                 columns_.empty() ? in.indices.data() : columns_.data(),
                 position_.empty() ? nullptr : position_.data(),
                 shares_.empty() ? nullptr : shares_.data(),
                 first_[me],
                 first_[me + 1],
                 r.dev().threads};
    mine.inverse_weight = inverse_.data() + first_[me];
    mine.block = block_;
    mine.vertices = n;
    const auto offered =
        r.make_window<Value>(static_cast<std::size_t>(mine.block) * outcomes.size());
    window<Value> whole;
    if (!machine_.all_here()) whole = r.make_window<Value>(inverse_.size(), home::host);
    outcomes[me] = iterate(r, mine, offered, ranks.data() + first_[me],
                           jumps.empty() ? nullptr : jumps.data(), options_);
    if (machine_.all_here()) return;
    algorithm_detail::gather_rows(r, whole, first_[me], first_[me + 1] - first_[me], ranks.span());
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  machine& machine_;
  graph in_;
  pagerank_options options_;
  std::vector<std::int64_t> first_;
  std::int64_t block_;           ///< rows of the longest range
  shared_array<Value> inverse_;  ///< 1 / W, or 1 where arcs have shares; 0 where W is
  shared_array<Value> shares_;
  shared_array<Id> position_, columns_;  ///< where vertices offer; empty: at their own index
};

template <class Value>
std::unique_ptr<solver> make_typed(machine& m, const graph& g, const pagerank_options& options,
                                   const std::vector<std::int64_t>& first) {
  if (g.id_width() == 4)
    return std::make_unique<typed_solver<vertex32, Value>>(m, g, options, first);
  return std::make_unique<typed_solver<vertex64, Value>>(m, g, options, first);
}

}  // namespace

std::unique_ptr<solver> make_solver(machine& m, const graph& g, const pagerank_options& options,
                                    const std::vector<std::int64_t>& first) {
  if (m[0].is_cuda()) return make_gpu_solver(m, g, options, first);
  if (options.precision == 32) return make_typed<float>(m, g, options, first);
  return make_typed<double>(m, g, options, first);
}

}  // namespace gossamer::pagerank_detail
