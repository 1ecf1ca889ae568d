#include "algorithm/pagerank/gpu_solver.hpp"

#include <algorithm>

#include "algorithm/one_kernel.hpp"
#include "algorithm/pagerank/gpu_engine.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::pagerank_detail {

namespace {

template <class Value>
class gpu_solver final : public solver {
 public:
  gpu_solver(machine& m, const graph& g, const pagerank_options& options,
             const std::vector<std::int64_t>& first)
      : machine_(m), options_(options), one_kernel_(lacks_for_one_kernel(m).empty()) {
    auto rows = make_gpu_rows<Value>(g, first, options);
    for (int r = 0; r < m.size(); ++r)
      engines_.push_back(make_gpu_engine(rows, r, m[r], options, one_kernel_));
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

std::int64_t most_splits(std::int64_t arcs) {
  return arcs / shortest_split;
}
/// Every row's last chunk may have few arcs.
std::int64_t most_chunks(std::int64_t arcs) {
  return arcs / chunk_arcs + most_splits(arcs);
}

}  // namespace

std::unique_ptr<solver> make_gpu_solver(machine& m, const graph& g, const pagerank_options& options,
                                        const std::vector<std::int64_t>& first) {
  if (g.vertices() > most_vertices)
    throw capacity_error("pagerank: GPUs take 2^31 - 1 vertices, " + g.name + " has " +
                         std::to_string(g.vertices()));
  if (options.precision == 32) return std::make_unique<gpu_solver<float>>(m, g, options, first);
  return std::make_unique<gpu_solver<double>>(m, g, options, first);
}

gpu_bytes gpu_bytes_on(int ranks, std::int64_t vertices, std::int64_t rows, std::int64_t arcs,
                       const pagerank_options& options) {
  const std::int64_t width = options.precision / 8, p = ranks;
  const std::int64_t splits = most_splits(arcs), chunks = most_chunks(arcs);
  gpu_bytes b;
  b.rows = (rows + 1) * 4 + (rows / base_rows + 1) * 8 + rows * (width + 4 + (p > 1 ? 4 : 0)) +
           arcs * (4 + (options.weighted ? width : 0)) +
           chunks * static_cast<std::int64_t>(sizeof(chunk)) + (splits + 1) * 8;
  constexpr std::int64_t aligned = 512;  // twice the arena's alignment, for each piece
  constexpr auto words = static_cast<std::int64_t>((gpu_sum_words + gpu_partial_sums) * 8);
  b.arena.native = static_cast<std::size_t>((2 * vertices + rows) * width + rows * 8 + chunks * 8 +
                                            words + 64 * p + 12 * aligned);
  b.arena.host = static_cast<std::size_t>(64 * p + 4 * aligned);
  return b;
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

}  // namespace gossamer::pagerank_detail
