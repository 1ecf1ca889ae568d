// Starts the worklist at the source's owner, runs it, and copies the rank's distances out.
#include "algorithm/sssp/async/async.hpp"

#include "algorithm/sssp/instances.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
async_search<Id, Distance>::async_search(const weighted_rows<Id, Distance>& rows,
                                         const placed_graph& g, int rank,
                                         const worklist_options& options)
    : first_(rows.first),
      last_(g.bounds()[static_cast<std::size_t>(rank) + 1]),
      work_({}, {last_ - first_, rows.offsets, rows.columns, rows.weights}, g.owners().view(), rank,
            algorithm_detail::capacities(g.bounds()), rows.vertices, options) {}

template <class Id, class Distance>
std::int64_t async_search<Id, Distance>::work_bytes(const planned_rows& rows, int rank,
                                                    const worklist_options& options) {
  return list::bytes(rank, algorithm_detail::capacities(rows.bounds), rows.ids(), options);
}

template <class Id, class Distance>
void async_search<Id, Distance>::run(rank& r, std::int64_t source, Distance* distances,
                                     outcome& out) {
  work_.begin(r, unreached<Distance>);
  if (source >= first_ && source < last_) work_.start(static_cast<Id>(source), Distance{0});
  {
    const trace_span span(r, "relax");
    work_.run();
  }
  for (std::int64_t v = first_; v < last_; ++v) distances[v] = work_[v];
  r.charge(static_cast<double>(last_ - first_) * 2 * sizeof(Distance), 0);
  out.times = {work_.traffic().sending, work_.traffic().waiting};
  out.work = work_.counters();
  out.counts = {out.work->arcs, out.work->windows};
}

GOSSAMER_SSSP_CLASS(class async_search)

}  // namespace gossamer::sssp_detail
