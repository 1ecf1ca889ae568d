// The phases of a run: join each row's first arcs, find the most frequent label, join the rest
// without it. After each, the trees of all ranks are made one.
#include "algorithm/components/tasks/tasks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "algorithm/components/sync/sync_outcome.hpp"
#include "algorithm/components/tasks/task_forest.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::components_detail {

namespace {

using outcome = sync_outcome;

constexpr std::int64_t samples = 1024;  ///< labels of a rank

/// Collective: the label that most of all ranks' samples have; -1 without a vertex.
template <class Id>
Id most_frequent(rank& r, const task_forest<Id>& forest, std::int64_t first, std::int64_t last) {
  std::map<Id, std::int64_t> counts;
  const std::int64_t step = std::max<std::int64_t>(1, (last - first) / samples);
  for (std::int64_t v = first; v < last; v += step) ++counts[forest.label(v)];
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::array<std::int64_t, 2> mine{-1, 0};
  if (const auto best = std::max_element(counts.begin(), counts.end(), more); best != counts.end())
    mine = {best->first, best->second};
  std::vector<std::array<std::int64_t, 2>> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  counts.clear();
  for (const auto& [label, count] : all) counts[static_cast<Id>(label)] += count;
  return std::max_element(counts.begin(), counts.end(), more)->first;
}

template <class Id>
class tasks_program final : public components_program {
 public:
  explicit tasks_program(std::shared_ptr<const placed_graph> g)
      : graph_(std::move(g)), machine_(graph_->on()) {
    for (int r = 0; r < machine_.size(); ++r)
      forests_.push_back(machine_.here(r) ? std::make_unique<task_forest<Id>>(*graph_, r)
                                          : nullptr);
  }

  void run(const run_options& options, components_result& result) override {
    const placed_values<Id> labels(*graph_);
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { work(r, labels, outcomes); }, options);
    describe(outcomes, result);
    result.labels = labels.values();
  }

 private:
  using peers = typename task_forest<Id>::peers;

  void work(rank& r, const placed_values<Id>& labels, std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const auto everybodys = labels.open(r);
    task_forest<Id>& forest = *forests_[me];
    global_tasks tasks(r, algorithm_detail::named_tasks("components"));
    const peers all(tasks, forest);
    const auto parents = tasks.heap().template allocate_owned<Id>(graph_->bounds().back()).local();
    r.barrier();
    const double begin = r.clock();
    forest.begin(parents);
    join(r, forest, all, outcomes[me]);
    const std::int64_t first = graph_->bounds()[me], last = graph_->bounds()[me + 1];
    for (std::int64_t v = first; v < last; ++v)
      labels.values()[static_cast<std::size_t>(v)] = forest.label(v);
    outcomes[me].seconds = r.clock() - begin;
    r.charge(static_cast<double>(forest.arcs()) * (sizeof(Id) + line) +
                 static_cast<double>(last - first) * (4 * sizeof(Id) + line),
             0);
    trace_run(r, "components", begin, outcomes[me].seconds);
    labels.close(r, everybodys);
    if (!machine_.all_here()) algorithm_detail::gather_outcomes(r, outcomes);
  }

  void join(rank& r, task_forest<Id>& forest, const peers& all, outcome& out) const {
    const auto me = static_cast<std::size_t>(r.id());
    Id skip = -1;
    // An arc that stands in one row alone could be the one between a skipped component and the
    // rest.
    const bool skipping = graph_->symmetric();
    if (skipping) {
      timed(r, "sample", out.sample, [&] { forest.join_first(all); });
      settle(r, forest, all, out);
      skip = most_frequent<Id>(r, forest, graph_->bounds()[me], graph_->bounds()[me + 1]);
    }
    timed(r, "hook", out.hook,
          [&] { forest.join_rest(all, skipping ? task_forest<Id>::first_arcs : 0, skip); });
    settle(r, forest, all, out);
  }

  /// Own vertices' parents become their components' smallest vertices.
  static void settle(rank& r, task_forest<Id>& forest, const peers& all, outcome& out) {
    if (r.size() > 1) timed(r, "merge", out.merge, [&] { forest.follow_roots(all); });
    timed(r, "compress", out.compress, [&] { forest.compress(); });
  }

  template <class Work>
  static void timed(rank& r, const char* name, double& seconds, Work&& work) {
    const trace_span span(r, name);
    const double begin = r.clock();
    work();
    r.progress();
    seconds += r.clock() - begin;
  }

  std::shared_ptr<const placed_graph> graph_;
  machine& machine_;
  std::vector<std::unique_ptr<task_forest<Id>>> forests_;  ///< of this process's ranks
};

}  // namespace

std::unique_ptr<components_program> make_tasks(std::shared_ptr<const placed_graph> g) {
  if (g->id_width() == 4) return std::make_unique<tasks_program<vertex32>>(std::move(g));
  return std::make_unique<tasks_program<vertex64>>(std::move(g));
}

tasks_bytes tasks_bytes_on(const machine& m, const planned_rows& p, int rank, int id_width) {
  const std::int64_t n = p.ids(), rows = p.ids(rank);
  tasks_bytes b;
  b.work = id_width == 4 ? task_forest<vertex32>::work_bytes(n, rows)
                         : task_forest<vertex64>::work_bytes(n, rows);
  b.windows = id_width == 4 ? task_forest<vertex32>::arena_bytes(n, m.size())
                            : task_forest<vertex64>::arena_bytes(n, m.size());
  b.gathered =
      id_width == 4 ? placed_values<vertex32>::bytes(m, n) : placed_values<vertex64>::bytes(m, n);
  return b;
}

}  // namespace gossamer::components_detail
