// Arcs with their weights beside them, made on the GPU from columns that lie there.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/sssp/cuda/view.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail::cuda {

/// [arcs] of all rows, in the memory of one GPU.
template <class Distance>
using packed_arcs = buffer<packed_arc<Distance>>;

/// Of a placement on one GPU of a graph with weights of that type: they are brought there for it.
/// Takes what it returns and nothing else. cancelled_error is nobody's here: it lasts as long as a
/// copy of the weights.
template <class Distance>
std::shared_ptr<packed_arcs<Distance>> pack_arcs(const graph& g, const placed_graph& placed);

/// arcs[k] = {columns[k], weights[k]} for all k; `weights` are the second half of `arcs`. In the
/// order of `stream`.
template <class Id, class Distance>
void pack_in_place(void* stream, const Id* columns, std::int64_t n, packed_arc<Distance>* arcs);

/// What `keys` say: sums[0] += how many are reached, sums[1] = the largest of those. Both were 0.
template <class Distance>
void look_at_distances(void* stream, const key_of<Distance>* keys, std::int64_t n,
                       unsigned long long* sums);

}  // namespace gossamer::sssp_detail::cuda
