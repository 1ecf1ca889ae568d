// Components by tasks (task/global_tasks.hpp): joined trees of which each rank has its own, and
// delegated joins where they meet.
//
// Each rank joins the arcs of its rows in a forest over all vertices, where a vertex's parent is a
// smaller vertex of the same component; as in engine sync, first two arcs a row, then the rest of
// rows outside the largest component. There is one rule across ranks: whoever gives a root that is
// another's a parent posts that to the owner, who joins the two in its own forest (and, if that
// gives a third rank's root a parent, tells that one in turn). A rank does so once a vertex at
// most, whatever the number of arcs.
//
// Why that is enough: let next(v) be the root of v in the forest of v's owner. It is v or smaller,
// so that going on from owner to owner ends, at end(v). Whenever a root h got a parent l somewhere,
// end(h) = end(l): by induction over h, since h's owner has joined them, and all parents on the way
// from l to next(h) there were given to vertices below h. So an arc's two vertices, which have one
// root in the forest of the rank that joined them, have one end: the smallest of their component.
//
// The ends of roots that are others' are then asked for, by tasks that each follow one.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "algorithm/components/kinds.hpp"
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
class task_engine final : public engine {
 public:
  explicit task_engine(std::shared_ptr<const placed_graph> g)
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

void declare(algorithm_detail::memory_layout& l, const machine& m, const problem& p,
             const components_options&) {
  const std::int64_t n = p.rows.ids();
  const bool narrow = p.id_width == 4;
  for (int r = 0; r < m.size(); ++r) {
    const std::int64_t rows = p.rows.ids(r);
    const auto takes = narrow ? task_forest<vertex32>::bytes(n, rows, m.size())
                              : task_forest<vertex64>::bytes(n, rows, m.size());
    l.own(r, "vertices to tell of", takes.own, p.rows.rows_are);
    l.window(r, "forest and messages", takes.window, p.rows.rows_are);
    l.host_window(
        r, "gathered results",
        narrow ? placed_values<vertex32>::bytes(m, n) : placed_values<vertex64>::bytes(m, n),
        p.rows.rows_are);
  }
}

std::unique_ptr<engine> make(const preparation& from) {
  if (from.placed->id_width() == 4) return std::make_unique<task_engine<vertex32>>(from.placed);
  return std::make_unique<task_engine<vertex64>>(from.placed);
}

}  // namespace

const engine_kind& tasks_kind() {
  static const engine_kind kind{
      .info = {.name = "tasks",
               .meaning = "a forest a rank, joined by tasks that wait for memory and messages",
               .gpus = false},
      .declare = declare,
      .make = make};
  return kind;
}

}  // namespace gossamer::components_detail
