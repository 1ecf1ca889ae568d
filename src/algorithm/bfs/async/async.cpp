// One CPU rank of the search: a worklist over its slice, whose values become parents and depths
// when no work is left. Those of GPU ranks are made elsewhere.
#include "algorithm/bfs/async/async.hpp"

#include "algorithm/bfs/async/gpu.hpp"
#include "algorithm/bfs/async/report.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/bfs/smallest_parents/smallest_parents.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::bfs_detail {

using algorithm_detail::capacities;

template <class Id>
cpu_async<Id>::cpu_async(const placed_graph& g, int rank, const bfs_options& options)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      threads_(std::max(1, g.on()[rank].threads)),
      slice_(g.slice<Id>(rank)),
      work_({}, {slice_.rows, slice_.offsets, slice_.columns, nullptr}, owners_, rank,
            capacities(g.owners(), g.on().size()), g.owners().placed(),
            algorithm_detail::worklist_of(g.on(), "bfs", 1, options)),
      pool_(static_cast<std::size_t>(slice_.rows)) {}

template <class Id>
void cpu_async<Id>::begin(rank& r, std::int64_t source) {
  sent_ = {};
  result_ = pool_.take();
  work_.begin(r, unit_steps<Id>::unreached);
  if (source < 0) return;
  const auto v = static_cast<Id>(owners_.global(rank_, source));
  work_.start(v, {v, 0});
}

template <class Id>
void cpu_async<Id>::settle(rank& r) {
  constexpr std::int64_t piece = 32768;
  for_pieces({threads_}, slice_.rows, piece, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const auto& found = work_[owners_.global(rank_, i)];
      const bool reached = found.parent >= 0;
      result_.parents[i] = found.parent;
      result_.depths[i] = reached ? found.depth : -1;
    }
  });
  r.charge(static_cast<double>(slice_.rows) * 2 * (sizeof(Id) + 4), 0);
}

template <class Id>
void cpu_async<Id>::traverse(rank& r, traversal& out) {
  const double begin = r.clock();
  {
    const trace_span span(r, "expand");
    work_.run();
    settle(r);
  }
  out.began = begin;
  out.seconds = r.clock() - begin;
  const parcel_traffic& t = work_.traffic();
  const worklist_counters& c = work_.counters();
  sent_.out = {c.windows, t.parcels, t.bytes, t.sending};
  sent_.flag = {c.rounds, t.reports, t.reports * std::int64_t{sizeof(work_report)}, t.waiting};
  std::int64_t arcs = 0;
  for (std::int64_t i = 0; i < slice_.rows; ++i)
    if (result_.depths[i] >= 0) arcs += slice_.offsets[i + 1] - slice_.offsets[i];
  report_depths(r, {result_.depths.data(), static_cast<std::size_t>(slice_.rows)}, arcs, c, out);
}

template <class Id>
void cpu_async<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  smallest_parents_of(r, graph_, slice_, result_, threads_, all_depths);
}

template class cpu_async<vertex32>;
template class cpu_async<vertex64>;

namespace {

void check(const placed_graph& g, const bfs_options& options) {
  const std::string engine = "engine '" + options.engine + "'";
  require(options.direction != bfs_direction::bottom_up, "bfs: " + engine + " goes top-down only");
  if (g.on()[0].is_cuda()) check_gpu_async(g, options);
}

std::unique_ptr<rank_search<vertex32>> make32(const placed_graph& g, int rank,
                                              const bfs_options& options) {
  if (g.on()[rank].is_cuda()) return make_gpu_async(g, rank, options);
  return std::make_unique<cpu_async<vertex32>>(g, rank, options);
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p,
             const bfs_options& options) {
  if (p.on_gpu()) return declare_search(l, p, gpu_async_bytes(p, options));
  const auto capacity = capacities(p.owners, p.ranks());
  const auto how = algorithm_detail::worklist_of(p.on, "bfs", 1, options);
  algorithm_detail::listed_bytes takes;
  takes.own = p.id_width == 4 ? step_worklist<vertex32>::bytes(p.self, capacity, p.placed(), how)
                              : step_worklist<vertex64>::bytes(p.self, capacity, p.placed(), how);
  takes.window = step_worklist<vertex32>::window_bytes(p.ranks(), how);
  declare_search(l, p, takes);
}

}  // namespace

const engine_functions async_engine = {check, declare, make32, make_search_of<cpu_async, vertex64>};
const engine_functions host_engine = {check, declare, make32, make_search_of<cpu_async, vertex64>};

}  // namespace gossamer::bfs_detail
