// Components without phases: every vertex's label is the smallest that has reached it, along arcs
// in both directions, by a distributed worklist (dataflow/operator_worklist.hpp).
//
// The label is also the soft priority, which is what makes label propagation cheap. Started from
// all vertices at once, a label travels only to be overtaken by smaller ones, again and again.
// Here the first window holds the smallest label alone: it floods its whole component before
// another one moves, and what it has reached is done. Later windows double while they hold little
// (dataflow/threshold.hpp), so that the remaining small components need few.
#include <algorithm>
#include <limits>
#include <utility>

#include "algorithm/components/async/flood.hpp"
#include "algorithm/components/kinds.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::components_detail {

namespace {

using algorithm_detail::drive_of, algorithm_detail::memory_layout;

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
class worklist_engine final : public engine {
 public:
  worklist_engine(std::shared_ptr<const placed_graph> g, const components_options& asked)
      : graph_(std::move(g)), machine_(graph_->on()) {
    for (int r = 0; r < machine_.size(); ++r)
      if (!machine_.here(r))
        floods_.push_back(nullptr);
      else if (machine_[r].is_cuda())
        floods_.push_back(
            make_gpu_flood<Id>(*graph_, r, drive_of("components", asked, asked.engine, one_label)));
      else
        floods_.push_back(std::make_unique<cpu_flood<Id>>(
            *graph_, r, algorithm_detail::worklist_of(machine_, "components", one_label, asked)));
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
std::int64_t work_bytes(const planned_rows& rows, int rank, const worklist_options& how) {
  return label_worklist<Id>::bytes(rank, algorithm_detail::capacities(rows.bounds), rows.ids(),
                                   how);
}

std::int64_t in_arcs_of(const problem& p, int r) {
  return p.in_arcs.empty() ? 0 : p.in_arcs[static_cast<std::size_t>(r)];
}

void declare_cpu(memory_layout& l, const machine& m, const problem& p, int r,
                 const components_options& options) {
  const worklist_options how = algorithm_detail::worklist_of(m, "components", one_label, options);
  l.own(
      r, "known labels and worklists",
      p.id_width == 4 ? work_bytes<vertex32>(p.rows, r, how) : work_bytes<vertex64>(p.rows, r, how),
      p.rows.rows_are);
  l.window(r, "inbox", label_worklist<vertex32>::window_bytes(m.size(), how));
  if (p.symmetric) return;
  const std::int64_t arcs = p.rows.arcs[static_cast<std::size_t>(r)] + in_arcs_of(p, r);
  l.own(r, "arcs of both directions", both_ways_bytes(p.rows.ids(r), arcs, p.id_width),
        p.rows.arcs_are);
}

/// Of a directed graph arcs are laid out in both directions.
void declare_gpu(memory_layout& l, const machine& m, const problem& p, int r,
                 const components_options& options) {
  declare_gpu_flood(l, m, p, r, p.rows.arcs[static_cast<std::size_t>(r)] + in_arcs_of(p, r),
                    drive_of("components", options, options.engine, one_label));
}

void declare(memory_layout& l, const machine& m, const problem& p,
             const components_options& options) {
  for (int r = 0; r < m.size(); ++r) {
    (m[r].is_cuda() ? declare_gpu : declare_cpu)(l, m, p, r, options);
    l.host_window(r, "gathered results",
                  p.id_width == 4 ? placed_values<vertex32>::bytes(m, p.rows.ids())
                                  : placed_values<vertex64>::bytes(m, p.rows.ids()),
                  p.rows.rows_are);
  }
}

std::unique_ptr<engine> make(const preparation& from) {
  if (from.placed->id_width() == 4)
    return std::make_unique<worklist_engine<vertex32>>(from.placed, from.options);
  return std::make_unique<worklist_engine<vertex64>>(from.placed, from.options);
}

}  // namespace

const engine_kind& async_kind() {
  static const engine_kind kind{
      .info = {.name = "async",
               .meaning = "no phases: the smallest label spreads by a distributed worklist"},
      .both_directions = true,
      .worklist = true,
      .declare = declare,
      .make = make};
  return kind;
}

const engine_kind& host_kind() {
  return algorithm_detail::driven_by_host<async_kind>();
}

}  // namespace gossamer::components_detail
