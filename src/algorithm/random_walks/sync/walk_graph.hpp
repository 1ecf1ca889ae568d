// What walks read, on CPUs and on GPUs.
#pragma once

#include <cstdint>

#include "algorithm/random_walks/engine.hpp"
#include "algorithm/random_walks/step.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::random_walks_detail {

template <class Id>
struct walk_graph {
  const edge_offset* offsets = nullptr;
  const Id* columns = nullptr;
  const std::uint64_t* up_to = nullptr;    ///< [arcs], of weighted walks
  const std::uint64_t* row_sum = nullptr;  ///< [vertices], of weighted walks
  bool sorted = true, symmetric = false;
  std::uint64_t seed = 0;
  std::int64_t length = 0;
  second_order counts;
};

/// All but arrays.
template <class Id>
walk_graph<Id> read_by(const preparation& from) {
  walk_graph<Id> g;
  g.sorted = from.of.sorted;
  g.symmetric = from.of.symmetric;
  g.seed = static_cast<std::uint64_t>(from.options.seed);
  g.length = from.options.length;
  g.counts = second_order::of(from.options.p, from.options.q);
  return g;
}
/// Whether p and q count.
inline bool counts_matter(const random_walks_options& o) {
  return o.p != 1 || o.q != 1;
}

}  // namespace gossamer::random_walks_detail
