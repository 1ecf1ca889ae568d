// Arcs with their weights beside them, made on the GPU from columns that lie there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/sssp/cuda/view.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/dataflow/worklist/cuda/view.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail::cuda {

/// In plans.
inline constexpr const char* packed_purpose = "arcs with weights";

/// [ranks] the arcs of each rank's slice, in its GPU's memory; of other processes' ranks none.
template <class Distance>
using packed_arcs = std::vector<buffer<packed_arc<Distance>>>;

/// Laid out now or by an earlier call. Takes what it returns and nothing else: weights are brought
/// to each GPU for it. cancelled_error is nobody's here: it lasts as long as a copy of the weights.
template <class Distance>
std::shared_ptr<const packed_arcs<Distance>> packed_of(const weighted_placement& of);
/// Of the arcs of one rank.
std::int64_t packed_bytes(std::int64_t arcs, int distance_bytes);

/// As worklists see them.
template <class Distance>
dataflow::cuda::rows_there<weight_of<Distance>> rows_of(const placed_graph& placed,
                                                        const packed_arcs<Distance>& arcs,
                                                        int rank) {
  using arc = dataflow::cuda::device_arc<weight_of<Distance>>;
  static_assert(sizeof(arc) == sizeof(packed_arc<Distance>));
  const auto& own = arcs[static_cast<std::size_t>(rank)];
  const edge_offset* offsets = placed.id_width() == 4 ? placed.slice<vertex32>(rank).offsets
                                                      : placed.slice<vertex64>(rank).offsets;
  return {offsets, reinterpret_cast<const arc*>(own.data()), static_cast<std::int64_t>(own.size())};
}

}  // namespace gossamer::sssp_detail::cuda
