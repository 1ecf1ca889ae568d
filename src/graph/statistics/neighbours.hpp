// Sweeps over the edges of the undirected simple graph, without making it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {

/// Throws cancelled_error when a stop was requested.
inline void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw cancelled_error("statistics: stopped");
}

/// Adds up work(first, last, sum) over ranges of [0, items), in parallel; Sum needs operator+=.
/// Only sums, minima and maxima of integers are made this way, so that no schedule can show.
template <class Sum, class Work>
Sum sum_ranges(int threads, std::int64_t items, std::int64_t grain, const std::stop_token& stop,
               const Work& work) {
  // A line of its own for each thread's sum: they are written all the time.
  struct alignas(128) padded {
    Sum sum{};
  };
  const std::int64_t blocks = (items + grain - 1) / grain;
  std::vector<padded> sums(std::max(1, threads));
  parallel_blocks(threads, blocks, [&](int thread, std::int64_t block) {
    check_stop(stop);
    const std::int64_t first = block * grain;
    work(first, std::min(first + grain, items), sums[thread].sum);
  });
  Sum total = sums[0].sum;
  for (std::size_t t = 1; t < sums.size(); ++t) total += sums[t].sum;
  return total;
}

/// Vertices of one piece of parallel work: enough to hide the dispatch, few enough to balance hubs.
inline constexpr std::int64_t vertex_grain = 2048;

/// Calls f(u, own) for each distinct neighbour u != v in row v (sorted). The edge {v,u} of the
/// undirected simple graph is reported with own = true by exactly one of its ends: the smaller one,
/// or the larger one when the smaller has no arc to it. own = false thus means that (u,v) is stored
/// too, and that row u owns the edge.
template <class Id, class F>
void for_neighbours(const csr_view<Id>& rows, bool symmetric, std::int64_t v, const F& f) {
  const auto row = rows.row(v);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Id u = row[i];
    if (u == v || (i > 0 && row[i - 1] == u)) continue;
    if (u > v) {
      f(u, true);
    } else if (symmetric) {
      f(u, false);
    } else {
      const auto back = rows.row(u);
      f(u, !std::binary_search(back.begin(), back.end(), static_cast<Id>(v)));
    }
  }
}

}  // namespace gossamer::detail
