// First a parallel pass in which each vertex looks for a tight arc from a nearer one. The vertices
// left, at a neighbour's own distance, are settled level by level.
#include "algorithm/sssp/parents/parents.hpp"

#include <algorithm>

#include "algorithm/sssp/instances.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
std::int64_t find_parents(const weighted_rows<Id, Distance>& in, bool sorted,
                          const Distance* distances, std::int64_t source, std::int64_t first,
                          std::int64_t last, int threads, std::int64_t* parents) {
  const auto look = [&](std::int64_t v) {
    const Distance mine = distances[v];
    std::int64_t parent = mine == unreached<Distance> ? -1 : pending;
    if (v == source) parent = v;
    if (parent == pending) {
      for (edge_offset k = in.offsets[v]; k < in.offsets[v + 1]; ++k) {
        const std::int64_t u = in.columns[k];
        const Distance theirs = distances[u];
        if (!(theirs < mine) || along<Distance>(theirs, in.weights[k]) != mine) continue;
        if (parent == pending || u < parent) parent = u;
        if (sorted) break;
      }
    }
    parents[v] = parent;
    return parent == pending;
  };
  constexpr std::int64_t piece = 1024;
  return sum_pieces<std::int64_t>({threads}, last - first, piece,
                                  [&](std::int64_t begin, std::int64_t end, std::int64_t& left) {
                                    for (std::int64_t v = first + begin; v < first + end; ++v)
                                      left += look(v);
                                  });
}

template <class Id, class Distance>
void settle_pending(const weighted_rows<Id, Distance>& out, const Distance* distances,
                    std::int64_t* parents) {
  std::vector<std::int64_t> level, next;
  for (std::int64_t u = 0; u < out.vertices; ++u)
    if (parents[u] >= 0) level.push_back(u);
  while (!level.empty()) {
    next.clear();
    for (const std::int64_t u : level) {
      for (edge_offset k = out.offsets[u]; k < out.offsets[u + 1]; ++k) {
        const std::int64_t v = out.columns[k];
        if (parents[v] != pending || distances[v] != distances[u] ||
            along<Distance>(distances[u], out.weights[k]) != distances[v])
          continue;
        parents[v] = u;  // the smallest of this level: ids ascend
        next.push_back(v);
      }
    }
    std::sort(next.begin(), next.end());
    level.swap(next);
  }
}

#define GOSSAMER_PARENTS(Id, Distance)                                                          \
  template std::int64_t find_parents(const weighted_rows<Id, Distance>&, bool, const Distance*, \
                                     std::int64_t, std::int64_t, std::int64_t, int,             \
                                     std::int64_t*);                                            \
  template void settle_pending(const weighted_rows<Id, Distance>&, const Distance*, std::int64_t*);
GOSSAMER_SSSP_TYPES(GOSSAMER_PARENTS)
#undef GOSSAMER_PARENTS

}  // namespace gossamer::sssp_detail
