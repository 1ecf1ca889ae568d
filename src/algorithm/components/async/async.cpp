// The program of engine async: on each CPU rank a worklist that floods labels, on GPU ranks the
// same made by make_gpu_flood(), and what a run reports of them.
#include "algorithm/components/async/async.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithm/components/async/flood.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::components_detail {

namespace {

using algorithm_detail::drive_of;

template <class Id>
using label_worklist = vertex_worklist<smallest_label<Id>, Id, no_weight, ownership_view>;

/// A rank's rows on a CPU.
template <class Id>
both_ways<Id> rows_of(const placed_graph& g, int rank) {
  const graph_slice<Id>& slice = g.slice<Id>(rank);
  both_ways<Id> rows;
  rows.offsets = slice.offsets;
  rows.columns = slice.columns;
  if (!g.symmetric()) rows.write_down(slice);
  return rows;
}

/// On a CPU rank.
template <class Id>
class cpu_flood final : public label_flood<Id> {
 public:
  cpu_flood(const placed_graph& g, int self, const worklist_options& options)
      : rows_(rows_of<Id>(g, self)),
        begin_(g.bounds()[static_cast<std::size_t>(self)]),
        end_(g.bounds()[static_cast<std::size_t>(self) + 1]),
        list_(smallest_label<Id>{},
              gossamer::weighted_rows<Id>{end_ - begin_, rows_.offsets, rows_.columns, nullptr},
              g.owners().view(), self, algorithm_detail::capacities(g.bounds()), g.bounds().back(),
              options) {}

  algorithm_detail::worklist_outcome run(rank& r, Id* labels) override {
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
    return v >= begin_ && v < end_ && rows_.offsets[v - begin_] < rows_.offsets[v - begin_ + 1];
  }

  both_ways<Id> rows_;
  std::int64_t begin_, end_;
  label_worklist<Id> list_;
};

template <class Id>
class async_program final : public components_program {
 public:
  async_program(std::shared_ptr<const placed_graph> g, const components_options& asked,
                const std::string& engine)
      : graph_(std::move(g)), machine_(graph_->on()) {
    for (int r = 0; r < machine_.size(); ++r)
      if (!machine_.here(r))
        floods_.push_back(nullptr);
      else if (machine_[r].is_cuda())
        floods_.push_back(
            make_gpu_flood<Id>(*graph_, r, drive_of("components", asked, engine, one_label)));
      else
        floods_.push_back(std::make_unique<cpu_flood<Id>>(
            *graph_, r, algorithm_detail::worklist_of("components", one_label, asked)));
  }

  void run(const run_options& options, components_result& result) override {
    const placed_values<Id> labels(*graph_);
    std::vector<algorithm_detail::worklist_outcome> outcomes(
        static_cast<std::size_t>(machine_.size()));
    const auto work = [&](rank& r) {
      algorithm_detail::run_worklist(r, "components", labels, outcomes, [&] {
        return floods_[static_cast<std::size_t>(r.id())]->run(r, labels.values().data());
      });
    };
    machine_.run(work, options);
    algorithm_detail::describe_worklists(outcomes, "propagate", machine_[0].is_cuda(), result);
    result.labels = labels.values();
  }

 private:
  std::shared_ptr<const placed_graph> graph_;
  machine& machine_;
  std::vector<std::unique_ptr<label_flood<Id>>> floods_;  ///< of this process's ranks
};

template <class Id>
std::int64_t work_bytes(const planned_rows& rows, int rank, bool soft) {
  return label_worklist<Id>::bytes(rank, algorithm_detail::capacities(rows.bounds), rows.ids(),
                                   soft);
}

}  // namespace

std::unique_ptr<components_program> make_async(std::shared_ptr<const placed_graph> g,
                                               const components_options& asked,
                                               const std::string& engine) {
  if (g->id_width() == 4)
    return std::make_unique<async_program<vertex32>>(std::move(g), asked, engine);
  return std::make_unique<async_program<vertex64>>(std::move(g), asked, engine);
}

async_bytes async_bytes_on(const machine& m, const planned_rows& rows, int rank,
                           std::int64_t in_arcs, bool symmetric, int id_width,
                           const std::string& priority) {
  async_bytes b;
  const bool soft = priority == "soft";
  b.work = id_width == 4 ? work_bytes<vertex32>(rows, rank, soft)
                         : work_bytes<vertex64>(rows, rank, soft);
  b.windows = label_worklist<vertex32>::window_bytes(m.size());
  b.gathered = id_width == 4 ? placed_values<vertex32>::bytes(m, rows.ids())
                             : placed_values<vertex64>::bytes(m, rows.ids());
  if (!symmetric)
    b.arcs = both_ways_bytes(rows.ids(rank), rows.arcs[static_cast<std::size_t>(rank)] + in_arcs,
                             id_width);
  return b;
}

}  // namespace gossamer::components_detail
