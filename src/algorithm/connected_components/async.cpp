#include "algorithm/connected_components/async.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "algorithm/connected_components/flood.hpp"
#include "algorithm/gather_rows.hpp"
#include "algorithm/priority_choice.hpp"
#include "algorithm/range_owners.hpp"
#include "algorithm/short_rows.hpp"
#include "algorithm/slowest_rank.hpp"
#include "algorithm/vertex_worklist.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::components_detail {

namespace {

using algorithm_detail::capacities;
using algorithm_detail::range_owners;

template <class Id>
using label_worklist =
    algorithm_detail::vertex_worklist<smallest_label<Id>, Id, no_weight, range_owners>;

/// Rows whose arcs lead both ways.
template <class Id>
struct both_ways {
  shared_array<edge_offset> offsets;
  shared_array<Id> columns;
};

template <class Id>
both_ways<Id> rows_of(const graph& g, const std::stop_token& stop) {
  if (g.symmetric) return {g.offsets, std::get<shared_array<Id>>(g.indices)};
  const graph reversed = g.transposed(stop);
  const auto out = g.view<Id>(), in = reversed.view<Id>();
  const std::int64_t n = g.vertices();
  both_ways<Id> rows{make_array<edge_offset>(static_cast<std::size_t>(n + 1)),
                     make_array<Id>(static_cast<std::size_t>(2 * g.arcs()))};
  Id* to = rows.columns.data();
  for (std::int64_t v = 0; v < n; ++v) {
    rows.offsets[static_cast<std::size_t>(v)] = to - rows.columns.data();
    for (const auto& row : {out.row(v), in.row(v)}) to = std::copy(row.begin(), row.end(), to);
  }
  rows.offsets[static_cast<std::size_t>(n)] = to - rows.columns.data();
  return rows;
}

template <class Id>
std::int64_t longest(const both_ways<Id>& rows) {
  std::int64_t most = 0;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v)
    most = std::max<std::int64_t>(most, rows.offsets[v + 1] - rows.offsets[v]);
  return most;
}

/// On a CPU rank.
template <class Id>
class cpu_flood final : public label_flood<Id> {
 public:
  cpu_flood(const both_ways<Id>& rows, const std::vector<std::int64_t>& first, int self,
            const worklist_options& options)
      : rows_(rows),
        list_(smallest_label<Id>{},
              gossamer::weighted_rows<Id>{first.back(), rows.offsets.data(), rows.columns.data(),
                                          nullptr},
              range_owners(first, self), self,
              capacities(range_owners(first, self), static_cast<int>(first.size()) - 1),
              first.back(), options),
        begin_(first[static_cast<std::size_t>(self)]),
        end_(first[static_cast<std::size_t>(self) + 1]) {}

  flood_outcome run(rank& r, Id* labels) override {
    const double from = r.clock();
    {
      const trace_span span(r, "propagate");
      list_.begin_each(r,
                       [&](std::int64_t v) { return starts(v) ? unlabelled : static_cast<Id>(v); });
      for (std::int64_t v = begin_; v < end_; ++v)
        if (starts(v)) list_.start(static_cast<Id>(v), static_cast<Id>(v));
      list_.run();
    }
    if (begin_ < end_) std::copy_n(&list_[begin_], end_ - begin_, labels + begin_);
    r.charge(static_cast<double>(end_ - begin_) * 2 * sizeof(Id), 0);
    return {list_.counters(), r.clock() - from, list_.traffic().sending, list_.traffic().waiting};
  }

 private:
  static constexpr Id unlabelled = std::numeric_limits<Id>::max();
  /// Vertices without arcs have their labels from the start, and are no work. Other ranks' vertices
  /// begin with their own: no larger label is sent there.
  [[nodiscard]] bool starts(std::int64_t v) const {
    return v >= begin_ && v < end_ && rows_.offsets[v] < rows_.offsets[v + 1];
  }

  const both_ways<Id>& rows_;
  label_worklist<Id> list_;
  std::int64_t begin_, end_;
};

template <class Id>
class async_program final : public components_program {
 public:
  async_program(machine& m, const graph& g, std::vector<std::int64_t> first,
                const components_options& asked)
      : machine_(m),
        first_(std::move(first)),
        rows_(rows_of<Id>(g, asked.run.cancel)),
        vertices_(g.vertices()) {
    const bool short_rows = algorithm_detail::short_in_the_mean(vertices_, g.arcs()) &&
                            longest(rows_) <= algorithm_detail::longest_short_row;
    for (int r = 0; r < m.size(); ++r)
      if (!m.here(r))
        floods_.push_back(nullptr);
      else if (m[r].is_cuda())
        floods_.push_back(make_gpu_flood(m[r], rows_.offsets.data(), rows_.columns.data(), first_,
                                         r, short_rows));
      else
        floods_.push_back(std::make_unique<cpu_flood<Id>>(
            rows_, first_, r, algorithm_detail::worklist_of("components", one_label, asked)));
  }

  void run(const run_options& options, components_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(vertices_));
    std::vector<flood_outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { work(r, labels, outcomes); }, options);
    describe(outcomes, result);
    result.labels = labels;
  }

 private:
  void work(rank& r, const shared_array<Id>& labels, std::vector<flood_outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const bool whole = machine_.all_here();
    window<Id> all;
    if (!whole) all = r.make_window<Id>(labels.size(), home::host);
    const std::int64_t first = first_[me], last = first_[me + 1];
    const double begin = r.clock();
    outcomes[me] = floods_[me]->run(r, labels.data());
    trace_run(r, "components", begin, outcomes[me].seconds);
    if (whole) return;
    algorithm_detail::gather_rows(r, all, first, last - first, labels.span());
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  void describe(const std::vector<flood_outcome>& outcomes, components_result& result) const {
    const flood_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.work.emplace();
    for (const flood_outcome& o : outcomes) result.work->add(o.work);
    result.milliseconds = slowest.seconds * 1e3;
    result.phases = {{"propagate", algorithm_detail::rest_of(slowest.seconds,
                                                             {slowest.exchange, slowest.agree})}};
    if (outcomes.size() == 1 || machine_[0].is_cuda()) return;
    result.phases.emplace_back("exchange", slowest.exchange);
    result.phases.emplace_back("agree", slowest.agree);
  }

  machine& machine_;
  std::vector<std::int64_t> first_;
  both_ways<Id> rows_;
  std::int64_t vertices_;
  std::vector<std::unique_ptr<label_flood<Id>>> floods_;  ///< of this process's ranks
};

template <class Id>
std::int64_t work_bytes(const std::vector<std::int64_t>& first, int rank, bool soft) {
  const auto ranks = static_cast<int>(first.size()) - 1;
  return label_worklist<Id>::bytes(rank, capacities(range_owners(first, rank), ranks), first.back(),
                                   soft);
}

}  // namespace

std::unique_ptr<components_program> make_async(machine& m, const graph& g,
                                               std::vector<std::int64_t> first,
                                               const components_options& asked) {
  if (g.id_width() == 4)
    return std::make_unique<async_program<vertex32>>(m, g, std::move(first), asked);
  return std::make_unique<async_program<vertex64>>(m, g, std::move(first), asked);
}

async_bytes async_bytes_on(const machine& m, const std::vector<std::int64_t>& first, int rank,
                           std::int64_t arcs, bool symmetric, int id_width,
                           const std::string& priority) {
  const std::int64_t n = first.back();
  async_bytes b;
  const bool soft = algorithm_detail::soft_priority("components", priority);
  b.work = id_width == 4 ? work_bytes<vertex32>(first, rank, soft)
                         : work_bytes<vertex64>(first, rank, soft);
  b.windows = label_worklist<vertex32>::window_bytes(m.size());
  if (!m.all_here()) b.gathered = (n * id_width + 255) / 256 * 256;
  // While it is made, the graph the other way round lies beside it.
  if (!symmetric) b.arcs = 2 * (n + 1) * 8 + 3 * arcs * id_width;
  return b;
}

}  // namespace gossamer::components_detail
