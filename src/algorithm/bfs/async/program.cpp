#include "algorithm/bfs/async/program.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/bfs/cpu/smallest_parents.hpp"
#include "algorithm/bfs/share_depths.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::bfs_detail {

using algorithm_detail::capacities;

template <class Id>
cpu_async<Id>::cpu_async(const placed_graph& g, int rank, const bfs_options&)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      threads_(std::max(1, g.on()[rank].threads)),
      slice_(g.slice<Id>(rank)),
      work_({}, {slice_.rows, slice_.offsets, slice_.columns, nullptr}, owners_, rank,
            capacities(g.owners(), g.on().size()), g.owners().placed(),
            algorithm_detail::named_worklist("bfs")),
      pool_(static_cast<std::size_t>(slice_.rows)) {}

template <class Id>
void cpu_async<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  result_ = pool_.take();
  work_.begin(r, unit_steps<Id>::unreached);
  if (source < 0) return;
  const auto v = static_cast<Id>(owners_.global(rank_, source));
  work_.start(v, {0, v});
}

template <class Id>
void cpu_async<Id>::settle(rank& r) {
  static_cast<void>(threads_);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) \
    num_threads(threads_) if (threads_ > 1 && slice_.rows > 65536)
#endif
  for (std::int64_t i = 0; i < slice_.rows; ++i) {
    const auto& found = work_[owners_.global(rank_, i)];
    const bool reached = found.parent >= 0;
    result_.parents[i] = found.parent;
    result_.depths[i] = reached ? found.depth : -1;
  }
  r.charge(static_cast<double>(slice_.rows) * 2 * (sizeof(Id) + 4), 0);
}

// Levels are counted from what was found: there were none while searching.
template <class Id>
void cpu_async<Id>::report(rank& r, traversal& out) const {
  struct found {
    std::int64_t deepest = -1, arcs = 0;
    worklist_counters work;
  };
  const auto p = static_cast<std::size_t>(r.size());
  found mine;
  mine.work = work_.counters();
  for (std::int64_t i = 0; i < slice_.rows; ++i) {
    if (result_.depths[i] < 0) continue;
    mine.deepest = std::max<std::int64_t>(mine.deepest, result_.depths[i]);
    mine.arcs += slice_.offsets[i + 1] - slice_.offsets[i];
  }
  std::vector<found> all(p);
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  std::int64_t levels = 0;
  out.work.emplace();
  for (const found& f : all) {
    levels = std::max(levels, f.deepest + 1);
    out.arcs += f.arcs;
    out.work->add(f.work);
  }
  const auto n = static_cast<std::size_t>(levels);
  std::vector<std::int64_t> counts(n), of_all(n * p);
  for (std::int64_t i = 0; i < slice_.rows; ++i)
    if (result_.depths[i] >= 0) ++counts[static_cast<std::size_t>(result_.depths[i])];
  r.exchange(std::as_bytes(std::span(counts)), std::as_writable_bytes(std::span(of_all)));
  for (std::size_t l = 0; l < n; ++l) {
    std::int64_t sum = 0;
    for (std::size_t i = l; i < of_all.size(); i += n) sum += of_all[i];
    out.reached += sum;
    out.levels.push_back({sum, false, 0});
  }
}

template <class Id>
void cpu_async<Id>::traverse(rank& r, traversal& out) {
  const double begin = r.clock();
  work_.run();
  settle(r);
  out.seconds = r.clock() - begin;
  const parcel_traffic& t = work_.traffic();
  const worklist_counters& c = work_.counters();
  sent_.out = {c.windows, t.parcels, t.bytes, t.sending};
  sent_.flag = {c.rounds, t.reports, t.reports * std::int64_t{sizeof(work_report)}, t.waiting};
  report(r, out);
}

template <class Id>
void cpu_async<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  share_depths(r, all_depths, owners_, result_.depths.data(), slice_.rows);
  smallest_parents_of(slice_, result_.depths.data(), all_depths.local().data(),
                      graph_.vertex_of_placed<Id>(rank_), graph_.sorted(), threads_,
                      result_.parents.data());
}

template <class Id>
bfs_result::part cpu_async<Id>::take_part() {
  return lend_part(pool_, result_, rank_, slice_.rows);
}

template class cpu_async<vertex32>;
template class cpu_async<vertex64>;

namespace {

void check(const placed_graph& g, const bfs_options& options) {
  require(options.direction != bfs_direction::bottom_up, "bfs: engine 'async' goes top-down only");
  for (int r = 0; r < g.on().size(); ++r)
    if (g.on()[r].is_cuda())
      throw not_compiled("engine 'async' of bfs on GPUs", "it is for CPU and modelled ranks");
}

program_bytes bytes(const machine&, const ownership_sizes& owners, const graph_size&, int rank,
                    int id_width, const bfs_options&) {
  const int p = owners.ranks();
  const auto capacity = capacities(owners, p);
  program_bytes all;
  all.own.work = id_width == 4 ? step_worklist<vertex32>::bytes(rank, capacity, owners.placed())
                               : step_worklist<vertex64>::bytes(rank, capacity, owners.placed());
  all.own.result = owners.local_size(rank) * (id_width + 4);
  all.windows = step_worklist<vertex32>::window_bytes(p);
  return all;
}

}  // namespace

const program_kind async_program = {"async", check, bytes, make_program_of<cpu_async, vertex32>,
                                    make_program_of<cpu_async, vertex64>};

}  // namespace gossamer::bfs_detail
