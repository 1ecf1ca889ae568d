#include "algorithm/sssp/async.hpp"

#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::capacities;
using algorithm_detail::range_owners;

template <class Id, class Distance>
async_search<Id, Distance>::async_search(const weighted_rows<Id, Distance>& rows,
                                         const std::vector<std::int64_t>& first, int rank,
                                         const worklist_options& options)
    : owners_(first, rank),
      work_({}, {rows.vertices, rows.offsets, rows.columns, rows.weights}, owners_, rank,
            capacities(owners_, static_cast<int>(first.size()) - 1), rows.vertices, options) {}

template <class Id, class Distance>
std::int64_t async_search<Id, Distance>::work_bytes(const std::vector<std::int64_t>& first,
                                                    int rank, bool soft) {
  return list::bytes(rank,
                     capacities(range_owners(first, rank), static_cast<int>(first.size()) - 1),
                     first.back(), soft);
}

template <class Id, class Distance>
search_counts async_search<Id, Distance>::run(rank& r, std::int64_t source, Distance* distances,
                                              peer_times& times, double& seconds) {
  const double from = r.clock();
  work_.begin(r, unreached<Distance>);
  if (owners_.owner(source) == r.id()) work_.start(static_cast<Id>(source), Distance{0});
  {
    const trace_span span(r, "relax");
    work_.run();
  }
  const auto [begin, end] = owners_.own();
  for (std::int64_t v = begin; v < end; ++v) distances[v] = work_[v];
  r.charge(static_cast<double>(end - begin) * 2 * sizeof(Distance), 0);
  times = {work_.traffic().sending, work_.traffic().waiting};
  seconds = r.clock() - from;
  return {work().arcs, work().windows};
}

template class async_search<vertex32, std::uint32_t>;
template class async_search<vertex32, float>;
template class async_search<vertex32, double>;
template class async_search<vertex64, std::uint32_t>;
template class async_search<vertex64, float>;
template class async_search<vertex64, double>;

}  // namespace gossamer::sssp_detail
