#include "algorithm/connected_components/tasks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "algorithm/connected_components/sync_outcome.hpp"
#include "algorithm/connected_components/task_forest.hpp"
#include "algorithm/gather_rows.hpp"
#include "algorithm/modelled_access.hpp"
#include "gossamer/fabric/trace.hpp"

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
  tasks_program(machine& m, const graph& g, std::vector<std::int64_t> first)
      : machine_(m), graph_(g), first_(std::move(first)) {
    for (int r = 0; r < m.size(); ++r)
      forests_.push_back(m.here(r) ? std::make_unique<task_forest<Id>>(graph_.view<Id>(), first_, r)
                                   : nullptr);
  }

  void run(const run_options& options, components_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(first_.back()));
    std::vector<outcome> outcomes(static_cast<std::size_t>(machine_.size()));
    machine_.run([&](rank& r) { work(r, labels, outcomes); }, options);
    describe(outcomes, result);
    result.labels = labels;
  }

 private:
  using peers = typename task_forest<Id>::peers;

  void work(rank& r, const shared_array<Id>& labels, std::vector<outcome>& outcomes) {
    const auto me = static_cast<std::size_t>(r.id());
    const bool whole = machine_.all_here();
    window<Id> everybodys;
    if (!whole) everybodys = r.make_window<Id>(labels.size(), home::host);
    task_forest<Id>& forest = *forests_[me];
    global_tasks tasks(r, algorithm_detail::named_tasks("components"));
    const peers all(tasks, forest);
    const auto parents = tasks.heap().template allocate_owned<Id>(first_.back()).local();
    r.barrier();
    const double begin = r.clock();
    forest.begin(parents);
    join(r, forest, all, outcomes[me]);
    const std::int64_t first = first_[me], last = first_[me + 1];
    for (std::int64_t v = first; v < last; ++v)
      labels.data()[static_cast<std::size_t>(v)] = forest.label(v);
    outcomes[me].seconds = r.clock() - begin;
    r.charge(static_cast<double>(forest.arcs()) * (sizeof(Id) + line) +
                 static_cast<double>(last - first) * (4 * sizeof(Id) + line),
             0);
    trace_run(r, "components", begin, outcomes[me].seconds);
    if (whole) return;
    algorithm_detail::gather_rows(r, everybodys, first, last - first, labels.span());
    algorithm_detail::gather_outcomes(r, outcomes);
  }

  void join(rank& r, task_forest<Id>& forest, const peers& all, outcome& out) const {
    const auto me = static_cast<std::size_t>(r.id());
    Id skip = -1;
    // An arc that stands in one row alone could be the one between a skipped component and the
    // rest.
    const bool skipping = graph_.symmetric;
    if (skipping) {
      timed(r, "sample", out.sample, [&] { forest.join_first(all); });
      settle(r, forest, all, out);
      skip = most_frequent<Id>(r, forest, first_[me], first_[me + 1]);
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

  machine& machine_;
  graph graph_;
  std::vector<std::int64_t> first_;
  std::vector<std::unique_ptr<task_forest<Id>>> forests_;  ///< of this process's ranks
};

}  // namespace

std::unique_ptr<components_program> make_tasks(machine& m, const graph& g,
                                               std::vector<std::int64_t> first) {
  if (g.id_width() == 4) return std::make_unique<tasks_program<vertex32>>(m, g, std::move(first));
  return std::make_unique<tasks_program<vertex64>>(m, g, std::move(first));
}

tasks_bytes tasks_bytes_on(const machine& m, const std::vector<std::int64_t>& first, int rank,
                           int id_width) {
  const auto at = static_cast<std::size_t>(rank);
  const std::int64_t n = first.back(), rows = first[at + 1] - first[at];
  tasks_bytes b;
  b.work = id_width == 4 ? task_forest<vertex32>::work_bytes(n, rows)
                         : task_forest<vertex64>::work_bytes(n, rows);
  b.windows = id_width == 4 ? task_forest<vertex32>::arena_bytes(n, m.size())
                            : task_forest<vertex64>::arena_bytes(n, m.size());
  if (!m.all_here()) b.gathered = (n * id_width + 255) / 256 * 256;
  return b;
}

}  // namespace gossamer::components_detail
