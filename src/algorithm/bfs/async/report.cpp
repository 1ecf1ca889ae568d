// Counts the vertices of each depth on every rank and adds them up over all ranks in two exchanges:
// first the number of levels, then the counts.
#include "algorithm/bfs/async/report.hpp"

#include <algorithm>
#include <vector>

namespace gossamer::bfs_detail {

void report_depths(rank& r, std::span<const std::int32_t> depths, std::int64_t arcs,
                   const worklist_counters& work, traversal& out) {
  struct found {
    std::int64_t deepest = -1, arcs = 0;
    worklist_counters work;
  };
  const auto p = static_cast<std::size_t>(r.size());
  found mine{-1, arcs, work};
  for (const std::int32_t d : depths) mine.deepest = std::max<std::int64_t>(mine.deepest, d);
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
  for (const std::int32_t d : depths)
    if (d >= 0) ++counts[static_cast<std::size_t>(d)];
  r.exchange(std::as_bytes(std::span(counts)), std::as_writable_bytes(std::span(of_all)));
  for (std::size_t l = 0; l < n; ++l) {
    std::int64_t sum = 0;
    for (std::size_t i = l; i < of_all.size(); i += n) sum += of_all[i];
    out.reached += sum;
    out.levels.push_back({sum, false, 0});
  }
}

}  // namespace gossamer::bfs_detail
