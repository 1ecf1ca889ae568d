// Which edges lie on which rank before the clock starts, in place of a host that hands them out.
//
// As paper C's public program has it. Where rows are long, every rank gets as many edges, in the
// order of the rows. Where they are short, ranks stand for ranges of vertices, halved and halved
// again. An edge goes to the first rank of the smallest such part that has both its ends. So a
// rank knows of edges within its part alone, and hands on the labels of that part and no more.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithm/components/routed/joins.hpp"
#include "algorithm/components/sync/hook.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::components_detail {

struct edge_shares {
  edge_shares(const graph& g, int ranks);

  /// Vertices of a rank alone: its range, or all; none where it has no edges.
  [[nodiscard]] element_range own(int rank, std::int64_t vertices) const;
  /// Of a rank and all that hand on to it, directly or not.
  [[nodiscard]] element_range labels_of(int rank, const std::vector<int>& parents) const;

  std::vector<std::int64_t> counts;       ///< [ranks] edges
  std::vector<element_range> ends;        ///< [ranks] vertices that they may have as ends
  std::vector<std::int64_t> bounds;       ///< [ranks + 1] of vertices; empty where rows are long
  std::vector<std::vector<int>> meeting;  ///< whose the edges between two ranges are

 private:
  void halve(int first, int last, std::int64_t from, std::int64_t to);
};

/// [ranks] the edges themselves, for those that `here` says; of the others none.
template <class Id>
std::vector<shared_array<edge<Id>>> edges_by_rank(const graph& g, const edge_shares& shares,
                                                  const std::function<bool(int)>& here);

}  // namespace gossamer::components_detail
