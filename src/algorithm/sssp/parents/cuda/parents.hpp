// Parents from finished distances on a GPU (parents.hpp says which), of rows that are in-arcs, too.
#pragma once

#include <cstdint>

#include "algorithm/sssp/cuda/view.hpp"

namespace gossamer::sssp_detail::cuda {

/// What the kernels see.
template <class Distance>
struct parents_view {
  std::int64_t rows;
  std::int64_t source;
  const edge_offset* offsets;
  const packed_arc<Distance>* arcs;
  const key_of<Distance>* keys;
  bool sorted;                  ///< rows ascend: the first tight arc is that of the smallest id
  std::int32_t* parents;        ///< [rows] -1: not reached
  std::int32_t* found;          ///< [rows] by a round of settling
  unsigned long long* pending;  ///< whose tight arcs all come from the same distance
};

// Asynchronous, in the order of `stream`.

/// Parents of all that have a neighbour nearer to the source; adds to `*pending` how many are left.
template <class Distance>
void find_parents_there(void* stream, int units, const parents_view<Distance>& v);
/// One level of those: the smallest parent among their neighbours that have one. Takes from
/// `*pending`.
template <class Distance>
void settle_level(void* stream, int units, const parents_view<Distance>& v);

}  // namespace gossamer::sssp_detail::cuda
