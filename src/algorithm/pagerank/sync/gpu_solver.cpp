// Puts a start and jumps into the order of slots, runs every GPU's engine, and puts the ranks back
// in the caller's order.
#include "algorithm/pagerank/sync/gpu_solver.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/result_blocks.hpp"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_engine.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/device_csr.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer::pagerank_detail {

namespace {

template <class Value>
class gpu_solver final : public solver {
 public:
  explicit gpu_solver(const preparation& from)
      : machine_(from.on),
        options_(from.options),
        one_kernel_(lacks_for_one_kernel(from.on).empty()) {
    auto rows = make_gpu_rows<Value>(from.of, from.first, options_);
    for (int r = 0; r < machine_.size(); ++r)
      engines_.push_back(make_gpu_engine(rows, r, machine_[r], options_, one_kernel_, from.needs));
    first_ = std::move(rows.first);
    slot_ = std::move(rows.slot);
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           const run_options& how, pagerank_result& result) override {
    const auto n = slot_.size();
    const auto by_slot = make_array<Value>(n);
    if (start.empty())
      std::fill(by_slot.begin(), by_slot.end(), static_cast<Value>(1 / static_cast<double>(n)));
    else
      for (std::size_t v = 0; v < n; ++v) by_slot[at(v)] = static_cast<Value>(start[v]);
    shared_array<double> jumps_by_slot;
    if (!jumps.empty()) jumps_by_slot = make_array<double>(n);
    for (std::size_t v = 0; v < jumps.size(); ++v) jumps_by_slot[at(v)] = jumps[v];
    std::vector<outcome> outcomes(engines_.size());
    machine_.run(
        [&](rank& r) {
          const auto me = static_cast<std::size_t>(r.id());
          const auto from = static_cast<std::size_t>(first_[me]);
          const auto rows = static_cast<std::size_t>(first_[me + 1]) - from;
          outcomes[me] = engines_[me]->iterate(
              r, by_slot.span().subspan(from, rows),
              jumps.empty() ? std::span<const double>()
                            : std::span<const double>(jumps_by_slot.span().subspan(from, rows)));
        },
        how);
    const auto ranks = make_array<Value>(n);
    for (std::size_t v = 0; v < n; ++v) ranks[v] = by_slot[at(v)];
    result.ranks = ranks;
    describe(outcomes, result);
    if (one_kernel_) result.phases.resize(1);  // what is in it cannot be told apart
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t v) const { return static_cast<std::size_t>(slot_[v]); }

  machine& machine_;
  pagerank_options options_;
  bool one_kernel_;
  std::vector<std::int64_t> first_;
  shared_array<vertex32> slot_;
  std::vector<std::unique_ptr<gpu_engine<Value>>> engines_;
};

/// One GPU: rows are built where the graph lies, once for all solvers, and what goes in and comes
/// out is put in order there.
template <class Value>
class one_gpu_solver final : public solver {
 public:
  one_gpu_solver(machine& m, const graph& g, const pagerank_options& options)
      : machine_(m), vertices_(g.vertices()), one_kernel_(lacks_for_one_kernel(m).empty()) {
    if (options.weighted) require_weights(g);
    graph followed = g;  // rows are the same with any weights that no step looks at
    if (!options.weighted) followed.weights = {};
    const auto rows = kept::shared<rows_on_gpu<Value>>(
        m, followed, kept::text("rows by length", options.weighted, options.precision),
        [&](const graph& bare) {
          const auto placed = kept::place(m, bare, placement_of(options));
          return std::make_shared<rows_on_gpu<Value>>(
              placed->id_width() == 4 ? built<vertex32>(bare, *placed, options)
                                      : built<vertex64>(bare, *placed, options));
        });
    engine_ = make_gpu_engine(rows, m[0], options, one_kernel_);
    results_ = {m[0], 0, vertices_, sizeof(Value)};
  }

  void run(const shared_array<double>& jumps, const shared_array<double>& start,
           const run_options& how, pagerank_result& result) override {
    auto ranks = results_.take();
    std::vector<outcome> outcomes(1);
    machine_.run(
        [&](rank& r) {
          outcomes[0] = engine_->iterate(r, std::span<const double>(start.span()),
                                         std::span<const double>(jumps.span()),
                                         algorithm_detail::values_in<Value>(ranks));
        },
        how);
    const auto lent = results_.lend(std::move(ranks));
    result.ranks = result_values<rank_array>::on_gpu<Value>(
        {std::shared_ptr<const void>(lent, lent->data()), vertices_, machine_[0].ordinal});
    describe(outcomes, result);
    if (one_kernel_) result.phases.resize(1);  // what is in it cannot be told apart
  }

 private:
  template <class Id>
  rows_on_gpu<Value> built(const graph& g, const placed_graph& placed,
                           const pagerank_options& options) const {
    const device& on = machine_[0];
    const auto& slice = placed.slice<Id>(0);  // with empty rows behind the graph's
    graph_on_gpu<Id> there{g.vertices(), g.arcs(), slice.offsets, slice.columns, slice.in_offsets};
    if (g.symmetric) there.in_offsets = there.offsets;
    row_building how;
    how.weighted = options.weighted;
    how.stop = options.run.cancel;
    how.refuse_weights = [&] { out_weights(on_host(g), true, options.run.cancel); };
    if (!options.weighted) return build_rows<Id, Value>(on, there, how);
    return std::visit(
        [&](const auto& weights) {
          using array = std::decay_t<decltype(weights)>;
          if constexpr (std::is_same_v<array, std::monostate>) {
            return rows_on_gpu<Value>{};  // refused before
          } else {
            using weight = std::remove_const_t<std::remove_pointer_t<decltype(weights.data())>>;
            buffer<weight> along;
            if (g.gpu < 0) {
              along = make_native_buffer<weight>(on, weights.size());
              copy_bytes(along.data(), weights.data(), weights.size() * sizeof(weight));
            }
            there.weights = static_cast<const weight*>(g.gpu < 0 ? along.data() : weights.data());
            return build_rows<Id, Value>(on, there, how);
          }
        },
        g.weights);
  }

  machine& machine_;
  std::int64_t vertices_;
  bool one_kernel_;
  std::unique_ptr<gpu_engine<Value>> engine_;
  algorithm_detail::result_blocks results_;
};

template <class Value>
std::unique_ptr<solver> make_typed_gpu_solver(const preparation& from) {
  if (from.laid_by_host) return std::make_unique<gpu_solver<Value>>(from);
  return std::make_unique<one_gpu_solver<Value>>(from.on, from.of, from.options);
}

std::int64_t most_splits(std::int64_t arcs) {
  return arcs / shortest_split;
}
/// Every row's last chunk may have few arcs.
std::int64_t most_chunks(std::int64_t arcs) {
  return arcs / chunk_arcs + most_splits(arcs);
}

}  // namespace

bool builds_rows(const machine& m, std::int64_t vertices) {
  constexpr std::int64_t padding = 64;  // ids stay as wide as they are
  return m.size() == 1 && vertices > 0 && vertices + padding <= most_vertices;
}

place_options placement_of(const pagerank_options& options) {
  place_options how;
  how.both_directions = false;
  how.memory = options.memory;
  how.stop = options.run.cancel;
  return how;
}

std::unique_ptr<solver> make_gpu_solver(const preparation& from) {
  if (from.of.vertices() > most_vertices)
    throw capacity_error("pagerank: GPUs take 2^31 - 1 vertices, " + from.of.name + " has " +
                         std::to_string(from.of.vertices()));
  if (from.options.precision == 32) return make_typed_gpu_solver<float>(from);
  return make_typed_gpu_solver<double>(from);
}

void declare_gpu_rank(memory_layout& l, const machine& m, const problem& p, int rank,
                      const pagerank_options& options, certainty sure) {
  const auto me = static_cast<std::size_t>(rank);
  const std::int64_t rows = p.ranges.first[me + 1] - p.ranges.first[me],
                     arcs = p.ranges.in_arcs[me];
  const std::int64_t width = options.precision / 8;
  const std::int64_t splits = most_splits(arcs), chunks = most_chunks(arcs);
  // Beside where rows begin: 1 / W, where offers lie, and who wants them or where a vertex is.
  l.own(rank, "rows",
        (rows + 1) * 4 + (rows / base_rows + 1) * 8 + rows * (width + 4 + 4) +
            chunks * static_cast<std::int64_t>(sizeof(chunk)) + (splits + 1) * 8,
        sure);
  l.rows(rank, columns_purpose, arcs * 4, sure);
  if (options.weighted) l.rows(rank, shares_purpose, arcs * width, sure);
  constexpr std::int64_t aligned = 512;  // twice the arena's alignment, for each piece
  constexpr auto words = static_cast<std::int64_t>((gpu_sum_words + gpu_partial_sums) * 8);
  l.window(rank, "offers and ranks",
           (2 * p.vertices + rows) * width + rows * 8 + chunks * 8 + words +
               std::int64_t{64} * m.size() + 12 * aligned,
           sure);
  l.host_window(rank, "agreement", std::int64_t{64} * m.size() + 4 * aligned);
}

std::int64_t gpu_layout_bytes(int ranks, std::int64_t vertices, std::int64_t arcs, bool symmetric,
                              const pagerank_options& options) {
  const std::int64_t width = options.precision / 8;
  // Sums of weights, where rows begin twice, four orders; by slot what is uploaded.
  const std::int64_t a_vertex =
      8 + 8 + (symmetric ? 0 : 8) + 4 * 4 + 4 + 4 + width + (ranks > 1 ? 4 : 0);
  return (vertices + 1) * a_vertex + arcs * (4 + (options.weighted ? width : 0)) +
         most_chunks(arcs) * 24;
}

std::int64_t building_bytes(std::int64_t vertices, std::int64_t arcs, bool symmetric,
                            const pagerank_options& options) {
  const std::int64_t width = options.precision / 8, lot = lot_of(arcs);
  // Two rooms for pairs of 8 bytes, and what CUB takes beside them: 1,024 bytes for some 3,000
  // pairs, and counts of digits.
  const std::int64_t pairs = std::max(vertices, lot);
  const std::int64_t sorting = 16 * pairs + pairs / 2 + (std::int64_t{1} << 16);
  // Three orders, where rows and sources begin, in-offsets, sums of weights.
  const std::int64_t a_vertex = 3 * 4 + 2 * 8 + (symmetric ? 0 : 8) + (options.weighted ? 8 : 0);
  return sorting + (vertices + 1) * a_vertex + (options.weighted ? lot * (4 + width) : 0);
}

}  // namespace gossamer::pagerank_detail
