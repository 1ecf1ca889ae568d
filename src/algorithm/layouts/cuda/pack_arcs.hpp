// Arcs with their weights beside them, made on the GPU from columns that lie there.
#pragma once

#include <cstdint>

#include "gossamer/dataflow/worklist/cuda/view.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer::algorithm_detail::cuda {

using dataflow::cuda::device_arc;

/// arcs[k] = {columns[k], weights[k]} for all k < n; weights come from the host or lie on the GPU,
/// which is current. Done when it returns; takes no other memory. Word: bits of four or eight
/// bytes.
template <class Id, class Word>
void pack_arcs(const device& on, const Id* columns, const Word* weights, std::int64_t n,
               device_arc<Word>* arcs);

}  // namespace gossamer::algorithm_detail::cuda
